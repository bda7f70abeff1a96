/** What payloads told goes along with facts that are shipped: it is waited for, and not for ever. */
import { createHash } from "node:crypto"
import { mkdtempSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Recorded } from "../../../events/Recorded.ts"
import { dropFindings, openFindings, readFindings } from "../../../src/features/findings/catchUp.ts"
import { foundMoment } from "../../../src/features/metrics/foundMoments.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { hiding } from "../../../src/tools/shipping/hiding.ts"
import { shapeOf } from "../../../src/tools/shipping/shape.ts"
import { shippedSchema } from "../../../src/tools/shipping/shippedSchema.ts"
import { wholeOf } from "../../../src/tools/shipping/whole.ts"
import { workedIn } from "../../../src/tools/shipping/worked.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { edited, factOf, prompted, ran, type Told } from "../../support/toolCalls.ts"

const logged = Effect.fnUntraced(function* (file: string) {
  const log = yield* EventLog
  for (const [nth, told] of [prompted, ran("npm test", 1, "TypeError: x is not a function")]
    .flat()
    .entries()) {
    const data = factOf(told, "s")
    const stream = `invocation/i${nth}`
    const draft = draftOf(stream, {
      type: data.type,
      data,
      session: "s",
      agent: "claude-code",
      project: "/p"
    })
    yield* log.append(stream, "any", [draft])
  }
  const [first, ...others] = Chunk.toReadonlyArray(yield* Stream.runCollect(log.read()))
  return { file, facts: [first as Recorded, ...others] as const }
})

const onLog = <A, E>(
  work: (log: { file: string; facts: readonly [Recorded, ...Recorded[]] }) => Effect.Effect<A, E, EventLog>
) => {
  const file = join(mkdtempSync(join(homedir(), "worked-")), "log.sqlite")
  return Effect.flatMap(logged(file), work).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
}

const workOut = (file: string): void => {
  const steps = openFindings(file, { hide: hiding(Buffer.alloc(32, 7)), shippedBy: "ship/collector" })
  while (steps.step());
  steps.close()
}

const findingsIn = (facts: readonly Recorded[]): readonly boolean[] =>
  facts.map(({ data }) => (data as { findings?: unknown }).findings !== undefined)

describe("findings", () => {
  it.effect("are waited for, and go along with their facts", () =>
    onLog(({ facts, file }) =>
      Effect.gen(function* () {
        const worked = workedIn(file)
        expect(yield* worked(facts, 0)).toBeUndefined()
        workOut(file)
        const told = (yield* worked(facts, 0)) ?? []
        expect(findingsIn(told)).toEqual([true, true, true])
      })
    )
  )

  it.effect("of which none was worked out for five minutes are not waited for any more", () =>
    onLog(({ facts, file }) =>
      Effect.gen(function* () {
        const worked = workedIn(file)
        expect(yield* worked(facts, 0)).toBeUndefined()
        yield* TestClock.adjust("4 minutes")
        expect(yield* worked(facts, 0)).toBeUndefined()
        yield* TestClock.adjust("1 minute")
        expect(yield* worked(facts, 0)).toEqual(facts)
      })
    )
  )

  it.effect("that are larger than a collector takes stay, and their facts go without", () =>
    onLog(({ facts, file }) =>
      Effect.gen(function* () {
        workOut(file)
        const db = openPlainly(file)
        const large = JSON.stringify({ moments: Array.from({ length: 3000 }, () => ({ kind: "seen" })) })
        db.prepare("UPDATE findings SET found = ? WHERE position = 2").run(large)
        db.close()
        const told = (yield* workedIn(file)(facts, 0)) ?? []
        expect(findingsIn(told)).toEqual([true, false, true])
      })
    )
  )

  it.effect("of what was shipped long ago are kept no longer", () =>
    onLog(({ file }) =>
      Effect.sync(() => {
        workOut(file)
        const db = openPlainly(file)
        db.prepare(
          "INSERT OR REPLACE INTO checkpoints (name, position) VALUES ('ship/collector', 100003)"
        ).run()
        db.prepare("UPDATE checkpoints SET position = 2 WHERE name GLOB 'projection/findings/*'").run()
        db.close()
        workOut(file)
        const reader = readFindings(file)
        expect([...reader.between(0, 10).keys()]).toEqual([3])
        reader.close()
      })
    )
  )

  it.effect("that are too large for what was done go along without that", () =>
    onLog(({ facts, file }) =>
      Effect.gen(function* () {
        workOut(file)
        const db = openPlainly(file)
        const effects = Array.from({ length: 3000 }, (_, at) => ({ use: `toolu_${at}`, kind: "edit", at }))
        const gone = {
          chain: "c",
          sign: "gone",
          at: 1,
          use: "u",
          shown: "proved",
          grade: "A",
          isFlaky: false
        }
        const signs = [{ ...gone, effects: effects.map(({ at }) => at), fix: [2999] }]
        const large = JSON.stringify({ about: "a", effects, signs })
        db.prepare("UPDATE findings SET found = ? WHERE position = 2").run(large)
        db.close()
        const told = (yield* workedIn(file)(facts, 0)) ?? []
        expect(told[1]?.data).toMatchObject({ findings: { about: "a", signs: [gone] } })
        expect(JSON.stringify(told[1]?.data)).not.toContain("2999")
      })
    )
  )

  it("name nothing that is a person's own but as digests under the key of the installation", () => {
    const [name] = ["mcp__acme_payroll__fire"]
    const moment = {
      kind: "call-ended",
      use: "t1",
      name,
      tool: "mcp",
      told: "ok",
      verdict: "pass",
      edits: [{ path: "/p/secret-plan.ts", added: [1], removed: [] }]
    } as const
    const found = [1, 2].map((nth) => JSON.stringify(foundMoment(moment, hiding(Buffer.alloc(32, nth)))))
    expect(new Set(found).size).toBe(2)
    const plain = [
      "acme",
      "secret-plan",
      createHash("sha256")
        .update(name as string)
        .digest("hex")
        .slice(0, 12)
    ]
    for (const one of found) for (const text of plain) expect(one).not.toContain(text)
    expect(
      foundMoment({ ...moment, name: "Bash", tool: "shell" }, hiding(Buffer.alloc(32, 1)))
    ).toMatchObject({
      name: "Bash"
    })
  })

  it("with a time that no date has are sent nowhere, and taken nowhere", () => {
    const findings = { signs: [{ chain: "c", sign: "left", at: 1e300 }] }
    expect(shapeOf("PAYLOAD_BUFFERED", { findings })).toEqual({
      findings: { signs: [{ chain: "c", sign: "left" }] }
    })
    expect(Either.isLeft(shippedSchema("PAYLOAD_BUFFERED")?.({ findings }) ?? Either.right(0))).toBe(true)
  })

  it.effect("cost the same however much was done since a problem was seen", () =>
    onLog(({ file }) =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const add = (told: Told, nth: string) => {
          const data = factOf(told, "s")
          const marks = { session: "s", agent: "claude-code", project: "/p" } as const
          return log.append(`invocation/${nth}`, "any", [
            draftOf(`invocation/${nth}`, { type: data.type, data, ...marks })
          ])
        }
        const lines = Array.from({ length: 40 }, (_, nth) => `const name${nth} = some.thing(${nth})`)
        /** Bytes that working out one more call writes. */
        const written = (nth: number) =>
          Effect.gen(function* () {
            workOut(file)
            const db = openPlainly(file)
            db.pragma("wal_checkpoint(TRUNCATE)")
            for (const [at, told] of edited(`/p/last${nth}.ts`, lines.join("\n")).entries())
              yield* add(told, `last${nth}-${at}`)
            db.pragma("wal_checkpoint(TRUNCATE)")
            workOut(file)
            const { size } = statSync(`${file}-wal`)
            db.close()
            return size
          })
        const first = yield* written(0)
        for (let nth = 0; nth < 150; nth++)
          for (const [at, told] of edited(`/p/f${nth}.ts`, lines.join("\n")).entries())
            yield* add(told, `e${nth}-${at}`)
        expect(yield* written(1)).toBeLessThan(2 * first)
      })
    )
  )

  it.effect("stay where facts went for their age, and go with those of which they are", () =>
    onLog(({ file }) =>
      Effect.gen(function* () {
        workOut(file)
        const log = yield* EventLog
        const kept = () => {
          const reader = readFindings(file)
          const found = [...reader.between(0, 100).keys()]
          reader.close()
          return found
        }
        const asTold = (found: string) => {
          const db = openPlainly(file)
          db.prepare("UPDATE findings SET found = ? WHERE position = 3").run(found)
          db.close()
        }
        // So that what was made anew is known from what stayed.
        asTold('{"about":"as it was"}')
        yield* log.forget(["invocation/i0"])
        yield* log.append("operator/log", "any", [
          draftOf("operator/log", {
            type: "LOG_TRUNCATED",
            data: { type: "LOG_TRUNCATED", reason: "age", before: 2, invocations: 1 }
          })
        ])
        workOut(file)
        expect(kept()).toEqual([2, 3])
        const reader = readFindings(file)
        expect(reader.between(2, 3).get(3)).toEqual({ about: "as it was" })
        reader.close()
        yield* log.forget(["invocation/i1", "invocation/i2"])
        yield* log.append("operator/log", "any", [
          draftOf("operator/log", {
            type: "LOG_TRUNCATED",
            data: { type: "LOG_TRUNCATED", reason: "age", before: 4, invocations: 2 }
          })
        ])
        workOut(file)
        const db = openPlainly(file)
        const left = db.prepare(
          "SELECT (SELECT count(*) FROM findings) + (SELECT count(*) FROM findings_sessions) + (SELECT count(*) FROM findings_chains) AS rows"
        )
        expect(left.get()).toEqual({ rows: 0 })
        db.close()
      })
    )
  )

  it.effect("are gone with what was forgotten, and worked out once more", () =>
    onLog(({ file }) =>
      Effect.sync(() => {
        workOut(file)
        dropFindings(file)
        const reader = readFindings(file)
        expect(reader.reached()).toBeUndefined()
        expect(reader.between(0, 10).size).toBe(0)
        reader.close()
        workOut(file)
        const again = readFindings(file)
        expect(again.between(0, 10).size).toBe(3)
        again.close()
      })
    )
  )
})

describe("a fact as a whole", () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) })
  it.each([
    ["as it is", { type: "NOTE", text: "plain" }, true],
    ["too large", { type: "NOTE", text: "x".repeat(65_536) }, false],
    ["too deep", { type: "NOTE", deep: deep(200) }, false],
    ["with what no database keeps", { type: "NOTE", text: "a\u0000b" }, false],
    ["with half of a pair", { type: "NOTE", text: "a\ud800b" }, false]
  ])("%s", (_, data, fits) => {
    expect(wholeOf({ data: data as never }) !== undefined).toBe(fits)
  })

  it("has its findings beside it", () => {
    const data = { type: "PAYLOAD_BUFFERED", bytes: 1, findings: { about: "a" } }
    expect(wholeOf({ data: data as never })).toEqual({ type: "PAYLOAD_BUFFERED", bytes: 1 })
  })

  it("is redacted once more", () => {
    const token = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    expect(JSON.stringify(wholeOf({ data: { type: "NOTE", text: token } as never }))).not.toContain(token)
  })
})
