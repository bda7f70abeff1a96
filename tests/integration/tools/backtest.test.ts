/** A backtest over a real build, in its own process: against what a plain loop over the same payloads says. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { Fact } from "../../../events/facts.ts"
import type { FactId, InvocationId } from "../../../events/ids.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { claudeCode } from "../../../src/agents/claude-code/claudeCode.ts"
import { drawBacktest } from "../../../src/programs/cli/render/backtest.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { repeated } from "../../../src/runtime/clip.ts"
import type { Backtest } from "../../../src/tools/backtest/Backtest.ts"
import { buildFiles, scratchDirectory } from "../../../src/tools/backtest/buildAside.ts"
import { countOlder } from "../../../src/tools/backtest/countOlder.ts"
import { type Judge, makeJudge } from "../../../src/tools/backtest/judge.ts"
import { runBacktest } from "../../../src/tools/backtest/runBacktest.ts"
import { opened, plannedHandler } from "../../support/facts.ts"

const folder = realpathSync(mkdtempSync(join(homedir(), "backtest-")))
const canary = join(folder, "written.txt")

const hookFile = (name: string, body: string, more = ""): string => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.ts`)
  writeFileSync(
    file,
    `import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "${name}", on: "tool.before", ${more}run: async ({ services, tool }) => { ${body} } })
void [spawnSync, writeFileSync, connect]
`
  )
  return file
}

const guard = hookFile(
  "guard",
  `if (/--force|reset --hard/.test(tool?.command ?? "")) return blockingFeedback("no")`
)

let position = 0
const recorded = (fact: Fact, stream: string, session: string, at: number): Recorded => {
  position += 1
  return {
    ...noMarks,
    id: `00000000-0000-7000-8000-${String(position).padStart(12, "0")}` as FactId,
    stream,
    type: fact.type,
    schemaVersion: 1,
    at,
    cause: null,
    position,
    version: position,
    source: "test",
    recordedAt: at,
    known: true,
    agent: "claude-code",
    session,
    project: "/p",
    data: fact as Recorded["data"]
  }
}

interface Told {
  readonly command: string
  readonly use: string
  readonly turn: string
  readonly at: number
}

const session = "s"

/** As hooks recorded it, with a guard of before that blocked what says `rm`. */
const byHooks = ({ at, command, turn, use }: Told, blocked: boolean): readonly Recorded[] => {
  const payload = {
    session_id: session,
    cwd: "/p",
    hook_event_name: "PreToolUse",
    prompt_id: turn,
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: use
  }
  const id = `01890000-0000-7000-8000-${String(++position).padStart(12, "0")}` as InvocationId
  const text = JSON.stringify(payload)
  const planned = plannedHandler("guard", 0)
  const facts: readonly Fact[] = [
    opened({ invocation: id, agent: "claude-code", agentEvent: "PreToolUse", cwd: "/p", project: "/p" }),
    {
      type: "PAYLOAD_BUFFERED",
      bytes: text.length,
      payload: text,
      ...repeated(claudeCode.decode("PreToolUse", payload))
    },
    { type: "HANDLERS_PLANNED", handlers: [planned], left: [] },
    {
      type: "HANDLER_SUCCEEDED",
      handler: "guard",
      event: "tool.before",
      index: 0,
      attempt: 1,
      intents: blocked ? [blockingFeedback("no")] : [],
      ms: 1
    },
    { type: "EXITED", code: 0, ms: {}, summary: { planned: 1, started: 1, succeeded: 1 } }
  ]
  return facts.map((fact) => recorded(fact, `invocation/${id}`, session, at))
}

const byTranscript = ({ at, command, turn, use }: Told): Recorded => {
  const fact: ObservedFact = {
    type: "TOOL_CALL_OBSERVED",
    source: "transcript",
    cwd: "/p",
    turn,
    call: use,
    name: "Bash",
    input: { command },
    told: "untold"
  }
  return recorded(fact, `transcript/claude-code/${session}`, session, at)
}

/** `isOnlyTheirs`: as files are asked about on a command line. */
const tested = (
  facts: readonly Recorded[],
  files: readonly string[],
  isOnlyTheirs = false
): Promise<Backtest> =>
  Effect.gen(function* () {
    const manifest = yield* buildFiles(files)
    const judge = yield* makeJudge({ manifest, directory: yield* scratchDirectory })
    return yield* runBacktest({
      read: (types) => Stream.fromIterable(facts.filter(({ type }) => types.includes(type))),
      judge,
      ...(isOnlyTheirs ? { hooks: judge.known } : {})
    })
  }).pipe(Effect.scoped, Effect.runPromise)

const words = ["git push", "git push --force", "rm -r out", "git reset --hard", "ls", "rm x --force"]
const calls = Array.from({ length: 60 }, (_, nth): Told => {
  const command = `${words[(nth * 7) % words.length]} ${nth}`
  return { command, use: `call-${nth}`, turn: `turn-${Math.floor(nth / 4)}`, at: 1_000_000 + nth * 1000 }
})
const isRm = (command: string): boolean => /\brm\b/.test(command)
const isForced = (command: string): boolean => /--force|reset --hard/.test(command)

describe("a backtest", () => {
  it("says what a plain loop over the payloads says, of calls that hooks recorded and of those a transcript tells", async () => {
    const half = calls.length / 2
    const facts = calls.flatMap((one, nth) =>
      nth < half ? byHooks(one, isRm(one.command)) : [byTranscript(one)]
    )
    const found = await tested(facts, [guard])
    const wanted = { same: 0, stricter: 0, looser: 0 }
    const first = new Map<string, "stricter" | "looser">()
    calls.forEach(({ command, turn }, nth) => {
      const before = nth < half && isRm(command)
      const now = isForced(command)
      const kind = before === now ? "same" : now ? "stricter" : "looser"
      wanted[kind]++
      if (kind !== "same" && !first.has(turn)) first.set(turn, kind)
    })
    const firstOf = (kind: string) => [...first.values()].filter((one) => one === kind).length
    expect(wanted.stricter * wanted.looser * firstOf("stricter") * firstOf("looser")).toBeGreaterThan(0)
    expect(found).toMatchObject({
      calls: 60,
      recorded: 30,
      imported: 30,
      ...wanted,
      notReplayable: 0,
      firstInTurn: { stricter: firstOf("stricter"), looser: firstOf("looser") }
    })
    expect(firstOf("stricter") + firstOf("looser")).toBeLessThan(wanted.stricter + wanted.looser)
    const shapes = found.shapes.map(({ calls: many, kind, shape }) => `${kind} ${shape} ${many}`)
    expect(shapes).toContain("looser rm -r 5")
    expect(shapes).toContain("stricter git push --force 10")
    expect(found.shapes.every(({ samples }) => samples.length > 0)).toBe(true)
  })

  it("is of the hooks in the files that were named, which are known only as they are loaded", async () => {
    const [one, other] = [
      calls.find(({ command }) => isForced(command)),
      calls.find(({ command }) => isRm(command))
    ]
    if (one === undefined || other === undefined) throw new Error("there are no such calls")
    const found = await tested([...byHooks(one, false), ...byHooks(other, true)], [guard], true)
    expect(found).toMatchObject({ calls: 2, stricter: 1, looser: 1, hooks: [{ hook: "guard", runs: 2 }] })
  })

  it("says which deadline a hook had, and has one of its own that it missed as its failure", async () => {
    const slow = hookFile("slow", "await new Promise(() => {})", 'deadline: "1 second", ')
    const [one] = calls as [Told]
    const found = await tested([byTranscript(one)], [slow], true)
    const failures = [{ what: "was not done within 1000 ms", times: 1 }]
    expect(found).toMatchObject({ notReplayable: 0, hooks: [{ hook: "slow", failed: 1, failures }] })
    const asked = { shipped: false, ms: 1, against: undefined, older: 0 }
    expect(drawBacktest(found, asked, { style: plain, width: undefined })).toContain("1 run of a hook failed")
  })

  it("counts a call once that hooks recorded and a transcript tells as well", async () => {
    const [one, other] = calls as [Told, Told]
    const found = await tested([...byHooks(one, false), byTranscript(one), byTranscript(other)], [guard])
    expect(found).toMatchObject({ calls: 2, recorded: 1, imported: 1 })
  })

  it("says what other hooks say in their place, whatever was decided when the calls were made", async () => {
    const other = join(folder, "there", "guard.ts")
    mkdirSync(join(folder, "there"), { recursive: true })
    writeFileSync(other, readFileSync(guard, "utf8").replace("--force|reset --hard", "reset --hard|\\brm\\b"))
    const facts = calls.flatMap((one) => byHooks(one, false))
    const found = await Effect.gen(function* () {
      const judgeOf = (file: string) =>
        Effect.gen(function* () {
          const manifest = yield* buildFiles([file])
          return yield* makeJudge({ manifest, directory: yield* scratchDirectory })
        })
      return yield* runBacktest({
        read: (types) => Stream.fromIterable(facts.filter(({ type }) => types.includes(type))),
        judge: yield* judgeOf(guard),
        against: yield* judgeOf(other)
      })
    }).pipe(Effect.scoped, Effect.runPromise)
    const wanted = { same: 0, stricter: 0, looser: 0 }
    for (const { command } of calls) {
      const now = isForced(command)
      const there = /reset --hard|\brm\b/.test(command)
      wanted[now === there ? "same" : now ? "stricter" : "looser"]++
    }
    expect(wanted.same * wanted.stricter * wanted.looser).toBeGreaterThan(0)
    expect(found).toMatchObject({ calls: 60, recorded: 60, ...wanted })
  })

  it("reads on while hooks are asked, and asks both sides at the same time", async () => {
    const [one] = calls as [Told]
    const many = Array.from({ length: 300 }, (_, nth) => byTranscript({ ...one, use: `many-${nth}` }))
    const found = await Effect.gen(function* () {
      const isRead = yield* Deferred.make<void>()
      const [isAsked, isAskedToo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const answer = (cases: readonly unknown[]) => cases.map(() => ({ hooks: [], ms: 0 }))
      const judge = (mine: Deferred.Deferred<void>, other: Deferred.Deferred<void>): Judge => ({
        known: new Set(),
        judge: (cases) =>
          Deferred.succeed(mine, undefined).pipe(
            Effect.zipRight(Deferred.await(other)),
            Effect.zipRight(Deferred.await(isRead)),
            Effect.as(answer(cases))
          )
      })
      return yield* runBacktest({
        read: (types) =>
          Stream.fromIterable(many.filter(({ type }) => types.includes(type))).pipe(
            Stream.rechunk(1),
            Stream.tap((fact) => (fact === many.at(-1) ? Deferred.succeed(isRead, undefined) : Effect.void))
          ),
        judge: judge(isAsked, isAskedToo),
        against: judge(isAskedToo, isAsked)
      })
    }).pipe(Effect.runPromise)
    expect(found).toMatchObject({ calls: 300, imported: 300 })
  })

  it("says of a hook that fails what it threw, and how often, and how many calls are older", async () => {
    const told = (calls as readonly Told[]).slice(0, 3).map(byTranscript)
    const found = await tested(told, [hookFile("thrower", `JSON.parse("{")`)])
    const [failures] = found.hooks.map((one) => one.failures)
    expect(failures).toEqual([{ what: expect.stringContaining("JSON"), times: 3 }])
    const asked = { shipped: true, ms: 1, older: 0, against: undefined }
    const drawing = { style: plain, width: undefined }
    expect(drawBacktest(found, asked, drawing)).toMatch(/^ {4}failed: .*JSON.* \(3\)$/m)
    expect(drawBacktest(found, asked, drawing)).not.toContain("older")

    const read = (types: readonly string[]) =>
      Stream.fromIterable(
        [...told, ...byHooks(calls[4] as Told, false)].filter((one) => types.includes(one.type))
      )
    const count = (since: number) => Effect.runPromise(countOlder(read, since))
    expect([await count(0), await count(Number.MAX_SAFE_INTEGER)]).toEqual([0, 4])
    expect(drawBacktest(found, { ...asked, older: 4 }, drawing)).toContain(
      "4 older calls left out: --since 0"
    )
    expect(drawBacktest({ ...found, calls: 0 }, { ...asked, older: 1 }, drawing)).toBe(
      "There are no calls of the last 30 days to ask about. 1 older call left out: --since 0\n"
    )
  })

  it("cannot be made to write, to start a program or to reach the network, and says that such a hook is not replayable", async () => {
    const files = [
      hookFile("asker", `await services.run("touch", [${JSON.stringify(canary)}])`),
      hookFile("swallower", `await services.files.read("x").catch(() => "")`),
      hookFile("writer", `writeFileSync(${JSON.stringify(canary)}, "x")`),
      hookFile(
        "starter",
        `const { error } = spawnSync("touch", [${JSON.stringify(canary)}]); if (error) throw error`
      ),
      hookFile("caller", `connect(9, "127.0.0.1")`),
      hookFile("clock", `if (services.clock.now() < 2_000_000) return blockingFeedback("early")`)
    ]
    const found = await tested([byTranscript(calls[0] as Told)], files)
    const hooks = Object.fromEntries(found.hooks.map((one) => [one.hook, one]))
    for (const name of ["asker", "swallower", "writer", "starter", "caller"])
      expect(hooks[name], name).toMatchObject({ runs: 1, notReplayable: 1, stricter: 0 })
    // When it was, the transcript tells.
    expect(hooks["clock"]).toMatchObject({ notReplayable: 0, stricter: 1 })
    expect(existsSync(canary)).toBe(false)
  })
})
