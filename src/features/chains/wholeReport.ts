/** Whether all of what a program said of a problem is shown, though other programs read it first. Pure. */
import type { Part } from "../checks/commandLine.ts"
import type { Judged } from "../checks/judge.ts"
import type { Problem } from "../checks/Problem.ts"

/** What leaves out most of what a program says: a problem that does not show is not gone. */
const filters = /^(?:grep|egrep|rg|awk|sed|jq|wc|cut|sort|uniq)$/

/** The programs through which the output of a part goes, one after the other. */
const readersOf = (parts: readonly Part[], part: Part): readonly Part[] => {
  const after = parts.slice(parts.indexOf(part))
  const end = after.findIndex(({ next }) => next !== "|")
  return after.slice(1, end < 0 ? undefined : end + 1)
}

export const isFiltered = (parts: readonly Part[], part: Part): boolean =>
  readersOf(parts, part).some(({ name }) => filters.test(name))

const plainly = 10

/** Agents do not show empty lines at the end, with which many a report ends. */
const mostEmpty = 2

/** Fewer lines than it lets through: it cut nothing. */
const isShort = ({ name, options }: Part, lines: number): boolean => {
  if (!/^(?:head|tail)$/.test(name)) return false
  const all = name === "tail" ? lines + mostEmpty : lines
  if (options.length === 0) return all < plainly
  const [, most] = /^-(?:n ?|-lines[ =])?(\d+)$/.exec(options.join(" ")) ?? []
  return most !== undefined && all < Number(most)
}

/** Words beside a problem that are kept in none of its parts. */
const isVerdict = /err|fail|fatal|panic|exception|traceback/i

/** It leaves out lines with these words alone, and the problem has none of them. */
const isAside = ({ name, options, targets }: Part, problem: Problem): boolean => {
  const [pattern = ""] = targets
  if (!/^e?grep$/.test(name) || options.join(" ") !== "-v" || targets.length !== 1) return false
  const { code = "", file = "", message, symbol = "", test = "" } = problem
  const isOurs = [code, file, message, symbol, test].some((text) => text.includes(pattern))
  return /^[\w ]+$/.test(pattern) && !isVerdict.test(pattern) && !isOurs
}

/** `lines`: how many are shown in the end. */
export const isWhole = (problem: Problem, { line, lines = 0 }: Judged, part: Part): boolean =>
  readersOf(line?.parts ?? [], part).every((reader) => isShort(reader, lines) || isAside(reader, problem))
