/** What `ansible` is told to do on its hosts. */
import { describe, expect, it } from "vitest"
import { classify } from "../../../src/features/guard/classify.ts"

const place = { project: "/home/u/app", cwd: "/home/u/app", home: "/home/u" }
const judge = (command: string) => classify(command, place)?.rule ?? null

describe("a command that ansible runs on its hosts", () => {
  it.each([
    ["ansible all -m shell -a 'rm -rf /'", "delete-outside"],
    ["ansible web -b -a 'rm -rf /etc'", "delete-outside"],
    ['ansible all -m raw --args="mkfs.ext4 /dev/sda1"', "disk"],
    ["ansible db -m ansible.builtin.shell -a 'chdir=/tmp rm -rf /var/lib'", "delete-outside"],
    ["ansible all -i hosts -m file -a 'path=/ state=absent'", "delete-outside"],
    ["ansible all -m file -a 'state=absent path=\"/etc\"'", "delete-outside"]
  ])("is read as if a shell there ran it: %s", (command, rule) => expect(judge(command)).toBe(rule))

  it.each([
    "ansible all -m ping",
    "ansible all -a 'uptime'",
    "ansible web -m shell -a 'systemctl status nginx | head -5'",
    "ansible web -m file -a 'path=/srv/app state=directory'",
    "ansible web -m service -a 'name=nginx state=restarted'",
    "ansible-playbook -i hosts site.yml",
    "ansible all --list-hosts"
  ])("passes where it is every day's: %s", (command) => expect(judge(command)).toBeNull())
})
