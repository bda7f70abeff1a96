/** How much one call of a program is like another: the same thing meant, though it may be written better. Pure. */
import type { Part } from "../checks/commandLine.ts"
import { type Ran, ranOf } from "./Subject.ts"

const baseOf = (word: string): string =>
  word
    .replace(/[\\/]+$/, "")
    .split(/[\\/]/)
    .at(-1) ?? word

interface Word {
  readonly text: string
  readonly weight: number
}

/** Options with a value count by both, other words by their last part: folders are what is often wrong. */
const wordsOf = ({ name, options, targets, task }: Ran): readonly Word[] => [
  { text: name, weight: 1 },
  ...task
    .split(" ")
    .filter((word) => word !== "")
    .map((text) => ({ text: baseOf(text) || text, weight: 1 })),
  ...targets.map((text) => ({ text: baseOf(text) || text, weight: 1 })),
  ...options.flatMap((option) => option.split(/[ =]/).map((text) => ({ text: baseOf(text), weight: 0.5 })))
]

const weightOf = (words: readonly Word[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

/** 0–1: how much of what was meant is there again, and how little besides. */
export const likeness = (failed: Ran, later: Ran): number => {
  const wanted = wordsOf(failed)
  const there = wordsOf(later).map(({ text }) => text)
  let shared = 0
  for (const { text, weight } of wanted) {
    const at = there.indexOf(text)
    if (at < 0) continue
    there.splice(at, 1)
    shared += weight
  }
  const own = shared / weightOf(wanted)
  const others = shared / weightOf(wordsOf(later))
  return 0.75 * own + 0.25 * others
}

const sameWords = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at])

/** Written the same, and run in the same place. */
export const isSameCall = (one: Ran, other: Ran): boolean =>
  one.name === other.name &&
  one.task === other.task &&
  one.folder === other.folder &&
  sameWords(one.targets, other.targets) &&
  sameWords([...one.options].sort(), [...other.options].sort())

export const best = (
  failed: Ran,
  parts: readonly Part[]
): { readonly ran: Ran; readonly like: number } | undefined =>
  parts
    .filter(({ role }) => role !== "say" && role !== "move")
    .map((part) => ({ ran: ranOf(part), like: likeness(failed, ranOf(part)) }))
    .reduce<{ ran: Ran; like: number } | undefined>(
      (top, one) => (top === undefined || one.like > top.like ? one : top),
      undefined
    )
