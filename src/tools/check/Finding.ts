/** What `hooktape check` looked at in a project, and what it found there. */

export const checks = ["build", "types", "fixtures", "everyday", "registration"] as const
export type CheckName = (typeof checks)[number]

/** What is wrong, in one word or two: a name that a report groups by. */
export const rules = {
  "hook-broken": "A hook file or a setting that cannot be built.",
  "hook-doubtful": "A hook that is built, and of which something is likely not meant.",
  "hook-replaced": "A hook whose place another of the same name takes: it does not run.",
  "hook-unstarted": "A script that says which hook it is, and that is not executable.",
  "type-error": "The project's TypeScript does not accept a hook file.",
  "fixture-different": "A hook call is answered with other bytes than those that were kept.",
  "fixture-without-reply": "A kept hook call without a kept reply: nothing is compared.",
  "fixture-broken": "A file among the fixtures that is no hook call.",
  "everyday-blocked": "A hook blocks what agents do all day.",
  "everyday-asked": "A hook asks about what agents do all day.",
  "everyday-failed": "A hook fails at what agents do all day.",
  "event-not-registered": "A hook on an event that the repository's agent settings do not have.",
  "script-changed": "The script that the repository's agent settings start is not what this version writes."
} as const
export type RuleName = keyof typeof rules

/** An error ends the check with 1, a warning is told. */
export type Level = "error" | "warning"

export interface Finding {
  readonly rule: RuleName
  readonly level: Level
  /** From the project's directory, with `/`. */
  readonly file: string
  /** From 1, where known. */
  readonly line?: number
  readonly column?: number
  readonly message: string
  readonly remedy?: string
  /** Lines to look at where there is room for them: what differs. */
  readonly detail?: string
}

/** One of the checks with all that it looked at: what is not named by a finding was in order. */
export interface Checked {
  readonly check: CheckName
  /** Hooks, fixtures, files: each by the name that a report has for it. */
  readonly looked: readonly string[]
  readonly findings: readonly Finding[]
  /** Why it was not made. */
  readonly skipped?: string
}

export const isError = ({ level }: Finding): boolean => level === "error"

export const hasErrors = (all: readonly Checked[]): boolean =>
  all.some(({ findings }) => findings.some(isError))
