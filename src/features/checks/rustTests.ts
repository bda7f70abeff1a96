/** Where a failing test of Rust panicked. Pure. */
import type { Place } from "./place.ts"

const panicked = /^thread '([^']+)' (?:\(\d+\) )?panicked at (?:'.*', )?(\S+?\.rs):(\d+):\d+:?$/
const begin = /^running \d+ tests?$|^test result: /
const end = /^test result: /

/** Looked for among what its own crate printed: another may have a test of the same name. */
export const panicOf = (test: string, lines: readonly string[], at: number): Partial<Place> => {
  const from = lines.slice(0, at).findLastIndex((line) => begin.test(line)) + 1
  const length = lines.slice(at).findIndex((line) => end.test(line))
  const [, , file, digits] =
    lines
      .slice(from, length < 0 ? undefined : at + length)
      .map((line) => panicked.exec(line))
      .findLast((one) => one?.[1] === test) ?? []
  return file === undefined ? {} : { file, line: Number(digits) }
}
