/** Which commits a later one takes back, as git tells it. */
import { git } from "../../trust/git.ts"

/** Of a commit, and of how long it can be taken back to count. */
const withinMs = 14 * 86_400_000
const maxBytes = 4_194_304
/** The earliest moment that git reads as seconds: of fewer digits it makes a day of this month. */
const earliestSeconds = 100_000_000
const patienceMs = 5000

export interface Reverts {
  readonly known: number
  readonly reverted: number
}

interface Commit {
  readonly id: string
  readonly at: number
  /** The whole ids of those that it says it takes back. */
  readonly takesBack: readonly string[]
}

const commitsIn = (output: string): readonly Commit[] =>
  output
    .split("\0")
    .filter((entry) => entry.trim() !== "")
    .map((entry) => {
      const [id = "", seconds = "0", ...message] = entry.trim().split("\n")
      const said = message.join("\n").matchAll(/^This reverts commit ([0-9a-f]{7,40})/gm)
      return { id, at: Number(seconds) * 1000, takesBack: [...said].map(([, other = ""]) => other) }
    })

export const revertsAmong = (commits: readonly Commit[], ids: readonly string[]): Reverts => {
  const known = commits.filter(({ id }) => ids.some((one) => id.startsWith(one)))
  const isReverted = ({ at, id }: Commit): boolean =>
    commits.some(
      (other) =>
        other.takesBack.some((one) => id.startsWith(one) || one.startsWith(id)) &&
        other.at >= at &&
        other.at - at <= withinMs
    )
  return { known: known.length, reverted: known.filter(isReverted).length }
}

/** Undefined where git has nothing to say of the project, or its folder is gone: what was recorded of it is not. */
export const readReverts = async (
  project: string,
  since: number
): Promise<((ids: readonly string[]) => Reverts) | undefined> => {
  const told = await git(
    project,
    [
      "log",
      "--all",
      `--since=@${Math.max(earliestSeconds, Math.floor(since / 1000))}`,
      "-z",
      "--format=%H%n%ct%n%B"
    ],
    { timeout: patienceMs, maxOutput: maxBytes }
  ).catch(() => undefined)
  if (told?.exitCode !== 0) return undefined
  const commits = commitsIn(told.stdout)
  return (ids) => revertsAmong(commits, ids)
}
