/** What doctor says of transcripts that an agent is about to delete, and of the room that facts of transcripts have. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type TranscriptFile, transcriptsAt } from "../../../src/features/transcripts/findFiles.ts"
import { checkTranscripts, cleanupDays, endangered } from "../../../src/programs/cli/doctor/transcripts.ts"

const day = 86_400_000
const now = 100 * day
const file = (age: number): TranscriptFile => ({
  path: `/t/${age}.jsonl`,
  format: {} as TranscriptFile["format"],
  bytes: 1,
  written: now - age * day
})

const placed = (settings: Readonly<Record<string, unknown>>) => {
  const home = mkdtempSync(join(homedir(), "doctor-"))
  const project = join(home, "project")
  for (const [at, content] of Object.entries(settings)) {
    const folder = join(home, at, ".claude")
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, "settings.json"),
      typeof content === "string" ? content : JSON.stringify(content)
    )
  }
  return { home, project, env: {} }
}

describe("what a person names as a transcript", () => {
  it.each([
    ["/nowhere/at/all.jsonl", "/nowhere/at/all.jsonl is not there"],
    ["/dev/zero", "/dev/zero is neither a file nor a folder"]
  ])("is not read where it cannot be one: %s", (path, problem) => {
    expect(transcriptsAt([path], undefined)).toEqual({ files: [], problems: [problem] })
  })
})

describe("transcripts that an agent is about to delete", () => {
  it("are those that are gone within a week", () => {
    const files = [1, 22, 24, 31].map(file)
    expect(endangered(files, 30, now)).toEqual([file(24), file(31)])
    expect(endangered(files, 90, now)).toEqual([])
    // Kept for a week only, one that was just written is no reason to warn.
    expect(endangered([file(0), file(3), file(5)], 7, now)).toEqual([file(5)])
  })

  it("are deleted after as many days as the settings say, those of the project before the user's", () => {
    expect(cleanupDays(placed({}))).toBe(30)
    expect(cleanupDays(placed({ "": { cleanupPeriodDays: 365 } }))).toBe(365)
    expect(cleanupDays(placed({ "": { cleanupPeriodDays: 365 }, project: { cleanupPeriodDays: 5 } }))).toBe(5)
    expect(cleanupDays(placed({ "": "no JSON", project: { cleanupPeriodDays: "9" } }))).toBe(30)
  })

  it("are warned of as long as they are not imported", () => {
    expect(checkTranscripts([], 30, undefined)).toEqual([])
    expect(checkTranscripts([file(24)], 30, undefined)).toMatchObject([
      { status: "warn", message: expect.stringContaining("1 transcript within 7 days that is not imported") }
    ])
  })

  it("leave room of a size of their own, which is shown", () => {
    const [check] = checkTranscripts([], 30, { recorded: 5, imported: 2048, sessions: 3 })
    expect(check).toMatchObject({ status: "ok", name: "imports" })
    expect(check?.message).toContain("3 sessions with facts of transcripts, 2.0 KiB of at most 1907.3 MiB")
  })
})
