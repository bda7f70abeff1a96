/** What was thrown, with the lines of its author's source that ran. */
import { readFileSync, statSync } from "node:fs"
import { type Frame, sourceFrames } from "../../timeline/sourceStack.ts"
import type { CallError, StackFrame } from "../contract/call.ts"

const around = 3

/** The text that was built, else that of a file which nobody touched since: what stands there now may be other lines. */
const textOf = ({ file, text }: NonNullable<Frame["source"]>, ranAt: number): string | undefined => {
  if (text !== undefined) return text
  try {
    const { ctimeMs, mtimeMs } = statSync(file)
    return Math.max(ctimeMs, mtimeMs) < ranAt ? readFileSync(file, "utf8") : undefined
  } catch {
    return undefined
  }
}

const sourceAt = (source: NonNullable<Frame["source"]>, ranAt: number): StackFrame["source"] => {
  const lines = textOf(source, ranAt)?.split("\n")
  const hit = source.line
  if (lines?.[hit - 1] === undefined) return undefined
  const first = Math.max(1, hit - around)
  return { first, hit, lines: lines.slice(first - 1, hit + around) }
}

const maxFrames = 30

const stackOf = (stack: string | undefined, ranAt: number): readonly StackFrame[] =>
  sourceFrames(stack ?? "")
    .slice(0, maxFrames)
    .map(({ isAuthors, source: place, text }) => {
      const source = place === undefined ? undefined : sourceAt(place, ranAt)
      return { text, isAuthors, ...(source === undefined ? {} : { source }) }
    })

interface Thrown {
  readonly name: string
  readonly message: string
  readonly stack?: string
}

/** `ranAt`: when it threw. */
export const errorOf = ({ message, name, stack }: Thrown, ranAt: number): CallError => ({
  name,
  message,
  stack: stackOf(stack, ranAt)
})
