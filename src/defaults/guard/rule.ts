/** The rules of `guard-destructive`, and what one of them has to say of a command. */

export const rules = {
  "delete-outside": {
    about: "Recursive deletes outside the project, of the home directory, and of /.",
    instead: "Delete only inside the project, name exactly what is to go, or ask the human to do it."
  },
  "delete-project": {
    about: "Recursive deletes of the whole project or of its `.git`.",
    instead: "Delete only what was generated, such as `dist`, or ask the human to do it."
  },
  "force-push": {
    about: "Pushes that overwrite what others may have pushed.",
    instead: "Use `git push --force-with-lease`, or push a new branch."
  },
  disk: {
    about: "Writing to a disk itself: `mkfs`, `dd of=/dev/…`, `> /dev/sda`.",
    instead: "Write to a file, or ask the human to do it."
  },
  permissions: {
    about: "Changing owner or mode of system or home directories, recursively or for everybody.",
    instead: "Change only the files that need it, inside the project."
  },
  "fork-bomb": {
    about: "Functions that start themselves twice, without end.",
    instead: "Start a known number of processes."
  },
  secrets: {
    about: "Environment files, private keys and credentials sent over the network.",
    instead: "Send it without the secret, or ask the human to do it."
  }
} as const satisfies Readonly<Record<string, { readonly about: string; readonly instead: string }>>

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as readonly RuleId[]

export interface Verdict {
  readonly rule: RuleId
  /** A sentence that names what in this command is meant. */
  readonly reason: string
}

/** Where a command is to run, and what its author allows there. */
export interface Place {
  readonly project: string
  readonly cwd: string
  readonly home: string
  /** Directories whose contents come and go. Default `/tmp`, `/var/tmp` and the like. */
  readonly temporary?: readonly string[]
  /** Further directories in which anything may be deleted. */
  readonly allow?: readonly string[]
  /** Rules that are switched off. */
  readonly off?: readonly string[]
}
