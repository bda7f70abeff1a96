/** A call that hooktape did not let run, or asked about, is no failure that nobody ended. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { askChains } from "../../../src/features/chains/catchUp.ts"
import { listChains } from "../../../src/features/chains/find.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { factsOf, type Step, story } from "../../support/chainStories.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { begun, denied, type Happening, ran } from "../../support/toolCalls.ts"

const push = "git push --force"
const families = (...steps: readonly Step[]) => story(...steps).map(({ problem }) => problem.family)

const asked = (command: string): Happening => {
  const [before] = begun(command)
  const { tool_use_id: _, ...payload } = before?.payload ?? {}
  return [
    { event: "PreToolUse", payload },
    { event: "PermissionRequest", payload }
  ]
}

describe("a call without an end that is made again", () => {
  it("did not end, where nobody said no to it", () => {
    expect(families(begun(push), begun(push))).toEqual(["unended"])
    expect(families(begun(push, "allow"), begun(push))).toEqual(["unended"])
  })

  it("is no problem where a hook said no, or asked, however often and whatever follows", () => {
    for (const reply of ["block", "ask"] as const) {
      expect(families(begun(push, reply), begun(push, reply), begun(push, reply)), reply).toEqual([])
      expect(families(begun(push, reply), ran("ls", 0), begun(push)), reply).toEqual([])
    }
    expect(families(begun(push, "block"), begun(push), begun(push))).toEqual(["unended"])
  })

  it("is none where the agent asked, whether it names its calls or not", () => {
    expect(families(asked(push), asked(push))).toEqual([])
  })

  it("that was asked about shows what it shows, once it ran", () => {
    const [before] = begun("npm test", "ask", "t1")
    const [, end] = ran("npm test", 1, "Error: connect ECONNREFUSED 127.0.0.1:1", { id: "t1" })
    expect(families([before, end] as Happening)).toEqual(["remote"])
  })

  it("is the denied one that the agent tells of", () => {
    const [before, batch] = denied("Bash", { command: push }, "not by force")
    expect(families([{ ...before, reply: "block" }, batch] as Happening, begun(push))).toEqual(["denied"])
  })

  it("is no problem in the tables either, nor where they are made anew", async () => {
    const file = join(mkdtempSync(join(homedir(), "held-")), "log.sqlite")
    await Effect.gen(function* () {
      const log = yield* EventLog
      const steps = [begun(push, "block"), begun(push, "ask"), begun("ls"), begun("ls")]
      for (const { data, position: _, stream, ...place } of factsOf(steps)) {
        yield* log.append(stream, "any", [draftOf(stream, { type: data.type, data, ...place })])
        askChains(file, (db) => listChains(db, {}, -1))
      }
    }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)
    const found = () => askChains(file, (db) => listChains(db, {}, -1)).map(({ context }) => context.command)
    expect(found()).toEqual(["ls"])
    const db = openPlainly(file)
    db.exec("DELETE FROM checkpoints WHERE name GLOB 'projection/chains/*'")
    db.close()
    expect(found()).toEqual(["ls"])
  })
})
