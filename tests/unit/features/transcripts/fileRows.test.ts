/** Rows of a file that no line ends: only so much of it is looked at. */
import { mkdtempSync, truncateSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { codexTranscript } from "../../../../src/agents/codex/transcript.ts"
import { fileRows, type RowProblem } from "../../../../src/features/transcripts/fileRows.ts"
import { formatOfFile } from "../../../../src/features/transcripts/formats.ts"
import { readTranscript } from "../../../../src/features/transcripts/readFile.ts"

const megabyte = 1_048_576
/** Read to its end it would take hours. */
const terabyte = 1024 * 1024 * megabyte

const fileOf = (text: string): string => {
  const file = join(mkdtempSync(join(homedir(), "rows-")), "rollout-1.jsonl")
  writeFileSync(file, text)
  return file
}

const first = `${JSON.stringify({ timestamp: "2026-01-05T10:00:00Z", type: "session_meta", payload: { id: "s1", cwd: "/p" } })}\n`

describe("a file's rows", () => {
  it("are looked for no further than asked, though a line goes on", () => {
    const file = fileOf(`{"a":1}\n"${"x".repeat(3 * megabyte)}"\n{"b":2}\n`)
    const rows = [...fileRows(file, 0, () => {}, { to: megabyte, mostAtOnce: 65_536 })]
    expect(rows).toEqual([{ row: { a: 1 }, offset: 0, end: 8 }])
  })

  it("are read to the last one where the file ends at the bound, newline or not", () => {
    const text = '{"a":1}\n{"b":2}'
    const rows = (to: number) => [...fileRows(fileOf(text), 0, () => {}, { to })].map(({ row }) => row)
    expect(rows(text.length)).toEqual([{ a: 1 }, { b: 2 }])
    expect(
      [...fileRows(fileOf(`${text}\n`), 0, () => {}, { to: text.length, mostAtOnce: text.length })].map(
        ({ row }) => row
      )
    ).toEqual([{ a: 1 }])
  })

  it("are found behind one that is too long, which is told with how far it was read", () => {
    const file = fileOf(`{"a":1}\n"${"x".repeat(17 * megabyte)}"\n{"b":2}\n`)
    const problems: RowProblem[] = []
    const rows = [...fileRows(file, 0, (one) => problems.push(one))]
    expect(rows.map(({ row }) => row)).toEqual([{ a: 1 }, { b: 2 }])
    expect(problems).toEqual([{ kind: "too long", offset: 8, read: 17 * megabyte }])
  })
})

describe("a transcript that has no end of a line for a terabyte", () => {
  const file = fileOf(first)
  truncateSync(file, terabyte)
  const read = (from: number) => {
    const reading = readTranscript({
      format: codexTranscript,
      file,
      from,
      to: from + 32 * megabyte,
      isOver: false,
      now: Date.UTC(2026, 0, 6),
      unknown: () => {}
    })
    for (let step = reading.next(); ; step = reading.next()) if (step.done === true) return step.value
  }

  it("is known by its head", () => {
    expect(formatOfFile(file)?.agent).toBe("codex")
  })

  it("is read in parts, each from where the one before was left", () => {
    const { bytes } = read(first.length)
    expect(bytes).toBeGreaterThan(first.length)
    expect(bytes).toBeLessThanOrEqual(first.length + 33 * megabyte)
    expect(read(bytes).bytes).toBeGreaterThan(bytes)
  })

  it("is read from near its end without what stands before", () => {
    expect(read(terabyte - 2 * megabyte).rows).toBe(0)
  })
})
