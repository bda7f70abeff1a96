/** Handlers in another process: made ready while the call is recorded, given back after the reply, replaced when it died between. */
import * as Micro from "effect/Micro"
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FromWorker, GoodFor, ToWorker } from "../../../src/programs/host/messages.ts"
import { makeRemoteHandling } from "../../../src/programs/host/remoteHandling.ts"
import { type HandlerWorker, WorkerGone } from "../../../src/programs/host/worker.ts"
import type { Workers } from "../../../src/programs/host/workers.ts"
import { FallbackRequired } from "../../../src/runtime/host/declined.ts"

const planned = { type: "HANDLERS_PLANNED", handlers: [] } as unknown as InvocationFact
const succeeded = { type: "HANDLER_SUCCEEDED", index: 0, intents: [] } as unknown as InvocationFact
const ofAnother = { type: "HANDLER_SUCCEEDED", index: 1, intents: [] } as unknown as InvocationFact

/** A process that answers as it is told to, and remembers what it was sent. */
const handlerProcess = (fails = false, said?: readonly InvocationFact[]) => {
  const sent: string[] = []
  /** What comes before the answers. */
  const before: FromWorker[] = []
  const waits: number[] = []
  let gone = false
  let last: ToWorker | undefined
  const answer = (): FromWorker => {
    if (last?.type === "release") return { type: "released", goodFor: "any", facts: [] } as FromWorker
    if (fails) return { type: "failed", message: "no such bundle" } as FromWorker
    return { type: "facts", facts: said ?? [last?.type === "lease" ? planned : succeeded] } as FromWorker
  }
  const worker: HandlerWorker = {
    pid: 1,
    send: (message) => {
      if (gone) return
      sent.push(message.type)
      last = message
    },
    next: (withinMs) => {
      waits.push(withinMs)
      const first = before.shift()
      if (first) return Promise.resolve(first)
      return gone ? Promise.reject(new WorkerGone("ended", "it was ended", "")) : Promise.resolve(answer())
    },
    kill: () => {
      gone = true
    },
    isGone: () => gone,
    noiseBytes: () => 0
  }
  return { worker, sent, waits, before }
}

type Process = ReturnType<typeof handlerProcess>

const handling = (free: Process[], others: Process[] = [], isDisconnected = () => false) => {
  const given: { readonly worker: HandlerWorker; readonly goodFor: GoodFor }[] = []
  const taken: (() => void)[] = []
  let refuse: (error: Error) => void = () => undefined
  const workers: Workers = {
    takeFree: () => free.shift()?.worker,
    take: () =>
      new Promise((resolve, reject) => {
        refuse = reject
        taken.push(() => {
          const next = others.shift()
          if (next) resolve(next.worker)
        })
      }),
    give: (_, worker, goodFor) => given.push({ worker, goodFor }),
    close: () => undefined,
    count: () => 0
  }
  const remote = makeRemoteHandling({
    workers,
    build: "b",
    lease: { deadlineMs: 5000 } as Parameters<typeof makeRemoteHandling>[0]["lease"],
    elapsed: () => 0,
    isDisconnected,
    afterwards: () => undefined
  })
  const run = { planned: { index: 0, deadlineMs: 1000, onFailure: "allow" }, attempt: 1, metadata: {} }
  const ask = (type: "PLAN" | "START_HANDLER" | "RUN_HANDLER") =>
    Micro.runPromise(remote.interpret({ type, ...run } as unknown as Parameters<typeof remote.interpret>[0]))
  return {
    remote,
    given,
    ask,
    arrive: () => taken.shift()?.(),
    refuse: () => refuse(new Error("every process that runs handlers is busy"))
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("a process of a handler", () => {
  it("that is free hears of a call as soon as its payload is there", async () => {
    const free = handlerProcess()
    const { remote, ask } = handling([free])
    remote.take({ text: "{}" })
    expect(free.sent).toEqual(["lease"])
    expect(await ask("PLAN")).toEqual([planned])
    // The plan is the answer to that.
    expect(free.sent).toEqual(["lease"])
  })

  it("that was lent a call before it was taken in hears of it once", async () => {
    const free = handlerProcess()
    const { remote, ask } = handling([free])
    remote.lend("{}")
    expect(free.sent).toEqual(["lease"])
    remote.take({ text: "{}" })
    expect(await ask("PLAN")).toEqual([planned])
    expect(free.sent).toEqual(["lease"])
  })

  it("that comes later hears of it then, once", async () => {
    const other = handlerProcess()
    const { remote, ask, arrive } = handling([], [other])
    remote.take({ text: "{}" })
    const plan = ask("PLAN")
    expect(other.sent).toEqual([])
    arrive()
    expect(await plan).toEqual([planned])
    await ask("RUN_HANDLER")
    expect(other.sent).toEqual(["lease", "run"])
  })

  it("is asked for no handler of a call that nobody waits for any more", async () => {
    const free = handlerProcess()
    let gone = false
    const { remote, ask } = handling([free], [], () => gone)
    remote.take({ text: "{}" })
    await ask("PLAN")
    expect(await ask("START_HANDLER")).toMatchObject([{ type: "HANDLER_STARTED" }])
    gone = true
    expect(await ask("START_HANDLER")).toMatchObject([
      { type: "HANDLER_SKIPPED", reason: "nobody waits for the answer any more", policy: "allow" }
    ])
  })

  it("that died before it was asked is replaced, and nobody notices", async () => {
    const [free, other] = [handlerProcess(), handlerProcess()]
    const { remote, ask, arrive, given } = handling([free], [other])
    remote.take({ text: "{}" })
    free.worker.kill()
    const plan = ask("PLAN")
    arrive()
    expect(await plan).toEqual([planned])
    expect(other.sent).toEqual(["lease"])
    expect(given).toEqual([{ worker: free.worker, goodFor: "none" }])
  })

  it("that cannot plan is given up, and the call goes elsewhere", async () => {
    const free = handlerProcess(true)
    const { remote, ask, given } = handling([free])
    remote.take({ text: "{}" })
    await expect(ask("PLAN")).rejects.toMatchObject({ defect: expect.any(FallbackRequired) })
    expect(given).toEqual([{ worker: free.worker, goodFor: "none" }])
    await remote.end()
    expect(given).toHaveLength(1)
  })

  it("that says nothing of a plan is given up, and the call goes elsewhere", async () => {
    const free = handlerProcess(false, [])
    const { remote, ask, given } = handling([free])
    remote.take({ text: "{}" })
    await expect(ask("PLAN")).rejects.toMatchObject({ defect: expect.any(FallbackRequired) })
    expect(given).toEqual([{ worker: free.worker, goodFor: "none" }])
  })

  it.each([
    ["nothing", []],
    ["only what was written", [{ type: "NOISE_CAPTURED" } as InvocationFact]],
    ["what became of another handler", [ofAnother]]
  ])("that says %s of the handler that it was asked for is lost with it", async (_, said) => {
    const free = handlerProcess(false, said)
    const { remote, ask, given } = handling([free])
    remote.take({ text: "{}" })
    expect(await ask("RUN_HANDLER")).toEqual([
      expect.objectContaining({
        type: "HANDLER_FAILED",
        index: 0,
        policy: "allow",
        error: { name: "HandlerProcessEnded", message: "its process did not say what became of it" }
      })
    ])
    expect(given).toEqual([{ worker: free.worker, goodFor: "none" }])
  })

  it("that never came free sends the call elsewhere", async () => {
    const { remote, ask, refuse } = handling([])
    remote.take({ text: "{}" })
    const plan = ask("PLAN")
    refuse()
    await expect(plan).rejects.toMatchObject({ defect: expect.any(FallbackRequired) })
  })

  it("is asked to let go once all is over, and given back as good as it was", async () => {
    const free = handlerProcess()
    const { remote, ask, given } = handling([free])
    remote.take({ text: "{}" })
    await ask("PLAN")
    await remote.end()
    await turn()
    expect(free.sent.at(-1)).toBe("release")
    expect(given).toEqual([{ worker: free.worker, goodFor: "any" }])
  })

  it("whose plan nobody asked for any more is given back all the same", async () => {
    const free = handlerProcess()
    const { remote, given } = handling([free])
    remote.take({ text: "{}" })
    free.before.push({ type: "ready" }, { type: "facts", facts: [planned] })
    await remote.end()
    await turn()
    expect(given).toEqual([{ worker: free.worker, goodFor: "any" }])
  })

  it("that comes when all is over is given back as well", async () => {
    const other = handlerProcess()
    const { remote, arrive, given } = handling([], [other])
    remote.take({ text: "{}" })
    const end = remote.end()
    arrive()
    await end
    await turn()
    expect(other.sent).toEqual(["lease", "release"])
    expect(given).toEqual([{ worker: other.worker, goodFor: "any" }])
  })

  it("that comes when nobody waits any more runs nothing", async () => {
    const other = handlerProcess()
    const { remote, ask, arrive, given } = handling([], [other])
    remote.take({ text: "{}" })
    const run = ask("RUN_HANDLER")
    remote.abandon()
    arrive()
    expect(await run).toMatchObject([{ type: "HANDLER_FAILED" }])
    expect(other.sent).toEqual(["lease"])
    expect(given).toEqual([{ worker: other.worker, goodFor: "none" }])
  })

  it("has time to load the build, once", async () => {
    const other = handlerProcess()
    const { remote, ask, arrive } = handling([], [other])
    remote.take({ text: "{}" })
    arrive()
    await turn()
    await ask("RUN_HANDLER")
    await ask("RUN_HANDLER")
    expect(other.waits).toEqual([2000 + 250 + 3000, 2000 + 250])
  })
})
