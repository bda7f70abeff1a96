/** How many tests a run ran, as its own summary says: those that were left out do not count. Pure, linear in the text. */

/** `add`: numbers of tests that ran. `less`: of those that are in that number and did not. */
interface Summary {
  readonly line: RegExp
  readonly add: RegExp
  readonly less?: RegExp
}

const left = /(\d+) (?:skipped|excluded|pending|skips)\b/g

const summaries: readonly Summary[] = [
  // vitest, jest, cargo, pytest, mocha: each outcome by itself.
  { line: /^[ \t]*Tests:? +\d+ (?:failed|passed|skipped|todo)\b.*$/gm, add: /(\d+) (?:failed|passed)\b/g },
  { line: /^test result: .*$/gm, add: /(\d+) (?:failed|passed)\b/g },
  {
    line: /^(?:=+ )?\d+ (?:failed|passed|skipped|errors?|xfailed)\b.{0,200} in [\d.]+s\b.*$/gm,
    add: /(\d+) (?:failed|passed|errors?)\b/g
  },
  { line: /^[ \t]+\d+ (?:passing|failing)\b.*$/gm, add: /(\d+) (?:passing|failing)\b/g },
  { line: /^[#ℹ] (?:pass|fail) \d+$/gm, add: /(?:pass|fail) (\d+)/g },
  { line: /^(?:Passed|Failed)! {1,3}- .{0,200}/gm, add: /\b(?:Passed|Failed): +(\d+)/g },
  // ExUnit, RSpec, Minitest, unittest, Surefire, PHPUnit: all of them in one number.
  { line: /^(?:\d+ doctests?, )?\d+ tests?, \d+ failures?\b.*$/gm, add: /(\d+) tests?,/g, less: left },
  { line: /^\d+ examples?, \d+ failures?\b.*$/gm, add: /(\d+) examples?,/g, less: left },
  { line: /^\d+ (?:runs|tests), \d+ assertions, .*$/gm, add: /^(\d+) (?:runs|tests)/g, less: left },
  { line: /^(?:Ran \d+ tests? in |OK \(|FAILED \().*$/gm, add: /^Ran (\d+) tests?/g, less: /skipped=(\d+)/g },
  {
    line: /^\[(?:INFO|ERROR|WARNING)\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/gm,
    add: /Tests run: (\d+)/g,
    less: /Skipped: (\d+)/g
  },
  {
    line: /^(?:OK \(\d+ tests?, \d+ assertions|Tests: \d+, Assertions: ).*$/gm,
    add: /(?:OK \(|Tests: )(\d+)/g,
    less: /Skipped: (\d+)/g
  }
]

const sumOf = (text: string, numbers: RegExp): number =>
  [...text.matchAll(numbers)].reduce((sum, [, digits]) => sum + Number(digits), 0)

/** Undefined where no summary says. */
export const testsIn = (text: string): number | undefined => {
  for (const { add, less, line } of summaries) {
    const lines = text.match(line)
    if (lines === null) continue
    return lines.reduce((sum, one) => sum + sumOf(one, add) - (less === undefined ? 0 : sumOf(one, less)), 0)
  }
  return undefined
}
