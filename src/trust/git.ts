/**
 * Asks git about a repository without running anything that the repository names. Its configuration can name programs for filters,
 * hooks, the file system monitor, external diffs, pagers, editors, credentials, transports, aliases and submodules; each of them is
 * switched off here, and only questions that write nothing can be asked. Every call of git in this package goes through here.
 */
import type { Ran } from "../hooks/Services.ts"
import type { Environment } from "../state/callEnvironment.ts"
import { programOutside } from "./plainEnvironment.ts"
import { repositoryAbove } from "./repositoryAbove.ts"
import { runCommand } from "./runCommand.ts"

/** What can be asked, with what keeps the answer from running anything. */
const questions = {
  status: ["--ignore-submodules=all"],
  diff: ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
  "ls-files": [],
  "check-ignore": [],
  "rev-parse": [],
  // A configuration can have signatures checked, by a program that it names.
  log: ["--no-show-signature", "--no-patch", "--no-mailmap"],
  "symbolic-ref": []
} as const satisfies Record<string, readonly string[]>

export type GitQuestion = readonly [keyof typeof questions, ...string[]]

export interface GitOptions {
  readonly timeout?: number
  readonly maxOutput?: number
  /** Of the call, where that is not to be asked for any more. */
  readonly callEnvironment?: Environment
}

const usualMs = 5000

/** Keys whose values are programs, transports, or lead to them. Given on the command line they come last and win. */
const off = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.alternateRefsCommand=false",
  "credential.helper=",
  "diff.external=",
  "diff.ignoreSubmodules=all",
  "status.submoduleSummary=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "gpg.program=false",
  "protocol.allow=never",
  // A folder of a clone can look like a repository without a working tree, configuration included.
  "safe.bareRepository=explicit",
  "core.quotePath=false"
].flatMap((setting) => ["-c", setting])

/** Transports in particular: a repository that was cloned in part would fetch what it lacks, by a program that it names. */
const environment = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ASKPASS: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_EDITOR: "false",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C"
}

/** Filters and diff drivers have names of the repository's choice: each that is configured is switched off by its name. */
const named = /^(filter\..*\.(clean|smudge|process|required)|diff\..*\.(command|textconv|cachetextconv))$/is
const maxNamed = 1000

const refused = (stderr: string): Ran => ({
  exitCode: null,
  stdout: "",
  stderr,
  truncated: false,
  failure: "refused"
})

/** Undefined where one of them cannot be switched off: on git's command line a name with "=" would end there. */
const switchedOff = (keys: string): readonly string[] | undefined => {
  const found = [...new Set(keys.split("\0"))].filter((key) => named.test(key))
  if (found.length > maxNamed || found.some((key) => key.includes("="))) return undefined
  return found.flatMap((key) => ["-c", `${key}=${/required|cachetextconv/i.test(key) ? "false" : ""}`])
}

/** Any answer but exit code 0 (1 of `check-ignore`) is none: git would not say, or must not be asked. */
export const git = async (
  folder: string,
  [question, ...args]: GitQuestion,
  { callEnvironment, maxOutput, timeout = usualMs }: GitOptions = {}
): Promise<Ran> => {
  const repository = repositoryAbove(folder) ?? folder
  // A program of that name within the repository is not git.
  const program = programOutside("git", repository, callEnvironment)
  if (program === undefined) return { ...refused("there is no git"), failure: "missing" }
  const ask = (words: readonly string[]): Promise<Ran> =>
    runCommand(
      program,
      ["--no-pager", "--no-optional-locks", ...off, ...words],
      {
        cwd: folder,
        timeout,
        ...(callEnvironment === undefined ? {} : { callEnvironment }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
        env: environment,
        environment: { outside: folder }
      },
      () => () => {}
    )
  // Reading the configuration runs nothing; files that it includes are part of it.
  const keys = await ask(["config", "--list", "--name-only", "-z"])
  if (keys.exitCode !== 0) return keys
  const drivers = keys.truncated ? undefined : switchedOff(keys.stdout)
  if (drivers === undefined)
    return refused("the repository's configuration names filters that cannot be switched off")
  return ask([...drivers, question, ...questions[question], ...args])
}
