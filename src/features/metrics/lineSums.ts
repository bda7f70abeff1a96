/** The lines that an edit puts in and takes out, each as a number. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { isObject } from "../../agents/shape.ts"
import { patchedFiles, stringAt } from "../../agents/toolCall.ts"
import type { Edited } from "./Moment.ts"

/** Of one file in one edit: more lines are counted as if they ended here. */
const maxLines = 2000

/** FNV-1a, 32 bits: enough to know a line again in its file. */
const sumOf = (line: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < line.length; at++) sum = Math.imul(sum ^ line.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** Blank lines and lone brackets stand everywhere: they say nothing of what was written again. */
const sumsOf = (lines: readonly string[]): readonly number[] =>
  lines
    .map((line) => line.trim())
    .filter((line) => /[\p{Letter}\p{Number}]/u.test(line))
    .slice(0, maxLines)
    .map(sumOf)

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.split("\n"))

/** What is in one list and not in the other, each line as often as it is there more often. */
const without = (these: readonly number[], those: readonly number[]): readonly number[] => {
  const left = new Map<number, number>()
  for (const sum of those) left.set(sum, (left.get(sum) ?? 0) + 1)
  return these.filter((sum) => {
    const count = left.get(sum) ?? 0
    if (count > 0) left.set(sum, count - 1)
    return count === 0
  })
}

/** Lines that only move count as neither. */
const difference = (path: string, before: readonly string[], after: readonly string[]): Edited => {
  const old = sumsOf(before)
  const now = sumsOf(after)
  return { path, added: without(now, old), removed: without(old, now) }
}

const marked = (lines: readonly string[], mark: "+" | "-"): readonly string[] =>
  lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1))

const ofDiffLines = (path: string, lines: readonly string[]): Edited =>
  difference(path, marked(lines, "-"), marked(lines, "+"))

/** Claude Code says what became of the file: hunks with lines that begin with a sign. */
const structuredLines = (response: Json | undefined): readonly string[] | undefined => {
  if (!isObject(response) || !Array.isArray(response["structuredPatch"])) return undefined
  return response["structuredPatch"].flatMap((hunk: Json) =>
    isObject(hunk) && Array.isArray(hunk["lines"])
      ? hunk["lines"].filter((line): line is string => typeof line === "string")
      : []
  )
}

const fileDiffOf = (response: Json | undefined): string | undefined => {
  const display = isObject(response) ? (response["resultDisplay"] ?? response["returnDisplay"]) : undefined
  return stringAt(display, "fileDiff") ?? stringAt(response, "fileDiff")
}

const ofPatch = (patch: string): readonly Edited[] => {
  const files = patchedFiles(patch)
  const parts = patch.split(/^\*\*\* (?:Add|Update|Delete) File: .*$/m).slice(1)
  return files.map(({ path }, nth) => ofDiffLines(path, linesOf(parts[nth] ?? "")))
}

const editsIn = (input: Json): readonly (readonly [before: string, after: string])[] => {
  const one = (value: Json): readonly (readonly [string, string])[] => {
    const after = stringAt(value, "new_string")
    return after === undefined ? [] : [[stringAt(value, "old_string") ?? "", after]]
  }
  if (!isObject(input)) return []
  return Array.isArray(input["edits"]) ? input["edits"].flatMap(one) : one(input)
}

/** The text of a patch, wherever an agent puts it. */
const patchIn = ({ command, input }: Tool): string | undefined =>
  [command, stringAt(input, "patch"), stringAt(input, "input"), stringAt(input, "command")].find((text) =>
    text?.includes("*** Begin Patch")
  )

/** Of an edit that succeeded; empty where the call does not tell. */
export const lineSums = (tool: Tool): readonly Edited[] => {
  const patch = patchIn(tool)
  if (patch !== undefined) return ofPatch(patch)
  const path = tool.path ?? tool.paths?.[0]
  if (tool.kind !== "edit" || path === undefined) return []
  const structured = structuredLines(tool.response)
  if (structured !== undefined && structured.length > 0) return [ofDiffLines(path, structured)]
  const diff = fileDiffOf(tool.response)
  if (diff !== undefined)
    return [
      ofDiffLines(
        path,
        linesOf(diff).filter((line) => !/^(?:\+\+\+|---) /.test(line))
      )
    ]
  const edits = editsIn(tool.input)
  if (edits.length > 0)
    return [
      difference(
        path,
        edits.flatMap(([before]) => linesOf(before)),
        edits.flatMap(([, after]) => linesOf(after))
      )
    ]
  const content = stringAt(tool.input, "content")
  return content === undefined ? [] : [difference(path, [], linesOf(content))]
}
