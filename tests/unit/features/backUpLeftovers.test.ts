/** Copies of sessions that were left half done: the next one is made all the same, and old halves go. */
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { backUp, backupName, backupsFolder } from "../../../src/features/memory/backUp.ts"
import { openState } from "../../../src/state/state.ts"

it("a copy is made beside halves that others left, of which the old ones go", async () => {
  const home = mkdtempSync(join(homedir(), "halves-"))
  const state = join(home, "state")
  openState(state)
  const transcript = join(home, "t.jsonl")
  writeFileSync(transcript, '{"type":"user"}\n')
  const name = backupName("s", transcript)
  const folder = backupsFolder(state)
  const halves = [`${name}.${process.pid}.tmp`, `${name}.new.tmp`, `${name}.old.tmp`]
  for (const half of halves) writeFileSync(join(folder, half), "")
  const now = Date.now()
  utimesSync(join(folder, `${name}.old.tmp`), now / 1000 - 7200, now / 1000 - 7200)
  const wanted = { state, session: "s", transcript, mostBytes: 1000, mostSessions: 1, mostDays: 1 }
  expect(await backUp(wanted, now)).toMatchObject({ bytes: 16, removed: 0 })
  expect(readdirSync(folder).sort()).toEqual([name, ...halves.slice(0, 2)].sort())
})
