/** The count of calls that nobody handled: kept in a file, judged by the machine, told on the log. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { BreakerFact } from "../../../events/facts.ts"
import { uuidv7 } from "../../../events/ids.ts"
import { breaker } from "../../../machines/breaker.ts"
import { evolve, start, stateOf } from "../../../machines/step.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { ingest } from "../../../src/log/spool/ingest.ts"
import {
  countUnreachable,
  currentUnreachable,
  endUnreachable,
  failLoudThreshold
} from "../../../src/log/spool/unreachable.ts"
import { seed } from "../../support/arbitrary.ts"

const makeState = (): string => {
  const state = mkdtempSync(join(homedir(), "unreachable-"))
  for (const part of ["run", "spool"]) mkdirSync(join(state, part), { mode: 0o700 })
  return state
}

const who = (at: number): string => uuidv7(1_700_000_000_000 + at, new Uint8Array(10).fill(at))

const facts = Effect.gen(function* () {
  const log = yield* EventLog
  const all = yield* Stream.runCollect(log.read({ stream: "breaker/hooks" }))
  return [...all].map(({ data, at }) => ({ ...(data as BreakerFact), at }))
})

const onLog = <A>(effect: Effect.Effect<A, unknown, EventLog>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, layerMemory()))

describe("the threshold", () => {
  it.each<readonly [string | undefined, number]>([
    [undefined, 3],
    ["1", 1],
    ["007", 7],
    ["999999999", 999_999_999],
    ...["", "0", "-1", "+2", "2.5", "2x", " 2", "1e3", "9999999999", "three"].map(
      (text) => [text, 3] as const
    )
  ])("of %j is %d", (text, threshold) => {
    expect(failLoudThreshold(text === undefined ? {} : { HOOKTAPE_FAIL_LOUD_THRESHOLD: text })).toBe(
      threshold
    )
  })
})

describe("the count", () => {
  it("goes up with every call that nobody handled and ends with one that somebody did", () => {
    const state = makeState()
    expect([1, 2, 3].map((at) => countUnreachable(state, who(at), "no-host", 3))).toEqual([1, 2, 3])
    endUnreachable(state, who(4))
    expect(countUnreachable(state, who(5), "no-host", 3)).toBe(1)
    expect(readdirSync(join(state, "spool"))).toEqual([`${who(4)}.unreachable`])
  })

  it("costs nothing where nothing was counted", () => {
    const state = makeState()
    endUnreachable(state, who(1))
    expect(readdirSync(join(state, "spool"))).toEqual([])
  })

  it("ends also where it cannot be kept for the log", () => {
    const state = makeState()
    countUnreachable(state, who(1), "no-host", 3)
    renameSync(join(state, "spool"), join(state, "elsewhere"))
    endUnreachable(state, who(2))
    expect(currentUnreachable(state)).toEqual([])
  })

  it.each<readonly [string, (state: string) => void]>([
    ["is gone", (state) => renameSync(join(state, "run"), join(state, "elsewhere"))],
    ["others can write to", (state) => chmodSync(join(state, "run"), 0o777)],
    [
      "is a link",
      (state) => {
        renameSync(join(state, "run"), join(state, "elsewhere"))
        symlinkSync(join(state, "elsewhere"), join(state, "run"))
      }
    ],
    ["holds something else under that name", (state) => mkdirSync(join(state, "run", "unreachable"))],
    [
      "leads elsewhere under that name",
      (state) => {
        writeFileSync(join(state, "target"), "")
        symlinkSync(join(state, "target"), join(state, "run", "unreachable"))
      }
    ]
  ])("is not kept in a directory that %s", (_, spoil) => {
    const state = makeState()
    spoil(state)
    expect(countUnreachable(state, who(1), "no-host", 1)).toBeUndefined()
    if (existsSync(join(state, "target"))) expect(readFileSync(join(state, "target"), "utf8")).toBe("")
  })
})

describe("on the log", () => {
  it("each call is told once, with its reason, and then that somebody was reached", async () => {
    const state = makeState()
    const taken = await onLog(
      Effect.gen(function* () {
        countUnreachable(state, who(1), "no-host", 3)
        yield* ingest(state, "here")
        countUnreachable(state, "1700000000.4711", "no-runtime", 2)
        writeFileSync(join(state, "run", "unreachable"), "torn", { flag: "a" })
        yield* ingest(state, "here")
        endUnreachable(state, who(3))
        yield* ingest(state, "here")
        yield* ingest(state, "here")
        countUnreachable(state, who(4), "no-entrypoint", 3)
        yield* ingest(state, "here")
        return yield* facts
      })
    )
    expect(taken).toEqual([
      {
        type: "HOST_UNREACHABLE",
        threshold: 3,
        detail: "no host answered, and the entrypoint is switched off",
        at: 1_700_000_000_001
      },
      {
        type: "HOST_UNREACHABLE",
        threshold: 2,
        detail: "Node or the loader is gone",
        at: 1_700_000_000_000
      },
      { type: "HOST_REACHED", at: 1_700_000_000_003 },
      {
        type: "HOST_UNREACHABLE",
        threshold: 3,
        detail: "no host answered, and the entrypoint could not be started",
        at: 1_700_000_000_004
      }
    ])
    expect(readdirSync(join(state, "spool"))).toEqual([])
  })

  it("a file that is none of ours stays where it is", async () => {
    const state = makeState()
    const foreign = ["note.unreachable", `${who(1)}.unreachable.txt`]
    for (const name of foreign) writeFileSync(join(state, "spool", name), "x")
    symlinkSync(join(state, "spool", "note.unreachable"), join(state, "spool", `${who(2)}.unreachable`))
    const taken = await onLog(Effect.zipRight(ingest(state, "here"), facts))
    expect(taken).toEqual([])
    expect(readdirSync(join(state, "spool"))).toHaveLength(3)
  })

  it("the machine is loud exactly where the count was", async () => {
    const calls = FastCheck.array(FastCheck.constantFrom<number | "reached">("reached", 1, 2, 3, 5), {
      maxLength: 20
    })
    await FastCheck.assert(
      FastCheck.asyncProperty(
        calls,
        FastCheck.infiniteStream(FastCheck.boolean()),
        async (sequence, looks) => {
          const state = makeState()
          const said: string[] = []
          const told = await onLog(
            Effect.gen(function* () {
              for (const [at, call] of sequence.entries()) {
                if (call === "reached") endUnreachable(state, who(at))
                else {
                  const count = countUnreachable(state, who(at), "no-host", call) ?? 0
                  said.push(count >= call ? `loud ${count}` : "silent")
                }
                if (looks.next().value) yield* ingest(state, "here")
              }
              yield* ingest(state, "here")
              return yield* facts
            })
          )
          let { snapshot } = start(breaker)
          const decided: string[] = []
          for (const { at: _, ...fact } of told) {
            const { snapshot: next, command } = evolve(breaker, snapshot, fact)
            snapshot = next
            if (command) decided.push(command.type === "SPEAK_UP" ? `loud ${command.consecutive}` : "silent")
          }
          expect(decided).toEqual(said)
          expect(stateOf(snapshot)).toBe(
            currentUnreachable(state).length > 0 && said.at(-1)?.startsWith("loud") ? "loud" : "closed"
          )
        }
      ),
      { seed, numRuns: 60 }
    )
  })
})
