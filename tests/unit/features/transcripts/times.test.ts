/** Times that no transcript can tell of: what is said to have happened then is passed over and counted, and stands on no day. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { claudeCodeTranscript } from "../../../../src/agents/claude-code/transcript.ts"
import { geminiCliTranscript } from "../../../../src/agents/gemini-cli/transcript.ts"
import type { Seen, TranscriptFormat } from "../../../../src/agents/transcripts/Transcript.ts"
import { readTranscript } from "../../../../src/features/transcripts/readFile.ts"

const now = Date.UTC(2026, 0, 6)

const read = (format: TranscriptFormat, rows: readonly object[]) => {
  const file = join(mkdtempSync(join(homedir(), "times-")), "session.jsonl")
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const unknown = new Map<string, number>()
  const seen: Seen[] = []
  const reading = readTranscript({
    ...{ file, format, from: 0, isOver: true, now },
    unknown: (kind) => void unknown.set(kind, (unknown.get(kind) ?? 0) + 1)
  })
  for (let step = reading.next(); step.done !== true; step = reading.next()) seen.push(...step.value.seen)
  return { seen, passed: unknown.get("time that cannot be") }
}

const said = (timestamp: unknown, nth: number) => ({
  ...{ type: "user", uuid: `u${nth}`, sessionId: "s", cwd: "/p", timestamp },
  message: { role: "user", content: `prompt ${nth}` }
})

it.each([
  ["the last that a date has", "+275760-09-13T00:00:00.000Z"],
  ["one before Christ", "-000044-03-15T12:00:00.000Z"],
  ["no date at all", 1e300],
  ["one before any agent", "1970-01-01T00:00:01.000Z"],
  ["one that is still to come", "2026-01-08T00:00:00.000Z"]
])("%s", (_, time) => {
  const { passed, seen } = read(claudeCodeTranscript, [said("2026-01-05T10:00:00Z", 1), said(time, 2)])
  expect(seen.map(({ at }) => at)).toEqual([Date.UTC(2026, 0, 5, 10)])
  expect(passed).toBe(1)
})

it("a clock that is some hours ahead is believed", () => {
  const { passed, seen } = read(claudeCodeTranscript, [said("2026-01-06T05:00:00Z", 1)])
  expect(seen).toHaveLength(1)
  expect(passed).toBeUndefined()
})

it("the end of a call that has one is left out, and the call stays", () => {
  const call = {
    ...{ id: "c1", name: "read_file", args: { file_path: "/p/a" }, status: "success" },
    ...{ timestamp: "+275760-09-13T00:00:00.000Z", result: [] }
  }
  const row = { type: "gemini", id: "m1", timestamp: "2026-01-05T10:00:00Z", content: "", toolCalls: [call] }
  const head = { sessionId: "s", projectHash: "h", startTime: "2026-01-05T09:59:00Z", kind: "main" }
  const { passed, seen } = read(geminiCliTranscript, [head, row])
  const [called] = seen.filter(({ fact }) => fact.type === "TOOL_CALL_OBSERVED")
  expect(called?.fact).not.toHaveProperty("ended")
  expect(called?.at).toBe(Date.UTC(2026, 0, 5, 10))
  expect(passed).toBe(1)
})
