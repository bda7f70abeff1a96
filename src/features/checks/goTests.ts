/** What a failing test of Go printed itself, told from what the tests within it did. Pure. */
import { lineNumber, type ReadLine } from "./lines.ts"

// Testify ends the line behind the colon.
const place = /^\s+(\S+\.go):(\d+):(?: (.*))?$/

/** How much deeper what a test printed stands than its name. */
const step = 4

/** As far as what a test printed while it ran is looked for above its end. */
const longestRun = 200

const depthOf = (line: string): number => line.search(/\S/)

/** What stands below the name of a test, as far as it is deeper than it. */
const accountOf = (lines: readonly string[], at: number): readonly string[] => {
  const depth = depthOf(lines[at] ?? "")
  let end = at + 1
  while (end < lines.length && (lines[end] === "" || depthOf(lines[end] as string) > depth)) end += 1
  return lines.slice(at + 1, end)
}

/** With `-v` a test prints while it runs, below the last line that names it. */
const saidWhileRunning = (lines: readonly string[], at: number, test: string): readonly string[] => {
  let said: string[] = []
  let speaker: string | undefined
  for (const line of lines.slice(Math.max(0, at - longestRun), at)) {
    // The next package may have a test of the same name.
    if (/^(?:ok|FAIL|PASS)\b/.test(line)) said = []
    const [, named] = /^=== (?:RUN|NAME|CONT) +(\S+)/.exec(line) ?? []
    speaker = named ?? speaker
    if (speaker === test) said.push(line)
  }
  return said
}

const firstPlace = (lines: readonly string[]): RegExpExecArray | undefined =>
  lines.map((line) => place.exec(line)).find((one) => one !== null) ?? undefined

interface FailedTest {
  readonly test: string
  readonly isParent: boolean
}

/** Nothing of a parent that fails only because a test within it does. */
const failureOf = (
  lines: readonly string[],
  at: number,
  { isParent, test }: FailedTest
): ReturnType<ReadLine> => {
  const depth = depthOf(lines[at] ?? "") + step
  const own =
    firstPlace(accountOf(lines, at).filter((line) => depthOf(line) === depth)) ??
    firstPlace(saidWhileRunning(lines, at, test))
  if (own === undefined && isParent) return undefined
  const [, file, line, message = ""] =
    own ?? firstPlace([...lines.slice(at + 1, at + 12), ...lines.slice(Math.max(0, at - 8), at)]) ?? []
  return file === undefined
    ? { test, message: "failed" }
    : { test, file, message: message.trim() || "failed", ...lineNumber(line) }
}

/** `--- FAIL: TestA/one (0.00s)` */
export const failedTest: ReadLine = ([, test = ""], lines, at) => {
  // gotestsum repeats it within what it tells of the test.
  const head = lines.slice(0, at).findLast((line) => line.startsWith("=== "))
  if (head?.startsWith("=== FAIL: ") && head.includes(` ${test} (`)) return undefined
  const isParent = accountOf(lines, at).some((line) => line.trimStart().startsWith(`--- FAIL: ${test}/`))
  return failureOf(lines, at, { test, isParent })
}

/** `=== FAIL: x/a TestA/one (0.00s)`, as gotestsum tells it: each test for itself. */
export const summedTest: ReadLine = ([, from = "", test = ""], lines, at) => {
  const isParent = lines.some((line) => line.startsWith(`=== FAIL: ${from} ${test}/`))
  return failureOf(lines, at, { test, isParent })
}
