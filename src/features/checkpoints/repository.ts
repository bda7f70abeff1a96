/** What git says of a project: where it stands, and how much of it is not committed. Asked without a shell, and never for long. */
import { type GitQuestion, git } from "../../trust/git.ts"
import { untrackedLines } from "./untracked.ts"

export interface RepositoryState {
  readonly commit?: string
  readonly branch?: string
  /** Of a new file every line counts as one that was added. */
  readonly changes?: { readonly files: number; readonly lines: number }
  /** Why it is not known how much is not committed. */
  readonly problem?: string
}

const usualPatienceMs = 5000
const maxBytes = 1_048_576

type Git = (...question: GitQuestion) => Promise<{ readonly said?: string; readonly isLate: boolean }>

/** Nothing is said where git is not there, or says no. What it started ends with it. */
const makeGit =
  (project: string, timeout: number): Git =>
  async (...question) => {
    const { exitCode, failure, stdout } = await git(project, question, { timeout, maxOutput: maxBytes })
    return { ...(exitCode === 0 ? { said: stdout } : {}), isLate: failure === "timed-out" }
  }

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

/** Written by `hooktape init` for the editor. */
const isOurs = (path: string): boolean => /(?:^|\/)\.hooktape\/types\//.test(path)

/** Undefined where the project is no git repository. */
export const readRepository = async (
  project: string,
  patienceMs = usualPatienceMs
): Promise<RepositoryState | undefined> => {
  const ask = makeGit(project, patienceMs)
  const status = await ask("status", "--porcelain", "-z", "--untracked-files=no")
  const problem = `git did not answer within ${patienceMs / 1000} seconds`
  if (status.said === undefined) return status.isLate ? { problem } : undefined
  const [numstat, others, commit, branch] = await Promise.all([
    ask("diff", "--numstat", "HEAD"),
    ask("ls-files", "-z", "--others", "--exclude-standard", ":/"),
    ask("rev-parse", "--short", "HEAD"),
    ask("symbolic-ref", "--short", "-q", "HEAD")
  ])
  const untracked = (others.said ?? "").split("\0").filter((path) => path !== "" && !isOurs(path))
  return {
    ...(numstat.isLate || others.isLate
      ? { problem }
      : {
          changes: {
            files: filesIn(status.said) + untracked.length,
            lines: linesIn(numstat.said ?? "") + (await untrackedLines(project, untracked))
          }
        }),
    ...(commit.said === undefined ? {} : { commit: commit.said.trim() }),
    ...(branch.said === undefined ? {} : { branch: branch.said.trim() })
  }
}
