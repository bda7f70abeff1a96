/** Replay of one invocation: what was recorded comes again, and whatever does not is named with its first differing fact. */
import { type AddressInfo, createServer } from "node:net"
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import type { Adapter } from "../../../src/agents/Adapter.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { drawDifferences } from "../../../src/programs/cli/render/differences.ts"
import { plain as plainStyle } from "../../../src/programs/cli/render/style.ts"
import { redact } from "../../../src/redact/redact.ts"
import { compareRuns } from "../../../src/tools/replay/compareRuns.ts"
import { differ } from "../../../src/tools/replay/differ.ts"
import { inspectorPort } from "../../../src/tools/replay/inspectorPort.ts"
import { replayInvocation } from "../../../src/tools/replay/replayInvocation.ts"
import { handNoise, plainAdapter, registered, tell, type World } from "../../support/world.ts"

const id = "01890000-0000-7000-8000-000000000000"

/** As the log would give them back. */
const recorded = (facts: readonly InvocationFact[]): readonly Recorded[] =>
  facts.map((data, index) => ({
    ...noMarks,
    id: `fact-${index}` as FactId,
    stream: `invocation/${id}`,
    type: data.type,
    schemaVersion: 1,
    at: 0,
    cause: null,
    position: 100 + index,
    version: index + 1,
    source: "test",
    recordedAt: 0,
    known: true,
    data: redact(JSON.parse(JSON.stringify(data)) as InvocationFact)
  }))

const plain = { raw: plainAdapter }

const hooks = registered({
  context: () => modelContext("read the guide"),
  hint: () => [userHint("look"), diagnostic("debug", "only for the log")],
  crash: {
    run: () => {
      throw new Error("boom")
    }
  }
})

const run = (world: World = {}) => tell({ registry: hooks, payload: { session: "s" }, ...world })

/** The facts with one of them changed. */
const changed = <T extends InvocationFact["type"]>(
  facts: readonly InvocationFact[],
  type: T,
  change: Partial<Extract<InvocationFact, { type: T }>>
) => facts.map((fact) => (fact.type === type ? { ...fact, ...change } : fact)) as readonly InvocationFact[]

describe("replay of an invocation", () => {
  it("finds no difference in what the same code recorded", async () => {
    const { log, types } = await run()
    expect(types).toContain("HANDLER_FAILED")
    expect(replayInvocation(recorded(log), plain)).toEqual({
      invocation: id,
      facts: log.length,
      lost: false,
      differences: []
    })
  })

  it("takes it for no difference whether what was held back has its mark: versions before wrote none", async () => {
    const { log } = await run()
    const marked = log.map((fact) =>
      fact.type === "REPLY_DELIVERED"
        ? { ...fact, channels: fact.channels.map((one) => ({ ...one, held: true as const })) }
        : fact
    )
    expect(marked).not.toEqual(log)
    expect(replayInvocation(recorded(marked), plain).differences).toEqual([])
    expect(compareRuns(id, recorded(marked), log)).toEqual([])
  })

  it("encodes the noise of a blocking exit again", async () => {
    const { noise, make } = handNoise()
    const { log, delivered } = await tell({
      noise,
      registry: registered({
        guard: () => {
          make("stderr", "a library speaks")
          return blockingFeedback("stop")
        }
      })
    })
    expect(delivered[0]?.stderr).toBe("a library speaks\nstop\n")
    expect(replayInvocation(recorded(log), plain).differences).toEqual([])
    const silent = changed(log, "NOISE_CAPTURED", { text: "another library" })
    expect(replayInvocation(recorded(silent), plain).differences).toMatchObject([
      { check: "reply", at: "stderr" }
    ])
  })

  it("shows diagnostics as the recorded log level had it", async () => {
    const { log } = await run({ logLevel: "debug" })
    const withLevel = changed(log, "INVOCATION_OPENED", { env: { HOOKTAPE_LOG_LEVEL: "debug" } })
    expect(replayInvocation(recorded(withLevel), plain).differences).toEqual([])
    expect(replayInvocation(recorded(log), plain).differences).toMatchObject([{ check: "reply" }])
  })

  it("names a changed encoding with the fact, what was recorded and what comes now", async () => {
    const { log } = await run()
    const louder: Adapter = {
      ...plainAdapter,
      encode: (...given) => ({ ...plainAdapter.encode(...given), stdout: "{}\n" })
    }
    const { differences } = replayInvocation(recorded(log), { raw: louder })
    expect(differences).toEqual([
      {
        invocation: id,
        position: 100 + log.findIndex(({ type }) => type === "REPLY_DELIVERED"),
        type: "REPLY_DELIVERED",
        check: "reply",
        at: "stdout",
        recorded: '{"context":"read the guide","hint":"look"}\n',
        now: "{}\n"
      }
    ])
  })

  it("names a changed decoding", async () => {
    const { log } = await run()
    const other: Adapter = {
      ...plainAdapter,
      decode: (...given) => ({ ...plainAdapter.decode(...given), toolUseId: "t" })
    }
    const { differences } = replayInvocation(recorded(log), { raw: other })
    expect(differences).toMatchObject([{ check: "payload", at: "toolUseId", recorded: null, now: "t" }])
  })

  it("names the fact that the machine does not take, and stops there", async () => {
    const { log } = await run()
    const twice = [...log.slice(0, 3), ...log.slice(2)]
    const { differences } = replayInvocation(recorded(twice), plain)
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatchObject({ check: "machine", type: "HANDLERS_PLANNED", position: 103 })
  })

  it("names an outcome that is not the one of the command", async () => {
    const { log } = await run()
    const policy = changed(log, "HANDLER_FAILED", { policy: "block" })
    expect(replayInvocation(recorded(policy), plain).differences).toMatchObject([
      { check: "command", type: "HANDLER_FAILED", at: "policy", recorded: "block", now: "allow" }
    ])
    const code = changed(log, "EXITED", { code: 2 })
    expect(replayInvocation(recorded(code), plain).differences).toMatchObject([
      { check: "command", type: "EXITED", at: "code", recorded: 2, now: 0 }
    ])
  })

  it("compares a lost invocation as far as it went", async () => {
    const { log } = await run()
    for (let kept = 1; kept < log.length; kept++) {
      const result = replayInvocation(recorded(log.slice(0, kept)), plain)
      expect(result).toEqual({ invocation: id, facts: kept, lost: true, differences: [] })
    }
  })

  it("does not take a secret that was redacted for a difference, and still sees a changed structure", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`
    const { log } = await run({ payload: { session: "s", note: `token ${secret}` } })
    const facts = recorded(log)
    expect(JSON.stringify(facts)).not.toContain(secret)
    expect(replayInvocation(facts, plain).differences).toEqual([])
    const other: Adapter = {
      ...plainAdapter,
      decode: (...given) => ({
        ...plainAdapter.decode(...given),
        events: [{ event: "agent.Fired", data: {} }]
      })
    }
    expect(replayInvocation(facts, { raw: other }).differences).toMatchObject([{ check: "payload" }])
  })

  it("passes over facts that nobody knows", async () => {
    const { log } = await run()
    const facts = recorded(log)
    const [first, ...rest] = facts
    const unknown = {
      ...first,
      type: "FROM_THE_FUTURE",
      known: false,
      data: { type: "FROM_THE_FUTURE" }
    } as Recorded
    expect(replayInvocation([first as Recorded, unknown, ...rest], plain).differences).toEqual([])
  })

  it("knows the agents there are", () => {
    const { log } = { log: [] as InvocationFact[] }
    expect(replayInvocation(recorded(log), adapters)).toMatchObject({ facts: 0, lost: true, differences: [] })
  })
})

describe("comparison with hooks that ran again", () => {
  const again = async (registry: World["registry"]) => {
    const before = await run()
    const now = await tell({ registry: registry ?? [], payload: { session: "s" } })
    return compareRuns(id, recorded(before.log), now.log)
  }

  it("finds the same hooks the same", async () => {
    expect(await again(hooks)).toEqual([])
  })

  it("names the handler whose intents changed, and the reply that followed from it", async () => {
    const [context, ...others] = hooks
    const other = registered({ context: () => modelContext("read the manual") })
    expect(context).toBeDefined()
    expect(await again([...other, ...others])).toMatchObject([
      { check: "handler", at: "intents[0].text", recorded: "read the guide", now: "read the manual" },
      { check: "reply", at: "stdout" }
    ])
  })

  it("names a hook that is gone as a difference of the plan", async () => {
    expect(await again(hooks.slice(1))).toMatchObject([{ check: "plan" }, { check: "reply" }])
  })

  it("does not mind which hooks were left out, and why: nothing came of them", async () => {
    const before = await run({
      registry: [...hooks, ...registered({ idle: { enabled: false, run: () => undefined } })]
    })
    const now = await run()
    expect(before.find("HANDLERS_PLANNED")[0]?.left).toHaveLength(1)
    expect(compareRuns(id, recorded(before.log), now.log)).toEqual([])
    expect(compareRuns(id, recorded(now.log), before.log)).toEqual([])
  })

  it("names a crash that no longer happens", async () => {
    const mended = registered({ crash: () => undefined })
    const differences = await again([...hooks.slice(0, 2), ...mended])
    expect(differences[0]).toMatchObject({
      check: "handler",
      type: "HANDLER_FAILED",
      at: "outcome",
      recorded: "HANDLER_FAILED",
      now: "HANDLER_SUCCEEDED"
    })
    expect(differences[0]).not.toHaveProperty("why")
  })

  it("says why a hook fails that did not", async () => {
    const broken = registered({
      context: () => {
        throw new TypeError("no guide")
      }
    })
    const differences = await again([...broken, ...hooks.slice(1)])
    expect(differences[0]).toMatchObject({ at: "outcome", now: "HANDLER_FAILED", why: "TypeError: no guide" })
    expect(drawDifferences(differences, new Map(), { style: plainStyle, width: undefined })).toMatch(
      /now +"HANDLER_FAILED"\n +why +"TypeError: no guide"/
    )
  })
})

describe("where a debugger listens", () => {
  it("is any port where somebody else has the one that was wanted", async () => {
    const other = createServer()
    await new Promise<void>((done) => void other.listen(0, "127.0.0.1", done))
    const { port } = other.address() as AddressInfo
    expect(await inspectorPort(port)).toBe(0)
    await new Promise((done) => other.close(done))
  })

  it("is the port that was wanted where nobody has it", async () => {
    // No port that was free a moment ago is free for sure: what is asked for is seen, and another one is taken.
    const asked: unknown[] = []
    const makeServer = () => {
      const server = createServer()
      const listen = (options: object, done: () => void) => {
        asked.push(options)
        return server.listen({ ...options, port: 0 }, done)
      }
      return Object.assign(Object.create(server), { listen })
    }
    expect(await inspectorPort(9229, makeServer)).toBe(9229)
    expect(asked).toEqual([{ host: "127.0.0.1", port: 9229, exclusive: true }])
  })
})

describe("where two values part", () => {
  it("is the first place in the order of writing", () => {
    expect(differ({ a: [1, { b: 2 }], c: 3 }, { a: [1, { b: 4 }], c: 5 })).toEqual({
      at: "a[1].b",
      recorded: 2,
      now: 4
    })
  })
  it("takes a missing key and an undefined one for the same, and null for something", () => {
    expect(differ({ a: 1 }, { a: 1, b: undefined })).toBeUndefined()
    expect(differ({ a: 1, b: null }, { a: 1 })).toEqual({ at: "b", recorded: null, now: null })
  })
  it("tells a list from an object", () => {
    expect(differ([], {})).toEqual({ at: "", recorded: [], now: {} })
  })
})
