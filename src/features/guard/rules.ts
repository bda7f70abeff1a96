/** The rules, each in a pack that is switched on or off as a whole, and what each does as shipped. */
import type { Action } from "./rule.ts"

interface Rule {
  readonly pack: string
  readonly action: Action
  readonly about: string
  readonly instead: string
}

const human = "Ask the human to do it, or say why it is needed."

export const rules = {
  "delete-outside": {
    pack: "filesystem",
    action: "block",
    about: "Recursive deletes outside the project, of the home directory, and of /.",
    instead: "Delete only inside the project, name exactly what is to go, or ask the human to do it."
  },
  "delete-project": {
    pack: "filesystem",
    action: "block",
    about: "Recursive deletes of the whole project or of its `.git`.",
    instead: "Delete only what was generated, such as `dist`, or ask the human to do it."
  },
  overwrite: {
    pack: "filesystem",
    action: "ask",
    about:
      "System files, settings, logs, databases, tables of data and environment files that are emptied or overwritten; files that the system needs, deleted; files outside the project that are emptied; system directories that are moved; archives unpacked over them or the home directory.",
    instead: "Write to a file of the project, or ask the human to do it."
  },
  "force-push": {
    pack: "git",
    action: "block",
    about:
      "Pushes that overwrite what others may have pushed to a branch that many work on; to any other branch it asks.",
    instead: "Push a new branch, or use `git push --force-with-lease` on one that is yours alone."
  },
  "git-remote-delete": {
    pack: "git",
    action: "ask",
    about: "Branches and tags deleted on the server.",
    instead: human
  },
  "git-discard": {
    pack: "git",
    action: "ask",
    about:
      "Uncommitted work thrown away: `reset --hard`, `clean -f`, `checkout -- .`, `restore .`, `git ls-files -m | xargs rm`, `rm -r` of a folder with some of it.",
    instead: "Commit or `git stash` what is there first."
  },
  "git-drop": {
    pack: "git",
    action: "ask",
    about: "Stashes, unmerged branches and worktrees deleted.",
    instead: "Use `git branch -d`, or keep it until the human has looked."
  },
  "git-history": {
    pack: "git",
    action: "ask",
    about: "History rewritten or made unrecoverable: `filter-branch`, reflog expiry, `gc --prune=now`.",
    instead: "Make a new commit, or ask the human to do it."
  },
  disk: {
    pack: "disk",
    action: "block",
    about: "Writing to a disk itself: `mkfs`, `dd of=/dev/…`, `> /dev/sda`.",
    instead: "Write to a file, or ask the human to do it."
  },
  volumes: {
    pack: "storage",
    action: "ask",
    about: "File systems, pools, logical volumes, arrays and encrypted devices destroyed.",
    instead: human
  },
  permissions: {
    pack: "permissions",
    action: "block",
    about: "Changing owner or mode of system or home directories, recursively or for everybody.",
    instead: "Change only the files that need it, inside the project."
  },
  "fork-bomb": {
    pack: "processes",
    action: "block",
    about: "Functions that start themselves twice, without end.",
    instead: "Start a known number of processes."
  },
  "kill-all": {
    pack: "processes",
    action: "block",
    about:
      "Signals to every process, or to the first one; asks: to all that somebody has, and to every `node`, `python` and the like by name, or every `java`, `postgres` and the like that `ps` or `pgrep` finds.",
    instead: "End only the processes that you started, by their id."
  },
  shutdown: {
    pack: "processes",
    action: "ask",
    about: "The machine, or a service or driver that it depends on, stopped.",
    instead: human
  },
  secrets: {
    pack: "secrets",
    action: "block",
    about: "Environment files, private keys and credentials sent over the network.",
    instead: "Send it without the secret, or ask the human to do it."
  },
  containers: {
    pack: "containers",
    action: "ask",
    about: "Volumes, images and containers deleted for good, or the host's root given to a container.",
    instead: "Name the one container, image or volume that is yours, or ask the human to do it."
  },
  clusters: {
    pack: "containers",
    action: "ask",
    about:
      "Namespaces, volumes and workloads deleted in a cluster, or made anew by force; changes in one that is called production; rights given to everybody.",
    instead: "Look at it with `get`, `diff` or `--dry-run` first, or ask the human to do it."
  },
  infrastructure: {
    pack: "infrastructure",
    action: "ask",
    about: "Infrastructure destroyed, changed without a look at the plan, or taken out of its state.",
    instead: "Show the plan to the human first."
  },
  cloud: {
    pack: "infrastructure",
    action: "ask",
    about:
      "Resources deleted by the command lines and libraries of clouds and hosting services; databases and the like opened to everybody.",
    instead: human
  },
  "cloud-storage": {
    pack: "infrastructure",
    action: "ask",
    about: "Objects and buckets deleted in remote storage; buckets opened to everybody.",
    instead: "List them first, or use the dry run that the tool has."
  },
  databases: {
    pack: "databases",
    action: "ask",
    about:
      "Data dropped, truncated, deleted or updated without a condition, flushed, or reset by a migration tool; on a server that is not this machine also deleted with one, and restored over.",
    instead: "Use a test database, a condition or a transaction, or ask the human to do it."
  },
  "remote-code": {
    pack: "remote-code",
    action: "ask",
    about:
      "Programs from the network that run unread: `curl … | sh` and its relatives, packages over plain http; blocked, a shell that is given to the other end of a connection.",
    instead: "Download it, read it, then run it."
  },
  publishing: {
    pack: "publishing",
    action: "ask",
    about:
      "Packages, releases, images and code published or withdrawn, repositories deleted or opened to everybody.",
    instead: "Try it with `--dry-run`, and let the human publish."
  },
  credentials: {
    pack: "credentials",
    action: "ask",
    about:
      "Keys and accounts destroyed; who may log in, or what runs at log-in, changed; private keys, stored credentials and kept secrets printed into the session.",
    instead: human
  },
  "hidden-code": {
    pack: "hidden-code",
    action: "ask",
    about:
      "Code that is decoded or fetched and run at once, and commands too long or nested too deep to be read.",
    instead: "Write it out in plain text."
  },
  backups: {
    pack: "backups",
    action: "ask",
    about:
      "Backups and snapshots deleted or pruned, files outside the project in a folder of backups deleted.",
    instead: human
  },
  services: {
    pack: "services",
    action: "ask",
    about:
      "Queues, topics, search indexes, key-value trees, kept secrets and mail deleted; tasks planned that stay.",
    instead: human
  },
  packages: {
    pack: "packages",
    action: "ask",
    about: "System packages removed.",
    instead: human
  },
  network: {
    pack: "network",
    action: "ask",
    about: "Firewalls switched off or emptied, network interfaces and routes taken down.",
    instead: human
  }
} as const satisfies Readonly<Record<string, Rule>>

export type RuleId = keyof typeof rules

export const packNames: readonly string[] = [...new Set(Object.values(rules).map(({ pack }) => pack))]
