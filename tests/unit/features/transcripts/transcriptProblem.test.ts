/** Which files are read as the transcript that an agent names. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { transcriptProblem } from "../../../../src/features/transcripts/transcriptProblem.ts"

const folder = mkdtempSync(join(homedir(), "transcript-"))
const file = join(folder, "session.jsonl")
writeFileSync(file, "{}\n")
writeFileSync(join(folder, "empty.jsonl"), "")
mkdirSync(join(folder, "folder"))
symlinkSync(file, join(folder, "link"))

it.each([
  ["a plain file", file, undefined],
  ["nothing", "", "the agent names no transcript"],
  ["a relative path", "session.jsonl", "the agent names no transcript"],
  ["a name that no file can have", `${file}\0`, "there is no transcript at this place"],
  ["a name that is too long", `/${"x".repeat(5000)}`, "there is no transcript at this place"],
  ["a file that is not there", join(folder, "gone"), "there is no transcript at this place"],
  ["a path through a file", join(file, "x"), "there is no transcript at this place"],
  ["a folder", join(folder, "folder"), "the transcript is not a plain file"],
  ["a link", join(folder, "link"), "the transcript is not a plain file"],
  ["an empty file", join(folder, "empty.jsonl"), "the transcript is empty"]
])("%s", (_, path, problem) => {
  expect(transcriptProblem(path)).toBe(problem)
})
