/** What follows from the log is made anew where it is damaged, and another writer is no damage. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { askChains, openChains } from "../../../src/features/chains/catchUp.ts"
import { listChains } from "../../../src/features/chains/find.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { openHostServices } from "../../../src/programs/host/hostServices.ts"
import { projectionService } from "../../../src/programs/host/projectionService.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const failed = (id: string, message: string) => ({
  type: "PAYLOAD_BUFFERED",
  bytes: 2,
  payload: "{}",
  session: "s",
  toolUseId: null,
  tool: { kind: "shell", name: "Bash", command: `make ${id}`, ok: false, input: {} },
  events: [
    { event: "tool.failure", data: {} },
    { event: "error.observed", data: { signature: message.toLowerCase(), message, tool: "Bash" } }
  ]
})

const log = (file: string, id: string, message: string): Promise<void> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { append } = yield* EventLog
      const stream = `invocation/${id}`
      const data = failed(id, message)
      yield* append(stream, "any", [draftOf(stream, { type: data.type, data, session: "s", project: "/p" })])
    }).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )

const logged = async (): Promise<string> => {
  const file = join(mkdtempSync(join(homedir(), "damage-")), "log.sqlite")
  await log(file, "a", "Cannot find the file")
  return file
}

const change = (file: string, sql: string): void => {
  const db = openPlainly(file)
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

const chainsIn = (file: string) =>
  askChains(file, (db) => listChains(db, {}, 10)).map(({ problem }) => problem.message)

describe("tables that follow from the log", () => {
  it.each([
    ["a column that was renamed", "ALTER TABLE chains RENAME COLUMN moved TO x"],
    ["a table that is gone", "DROP TABLE chains"],
    ["a part that is gone", "DROP TABLE IF EXISTS chains_text"],
    ["content that is no JSON", "UPDATE chains SET chain = '{'"]
  ])("are made anew after %s", async (_, damage) => {
    const file = await logged()
    expect(chainsIn(file)).toEqual(["Cannot find the file"])
    change(file, damage)
    expect(chainsIn(file)).toEqual(["Cannot find the file"])
    change(file, damage)
    // As a host does it, which asks nothing: there has to be something to do.
    await log(file, "b", "Cannot find it either")
    const steps = openChains(file)
    while (steps.step());
    steps.close()
    const db = openPlainly(file, { readonly: true })
    expect(db.prepare("SELECT message FROM chains ORDER BY position").all()).toEqual([
      { message: "Cannot find the file" },
      { message: "Cannot find it either" }
    ])
    db.close()
  })

  it("are not off because somebody else writes", async () => {
    const file = await logged()
    const notes: string[] = []
    const part = projectionService({
      name: "chains",
      open: (most) => openChains(file, { most, busyMs: 1 }),
      everyMs: 0
    })
    const other = openPlainly(file)
    other.exec("BEGIN IMMEDIATE")
    const parts = openHostServices([part], { isIdle: () => true, note: (problem) => notes.push(problem) })
    parts.tick()
    expect(parts.states()).toEqual({ chains: "ready" })
    other.exec("COMMIT")
    other.close()
    parts.tick()
    const db = openPlainly(file, { readonly: true })
    expect(db.prepare("SELECT count(*) AS n FROM chains").all()).toEqual([{ n: 1 }])
    db.close()
    parts.end()
    expect(notes).toEqual([])
  })
})

describe("tables that follow from a log which another process writes all the while", () => {
  const whileWritten = <A>(file: string, work: () => A): A => {
    const other = openPlainly(file)
    other.exec("BEGIN IMMEDIATE")
    try {
      return work()
    } finally {
      other.exec("ROLLBACK")
      other.close()
    }
  }

  it("are asked as they are, and are done with where they are up to date", async () => {
    const file = await logged()
    expect(chainsIn(file)).toEqual(["Cannot find the file"])
    whileWritten(file, () => {
      const steps = openChains(file, { busyMs: 0 })
      expect(steps.step()).toBe(false)
      steps.close()
    })
    await log(file, "b", "Cannot find it either")
    expect(whileWritten(file, () => chainsIn(file))).toEqual(["Cannot find the file"])
    expect(chainsIn(file)).toHaveLength(2)
  })

  it("are no empty ones where they were not made yet", async () => {
    const file = await logged()
    expect(() => whileWritten(file, () => chainsIn(file))).toThrow("locked")
  })
})
