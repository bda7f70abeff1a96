/** Which lines an edit puts in and takes out, and which edits were taken back by others. Pure. */
import type { Step } from "./Step.ts"

const maxLines = 40
const longestLine = 120

const linesIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim().slice(0, longestLine))
    .filter((line) => line !== "")

const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const there = new Set(others)
  return [...new Set(lines)].filter((line) => !there.has(line)).slice(0, maxLines)
}

/** What stands on both sides of an edit only shows where it belongs. */
export const changedLines = (took: string, wrote: string): Pick<Step, "puts" | "takes"> => {
  const [before, after] = [linesIn(took), linesIn(wrote)]
  return { puts: without(after, before), takes: without(before, after) }
}

export const isSameLines = (lines: readonly string[], others: readonly string[]): boolean =>
  lines.length === others.length && lines.every((line) => others.includes(line))

/** The same of an edit that puts these lines in where those were, in whatever order they are told. */
const changeOf = (files: readonly string[], puts: readonly string[], takes: readonly string[]): string =>
  JSON.stringify([files.toSorted(), puts.toSorted(), takes.toSorted()])

/** Of an edit and another that takes it back neither is left. */
export const leftOf = (steps: readonly Step[]): readonly Step[] => {
  const left = new Set<Step>()
  const done = new Map<string, Step[]>()
  for (const step of steps) {
    const { files, kind, puts, takes } = step
    const isChange = kind === "edit" && puts.length + takes.length > 0
    const back = isChange ? done.get(changeOf(files, takes, puts))?.pop() : undefined
    if (back !== undefined) left.delete(back)
    else {
      left.add(step)
      if (!isChange) continue
      const own = changeOf(files, puts, takes)
      const alike = done.get(own)
      if (alike === undefined) done.set(own, [step])
      else alike.push(step)
    }
  }
  return [...left]
}

/** As much of two texts is the same that they speak of one place. */
const leastShared = 0.5

/** The lines of a text that an edit asks for, as they are indented, as many as tell it from others. */
export const askedLines = (took: string): readonly string[] =>
  [...new Set(took.split("\n").map((line) => line.slice(0, longestLine)))]
    .filter((line) => line.trim() !== "")
    .slice(0, maxLines)

/** Lines as every function has them: they tell no place from another. */
const isCommon =
  /^[^\p{L}\p{N}]*(?:(?:begin|break|catch|continue|do|done|else|end|esac|fi|finally|pass|return|then|try)[^\p{L}\p{N}]*)?$/u

/** Whatever the indentation, which is what is wrong most often. */
const tellingIn = (lines: readonly string[]): readonly string[] => {
  const telling = lines.filter((line) => !isCommon.test(line))
  return (telling.length > 0 ? telling : lines).map((line) => line.trim())
}

export const isOnePlace = (lines: readonly string[], others: readonly string[]): boolean => {
  const [here, there] = [tellingIn(lines), new Set(tellingIn(others))]
  const shared = here.filter((line) => there.has(line)).length
  return shared > 0 && shared >= leastShared * Math.min(here.length, there.size)
}
