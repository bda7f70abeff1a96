/** Where a test failed, from what its runner prints of it. Pure. */
import { linesOf } from "./lines.ts"
import type { Problem } from "./Problem.ts"

export interface Place {
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/** As much as a runner prints of one test before it comes to where it failed. */
const longestAccount = 60

const foreign = /node_modules|^node:|^internal\/|site-packages|[\\/]lib[\\/]python/

export const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

interface Account {
  /** With the file and the line in its first two groups. */
  readonly place: RegExp
  /** What begins the account of the next test. */
  readonly end: RegExp
  /** The file that it has to be in, where it is known. */
  readonly file?: string | undefined
}

/** The first place in the account that begins at a line; none of a package. */
export const placeAfter = (
  lines: readonly string[],
  from: number,
  { end, file, place }: Account
): Place | undefined => {
  for (const line of lines.slice(from, from + longestAccount)) {
    if (end.test(line)) return undefined
    const [, at = "", digits] = place.exec(line) ?? []
    if (digits === undefined || foreign.test(at)) continue
    if (file === undefined || baseOf(at) === baseOf(file)) return { file: at, line: Number(digits) }
  }
  return undefined
}

/** The line alone: the file is known. */
export const lineAfter = (
  lines: readonly string[],
  from: number,
  account: Account
): { readonly line?: number } => {
  const place = placeAfter(lines, from, account)
  return place === undefined ? {} : { line: place.line }
}

/** A frame of V8, with or without the function. */
export const jsFrame = /^\s+at (?:[^(]*\()?(?:file:\/\/)?(\S+?):(\d+):\d+\)?$/

/** Of runners that show all accounts before the list of what failed: each problem with the place that was told under its name. */
export const placedBy = (
  problems: readonly Problem[],
  text: string,
  read: (lines: readonly string[]) => (problem: Problem) => Partial<Place> | undefined
): readonly Problem[] => {
  if (!problems.some(({ line, test }) => test !== undefined && line === undefined)) return problems
  const placeOf = read(linesOf(text))
  return problems.map((problem) =>
    problem.test === undefined || problem.line !== undefined ? problem : { ...problem, ...placeOf(problem) }
  )
}
