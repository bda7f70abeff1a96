/** What git says of a project: where it stands, and how much of it is not committed. Asked without a shell, and never for long. */
import { execFile } from "node:child_process"

export interface RepositoryState {
  readonly commit?: string
  readonly branch?: string
  readonly changes: { readonly files: number; readonly lines: number }
}

const patienceMs = 5000
const mostBytes = 4_000_000

/** Undefined where git is not there, says no, or takes too long. */
const git = (project: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const child = execFile(
      "git",
      ["--no-optional-locks", "-C", project, ...args],
      // A repository may name programs of its own to run; a pager and a prompt would wait for somebody.
      {
        timeout: patienceMs,
        maxBuffer: mostBytes,
        encoding: "utf8",
        env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_PAGER: "cat", LC_ALL: "C" }
      },
      (error, stdout) => resolve(error === null ? stdout : undefined)
    )
    child.stdin?.end()
  })

/** Files in the output of `git status --porcelain -z`; of a renamed one the old name follows. */
export const filesIn = (status: string): number => {
  let files = 0
  const parts = status.split("\0")
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    if (part === "") continue
    files++
    if (/^[RC]/.test(part)) at++
  }
  return files
}

/** Lines added and removed in the output of `git diff --numstat`; a binary file has none. */
export const linesIn = (numstat: string): number =>
  numstat.split("\n").reduce((sum, line) => {
    const [, added = "0", removed = "0"] = /^(\d+)\t(\d+)\t/.exec(line) ?? []
    return sum + Number(added) + Number(removed)
  }, 0)

/** Undefined where the project is no git repository. */
export const readRepository = async (project: string): Promise<RepositoryState | undefined> => {
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"]
  const status = await git(project, [...quiet, "status", "--porcelain", "-z", "--untracked-files=normal"])
  if (status === undefined) return undefined
  const [numstat, commit, branch] = await Promise.all([
    git(project, [...quiet, "diff", "--no-ext-diff", "--no-textconv", "--numstat", "HEAD"]),
    git(project, ["rev-parse", "--short", "HEAD"]),
    git(project, ["symbolic-ref", "--short", "-q", "HEAD"])
  ])
  return {
    changes: { files: filesIn(status), lines: linesIn(numstat ?? "") },
    ...(commit === undefined ? {} : { commit: commit.trim() }),
    ...(branch === undefined ? {} : { branch: branch.trim() })
  }
}
