/** hooktape's own events: ordinary recorded invocations, whose reply is a value. */
import { beforeAll, describe, expect, it } from "vitest"
import { type Dispatched, dispatch } from "../../../src/runtime/dispatch/dispatch.ts"
import { isHooked } from "../../../src/runtime/dispatch/hooksFor.ts"
import { dataOf, type Station, station } from "../../support/entrypoint.ts"

const hook = (name: string, on: string, run: string, more = "") =>
  `import { blockingFeedback, defineHook, userHint } from "hooktape"
  export default defineHook({ name: "${name}", on: "${on}", ${more} run: ${run} })\n`

let at: Station

const ask = (query: string): Promise<Dispatched> =>
  dispatch({
    state: at.state,
    project: at.project,
    cwd: at.project,
    event: "search.before",
    data: { query },
    session: "s-1"
  })

beforeAll(async () => {
  at = await station()
  at.putUser(
    "hooks/first.ts",
    hook("first", "search.before", "({ query }) => ({ metadata: { query: query + ' fix' } })", "priority: 1,")
  )
  at.putUser(
    "hooks/second.ts",
    hook(
      "second",
      "search.before",
      "({ metadata }) => ({ metadata: { query: metadata.query + '!' }, intents: userHint('wider') })"
    )
  )
  at.putUser(
    "hooks/loud.ts",
    hook("loud", "search.before", "() => { process.stdout.write('noise'); throw new Error('broken') }")
  )
  at.putUser("hooks/exit.ts", hook("exit", "search.before", "() => process.exit(3)"))
  at.putUser("hooks/veto.ts", hook("veto", "reflection.before", "() => blockingFeedback('no')"))
  at.putUser("hooks/later.ts", hook("later", "checkpoint.after", "() => {}", "background: true,"))
  await at.build()
})

describe("one of our own events", () => {
  it("is handled in order, each handler seeing the patches of those before, and whatever fails stops nobody", async () => {
    const { intents, invocation, metadata } = await ask("timeout")
    expect(metadata).toEqual({ query: "timeout fix!" })
    expect(intents.map(({ handler, intent }) => [handler, intent.type])).toEqual([
      ["exit", "DIAGNOSTIC"],
      ["loud", "DIAGNOSTIC"],
      ["second", "USER_HINT"]
    ])
    const run = (await at.runs()).find(({ id }) => id === invocation)
    expect(run?.types).toEqual([
      "INVOCATION_OPENED",
      "PAYLOAD_BUFFERED",
      "HANDLERS_PLANNED",
      "HANDLER_STARTED",
      "HANDLER_SUCCEEDED",
      "HANDLER_STARTED",
      "HANDLER_FAILED",
      "HANDLER_STARTED",
      "NOISE_CAPTURED",
      "HANDLER_FAILED",
      "HANDLER_STARTED",
      "HANDLER_SUCCEEDED",
      "REPLY_DELIVERED",
      "EXITED"
    ])
    const [opened] = run?.facts ?? []
    expect(opened).toMatchObject({ agent: "raw", agentEvent: "search.before", project: at.project })
    expect(run?.facts.at(-1)).toMatchObject({ session: "s-1", event: "search.before" })
    expect(run && dataOf(run, "PAYLOAD_BUFFERED")[0]?.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it("says who blocks and why, and by which fact that is known", async () => {
    const { blocks, last } = await dispatch({
      state: at.state,
      project: at.project,
      cwd: at.project,
      event: "reflection.before",
      data: { text: "x", kind: "note", tags: [], source: "operator" }
    })
    expect(blocks).toEqual([{ handler: "veto", reason: "no" }])
    expect((await at.facts()).find(({ id }) => id === last)?.type).toBe("EXITED")
  })

  it("has the job of a background hook recorded beside its plan", async () => {
    const { invocation } = await dispatch({
      state: at.state,
      project: at.project,
      cwd: at.project,
      event: "checkpoint.after",
      data: { checkpoint: "c", trigger: "operator", quality: 80, components: [] }
    })
    const job = (await at.facts()).find(({ type }) => type === "JOB_ENQUEUED")
    expect(job?.data).toMatchObject({ handler: "later", event: "checkpoint.after", invocation })
  })

  it("is recorded where no hook wants it, and where nothing was ever built", async () => {
    expect(isHooked(at.state, at.project, "search.before")).toBe(true)
    expect(isHooked(at.state, at.project, "checkpoint.before")).toBe(false)
    const bare = await station()
    const { intents, invocation } = await dispatch({
      state: bare.state,
      project: bare.project,
      cwd: bare.project,
      event: "checkpoint.before",
      data: { trigger: "operator", quality: 80, components: [] }
    })
    expect(intents).toEqual([])
    expect((await bare.runs()).map(({ id, types }) => [id, types.at(-1)])).toEqual([[invocation, "EXITED"]])
  })

  it("gives the process back as it was", async () => {
    const { exit } = process
    const { write } = process.stdout
    const listeners = process.listenerCount("uncaughtException")
    await ask("x")
    expect(process.exit).toBe(exit)
    expect(process.stdout.write).toBe(write)
    expect(process.listenerCount("uncaughtException")).toBe(listeners)
  })
})
