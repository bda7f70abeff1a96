/** Scripts on the disk that a shell is told to run: an agent writes one, and starts it a moment later. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classifyLooking, isCleared } from "../../../src/features/guard/look.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-scripts-")))
const project = join(home, "app")
mkdirSync(join(project, "tools"), { recursive: true })
afterAll(() => rmSync(home, { recursive: true, force: true }))
const write = (name: string, text: string) => writeFileSync(join(project, name), text)
write("wipe.sh", "#!/bin/bash\nset -e\nrm -rf ~\n")
write("tools/wipe", 'rm -rf "$HOME"\n')
write("tools/wipe.sh", "rm -rf ~\n")
write("tools/here.sh", "rm -rf ../../app/dist\n")
write(
  "clean.sh",
  '#!/bin/sh\ncd "$(dirname "$0")/.."\nrm -rf dist "$TMPDIR/x" "$BUILD_DIR"\ngit clean -fdx\n'
)
write("deploy.sh", 'terraform destroy -auto-approve\nkubectl delete namespace "$NS"\n')
write("wipe.py.sh", "#!/usr/bin/env python3\nrm -rf ~\n")
write("long.sh", `${"# nothing\n".repeat(5000)}rm -rf ~\n`)
write("tools/run", "#!/usr/bin/env bash\nrm -rf ~\n")
write("tools/program", "\u007fELF\0\nrm -rf ~\n")
write("delete.sh", 'set -e\nrm -rf "$1"\n')
write("delete-all.sh", 'for each in "$@"; do rm -rf "$each"; done\n')
write("named.sh", '#!/bin/sh\nset -e\nrm -rf "$D"\n')
write("all.sh", "echo cleaning\nbash ./wipe.sh\n")
write("most.sh", "./all.sh\n")
write("pass-on.sh", 'sh delete.sh "$HOME"\n')
write("self.sh", "sh self.sh\n")
write("deeper.sh", "sh most.sh\n")
for (const name of ["a", "b"]) write(`many-${name}.sh`, "sh many-a.sh; sh many-b.sh\n".repeat(40))
const starting = (names: string) =>
  names
    .split(" ")
    .map((name) => `sh deep/${name}`)
    .join("\n")
mkdirSync(join(project, "deep"))
write("within.sh", starting("a b w"))
write("beyond.sh", starting("a b c"))
const below = (name: string) => Array.from({ length: 18 }, (_, at) => `${name}${at}`)
for (const name of "abc") write(`deep/${name}`, starting(below(name).join(" ")))
for (const name of ["a", "b", "c"].flatMap(below))
  write(`deep/${name}`, name.startsWith("c") ? "rm -rf ~\n" : "echo\n")
write("deep/w", "rm -rf ~\n")
mkdirSync(join(project, "node_modules", ".bin"), { recursive: true })
write("node_modules/.bin/wipe", "#!/bin/sh\nrm -rf ~\n")
execFileSync("mkfifo", [join(project, "pipe.sh")])

const place = { project, cwd: project, home }
const judge = async (command: string) => {
  const verdict = await classifyLooking(command, place, async () => undefined)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}

describe("a script that a shell is told to run", () => {
  it.each([
    "bash wipe.sh",
    "sh deeper.sh",
    "bash -eux ./wipe.sh now",
    "./wipe.sh",
    "sh tools/wipe",
    "source wipe.sh",
    ". ./wipe.sh",
    "sudo bash wipe.sh",
    "chmod +x wipe.sh && ./wipe.sh",
    "timeout 9 bash wipe.sh > log 2>&1 || true",
    "cd tools && bash ../wipe.sh",
    "cd tools; ./wipe.sh",
    "(cd tools && sh wipe)",
    "sh < wipe.sh",
    "bash -s now < wipe.sh",
    "sudo bash < ./wipe.sh",
    "cat wipe.sh | bash",
    "cat < wipe.sh | sh -s -- now",
    "cat wipe.sh | sudo sh -",
    'eval "$(cat wipe.sh)"',
    'eval "$(< wipe.sh)"',
    "eval `cat tools/wipe`",
    "bash -euo pipefail wipe.sh",
    "bash -eu -o pipefail wipe.sh",
    "bash -O extglob -- wipe.sh",
    "cat wipe.sh | bash -euo pipefail",
    "tools/wipe",
    "./tools/wipe now",
    "tools/run",
    'bash -c "$(cat wipe.sh)"',
    'sh -ec "$(< wipe.sh)"',
    "source <(cat wipe.sh)",
    "bash <(cat wipe.sh)",
    'bash <<< "$(cat wipe.sh)"',
    ". /dev/stdin < wipe.sh",
    "cat wipe.sh | cat | sh",
    "cat wipe.sh | tee log | sh",
    "cat clean.sh wipe.sh | bash",
    "tail -n +2 wipe.sh | sh",
    "tail -n +2 < wipe.sh | sh",
    "head -20 wipe.sh | bash -s",
    "sed 's/dist/build/' wipe.sh | sh",
    "sed -e 's/a/b/' -e 's/c/d/' wipe.sh | sh",
    "grep -v '^#' wipe.sh | sh",
    "grep -Ev '^\\s*(#|$)' wipe.sh | sh",
    "cat wipe.sh | grep -v '^#' | sed 's/x/y/' | sh",
    "envsubst < wipe.sh | sh",
    'bash -c "$(tail -n +2 wipe.sh)"',
    "bash <(sed 1d wipe.sh)",
    "find . -name wipe.sh -exec sh {} \\;",
    "find tools -type f -name 'wipe.sh' -exec bash {} +",
    "sh delete.sh ~",
    "./delete.sh /",
    "bash delete.sh -- .. || bash delete.sh ..",
    "bash -s ~ < delete.sh",
    "cat delete.sh | sh -s -- ~",
    'bash -c "$(cat delete.sh)" delete ~',
    "source delete.sh /",
    "sh delete-all.sh dist ~",
    "T=~; sh delete.sh $T",
    "D=~ ./named.sh",
    "D=/ X=1 sh named.sh now",
    "env D=~ bash named.sh",
    'D="$HOME" bash -s < named.sh',
    "sh all.sh",
    "sh most.sh",
    "sh within.sh",
    "./pass-on.sh",
    "cp wipe.sh x; sh x",
    "cp -p wipe.sh tools/ && cd tools && ./wipe.sh",
    "cp wipe.sh /tmp && bash /tmp/wipe.sh",
    "mv wipe.sh build && sh build",
    "ln -s wipe.sh y.sh; bash y.sh",
    "cp wipe.sh x; cp x z; echo done >> z; sh z",
    "install -m 755 wipe.sh tools/w; tools/w",
    "cp clean.sh wipe.sh tools/; sh tools/wipe.sh"
  ])("is read, for what nobody ever means: %s", async (command) => {
    expect(isCleared(command, place)).toBe(false)
    expect(await judge(command)).toBe("delete-outside block")
  })

  it("means what it says in the folder in which it is started", async () => {
    expect(await judge("bash tools/here.sh")).toBe("delete-outside block")
    expect(await judge("cd tools && bash here.sh")).toBeNull()
  })

  it("is named with its line", async () => {
    const verdict = await classifyLooking("bash wipe.sh", place, async () => undefined)
    expect(verdict?.reason).toMatch(/^The script .*\/app\/wipe\.sh: `rm -r` deletes/)
  })

  it.each([
    "bash clean.sh",
    "./deploy.sh",
    "bash wipe.py.sh",
    "bash long.sh",
    "bash pipe.sh",
    "bash tools",
    "bash not-there.sh",
    "bash -c 'echo hi'",
    'bash "$SCRIPT"',
    "cat wipe.sh",
    "cat wipe.sh | grep rm",
    "cat clean.sh deploy.sh | bash",
    "bash -n wipe.sh",
    "sh -n < wipe.sh",
    "bash --version wipe.sh",
    "tools/program",
    "D=dist ./named.sh",
    "D=$(date) ./named.sh",
    "./named.sh",
    "D=~; sh clean.sh",
    "sh delete.sh dist",
    "sh delete.sh",
    'sh delete.sh "$1"',
    "sh delete.sh dist ~",
    "sh delete-all.sh dist build",
    "sh self.sh",
    "sh many-a.sh",
    "sh beyond.sh",
    "cp wipe.sh x; echo 'echo hi' > x; sh x",
    "cp clean.sh x; sh x",
    "cp wipe.sh x",
    "node_modules/.bin/wipe",
    "bash -c 'echo hi' < wipe.sh",
    "grep -v rm wipe.sh | sh",
    "grep '^#' wipe.sh | sh",
    "grep -c rm wipe.sh",
    "head -20 wipe.sh",
    "sed -i 's/a/b/' wipe.sh && sh clean.sh",
    "find . -name wipe.sh",
    "find . -name clean.sh -exec sh {} \\;",
    "find . -name '*.sh' -exec sh -n {} \\;",
    "awk '{print $1}' wipe.sh | sh",
    'eval "$(grep rm clean.sh)"',
    'echo "$(cat wipe.sh)"',
    "cd tools && bash here.sh",
    'cd "$SOMEWHERE" && bash wipe.sh'
  ])("is left to its author in all else: %s", async (command) => {
    expect(await judge(command)).toBeNull()
  })

  it("is not read where the guard's author has no word on it", async () => {
    const off = { ...place, off: ["delete-outside"] }
    expect(await classifyLooking("bash wipe.sh", off, async () => undefined)).toBeUndefined()
  })
})

describe("the mode of the home itself", () => {
  it.each([
    "chmod 000 ~",
    "chmod 0 ~",
    'chmod 777 "$HOME"',
    "chmod a-rwx ~",
    "chmod u= ~/",
    "chmod -R 000 ~",
    "chmod -R a-rx ~"
  ])("is not taken from its user: %s", async (command) =>
    expect(await judge(command)).toBe("permissions block")
  )
  it.each([
    "chmod 700 ~",
    "chmod 600 ~/.netrc",
    "chmod u+x ~/bin/x",
    "chmod a-w ~",
    "chmod 000 secret",
    "chmod go-rwx ~"
  ])("is its user's to set: %s", async (command) => expect(await judge(command)).toBeNull())
})
