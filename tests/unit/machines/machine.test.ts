/** The rules of the machines, one sentence each, and every edge they have. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { breaker } from "../../../machines/breaker.ts"
import { invocation } from "../../../machines/invocation.ts"
import { job } from "../../../machines/job.ts"
import { evolve, frames, isFinal, replay, start, stateOf } from "../../../machines/step.ts"
import { declared, listed } from "../../support/explore.ts"
import * as fact from "../../support/facts.ts"
import { given } from "../../support/given.ts"
import { exploreBreaker, exploreInvocation, exploreJob, invocationTypes } from "../../support/machines.ts"

const one = fact.plannedHandler("one", 0)
const two = fact.plannedHandler("two", 1)
const strict = fact.plannedHandler("strict", 0, { onFailure: "block" })
const asking = fact.plannedHandler("asking", 0, { onFailure: "ask" })

const received = [fact.opened(), fact.buffered()] as const
const running = [...received, fact.planned([one, two]), fact.started(one)] as const
const answered = [...received, fact.planned([])] as const

const run = (planned = one, attempt = 1, metadata = {}) =>
  ({ type: "RUN_HANDLER", planned, attempt, metadata }) as const
const begin = (planned = one) => ({ type: "START_HANDLER", planned, attempt: 1 }) as const
const deliver = (intents: readonly { handler: string; intent: object }[] = [], noise = "") =>
  ({ type: "DELIVER", intents, noise }) as never

describe("an invocation", () => {
  it("asks for its payload once it is opened", () =>
    given(invocation)
      .when(fact.opened({ deadlineMs: 700 }))
      .gives("buffering", { type: "BUFFER", deadlineMs: 700 }))

  it("is opened once", () => given(invocation, fact.opened()).when(fact.opened()).isRefused())

  it("takes no payload before it is opened", () => given(invocation).when(fact.buffered()).isRefused())

  it("asks for a plan once it has a payload", () =>
    given(invocation, fact.opened()).when(fact.buffered()).gives("handling", { type: "PLAN" }))

  it("answers a rejected payload at once and tells the operator", () =>
    given(invocation, fact.opened())
      .when(fact.rejected("empty"))
      .gives(
        "emitting",
        deliver([
          {
            handler: "hooktape",
            intent: diagnostic("warn", "payload rejected (empty): standard input was empty")
          }
        ])
      ))

  it("answers at once when nobody is planned", () =>
    given(invocation, ...received)
      .when(fact.planned([]))
      .gives("emitting", deliver()))

  it("starts with what the runtime itself has to say", () =>
    given(invocation, ...received)
      .when(fact.planned([], [userHint("a hook file is not trusted")]))
      .gives("emitting", deliver([{ handler: "hooktape", intent: userHint("a hook file is not trusted") }])))

  it("starts the first of its plan", () =>
    given(invocation, ...received)
      .when(fact.planned([one, two]))
      .gives("handling", begin(one)))

  it("is planned once", () =>
    given(invocation, ...running)
      .when(fact.planned([one]))
      .isRefused())

  it("runs the handler that has started", () =>
    given(invocation, ...received, fact.planned([one]))
      .when(fact.started(one))
      .gives("handling", run(one)))

  it("runs the attempt that has started", () =>
    given(invocation, ...received, fact.planned([one]))
      .when(fact.started(one, 3))
      .gives("handling", run(one, 3)))

  it("does not start out of order", () =>
    given(invocation, ...received, fact.planned([one, two]))
      .when(fact.started(two))
      .isRefused())

  it("does not start the next while one runs", () =>
    given(invocation, ...running)
      .when(fact.started(two))
      .isRefused())

  it("does not skip the next while one runs", () =>
    given(invocation, ...running)
      .when(fact.skipped(two))
      .isRefused())

  it("takes no outcome of a handler that does not run", () =>
    given(invocation, ...running)
      .when(fact.succeeded(two))
      .isRefused())

  it("goes on to the next after a success", () =>
    given(invocation, ...running)
      .when(fact.succeeded(one))
      .gives("handling", begin(two)))

  it("goes on to the next after a failure", () =>
    given(invocation, ...running)
      .when(fact.failed(one))
      .gives("handling", begin(two)))

  it("goes on to the next after a time-out", () =>
    given(invocation, ...running)
      .when(fact.timedOut(one))
      .gives("handling", begin(two)))

  it("says what was wanted before one that is skipped", () => {
    const no = blockingFeedback("no")
    const skip = { handler: "two", intent: diagnostic("warn", "hook two was skipped: late") }
    given(invocation, ...running, fact.succeeded(one, [no]))
      .when(fact.skipped(two))
      .gives("emitting", deliver([{ handler: "one", intent: no }, skip]))
  })

  it("says what onError wanted, and that it failed itself", () => {
    const sorry = userHint("sorry")
    const facts = { ...fact.failed(one), intents: [sorry], onError: { name: "Error", message: "again" } }
    const { context } = replay(invocation, [...running, facts as InvocationFact]) as unknown as {
      context: { intents: readonly { intent: object }[] }
    }
    expect(context.intents.slice(-2).map(({ intent }) => intent)).toEqual([
      sorry,
      diagnostic("error", "hook one failed in onError too: again")
    ])
  })

  it("goes on to the next after a skip", () =>
    given(invocation, ...received, fact.planned([one, two]))
      .when(fact.skipped(one))
      .gives("handling", begin(two)))

  it("hands the patches of earlier handlers to later ones, later keys over earlier", () => {
    const patched = [...running, fact.succeeded(one, [], { a: 1, b: 1 })]
    given(invocation, ...patched)
      .when(fact.started(two))
      .gives("handling", run(two, 1, { a: 1, b: 1 }))
    const three = fact.plannedHandler("three", 2)
    given(
      invocation,
      ...received,
      fact.planned([one, two, three]),
      fact.started(one),
      fact.succeeded(one, [], { a: 1, b: 1 }),
      fact.started(two),
      fact.succeeded(two, [], { b: 2 })
    )
      .when(fact.started(three))
      .gives("handling", run(three, 1, { a: 1, b: 2 }))
  })

  it("delivers the intents of all handlers in their order after the last", () =>
    given(invocation, ...running, fact.succeeded(one, [modelContext("first")]), fact.started(two))
      .when(fact.succeeded(two, [userHint("second")]))
      .gives(
        "emitting",
        deliver([
          { handler: "one", intent: modelContext("first") },
          { handler: "two", intent: userHint("second") }
        ])
      ))

  it.each([
    ["fails", fact.failed, "failed: boom"],
    ["is late", fact.timedOut, "did not finish within 1000 ms"]
  ] as const)("lets the agent go on when a handler %s, and tells the operator", (_, ended, what) =>
    given(invocation, ...received, fact.planned([one]), fact.started(one))
      .when(ended(one))
      .gives("emitting", deliver([{ handler: "one", intent: diagnostic("error", `hook one ${what}`) }]))
  )

  it.each([
    ["fails", fact.failed, "failed: boom"],
    ["is late", fact.timedOut, "did not finish within 1000 ms"]
  ] as const)("blocks when a handler whose policy is to block %s", (_, ended, what) =>
    given(invocation, ...received, fact.planned([strict]), fact.started(strict))
      .when(ended(strict))
      .gives(
        "emitting",
        deliver([
          { handler: "strict", intent: diagnostic("error", `hook strict ${what}`) },
          { handler: "strict", intent: blockingFeedback(`The hook strict ${what}. Its policy is to block.`) }
        ])
      )
  )

  it("asks the human when a handler whose policy is to ask fails", () =>
    given(invocation, ...received, fact.planned([asking]), fact.started(asking))
      .when(fact.failed(asking))
      .gives(
        "emitting",
        deliver([
          { handler: "asking", intent: diagnostic("error", "hook asking failed: boom") },
          {
            handler: "asking",
            intent: modelContext({
              permission: "ask",
              reason: "The hook asking failed: boom. Its policy is to ask."
            })
          }
        ])
      ))

  it("answers after a last handler that was skipped, and says so", () =>
    given(invocation, ...received, fact.planned([one]))
      .when(fact.skipped(one, "the deadline has passed"))
      .gives(
        "emitting",
        deliver([
          { handler: "one", intent: diagnostic("warn", "hook one was skipped: the deadline has passed") }
        ])
      ))

  it("hears noise in every state and keeps what came on standard error for a blocking exit", () => {
    given(invocation, ...received, fact.planned([one]), fact.started(one), fact.noise("stderr", "a\n"))
      .when(fact.noise("stdout", "never shown"))
      .gives("handling")
    given(
      invocation,
      ...received,
      fact.planned([one]),
      fact.started(one),
      fact.noise("stderr", "a\n"),
      fact.noise("stdout", "never shown"),
      fact.noise("stderr", "b")
    )
      .when(fact.succeeded(one, [blockingFeedback("no")]))
      .gives("emitting", deliver([{ handler: "one", intent: blockingFeedback("no") }], "a\nb"))
  })

  it("exits with the code that was delivered", () =>
    given(invocation, ...answered)
      .when(fact.delivered(2))
      .gives("emitting", { type: "EXIT", code: 2 }))

  it("exits also when nobody took its reply", () =>
    given(invocation, ...answered)
      .when(fact.undelivered(0))
      .gives("emitting", { type: "EXIT", code: 0 }))

  it("is delivered once", () =>
    given(invocation, ...answered, fact.delivered())
      .when(fact.delivered())
      .isRefused())

  it("does not exit before its reply has left", () =>
    given(invocation, ...answered)
      .when(fact.exited())
      .isRefused())

  it("is over when it has exited", () => {
    const log = [...answered, fact.delivered(), fact.exited()]
    given(invocation, ...answered, fact.delivered())
      .when(fact.exited())
      .gives("exiting")
    expect(isFinal(replay(invocation, log))).toBe(true)
  })

  it.each(invocationTypes.filter((type) => type !== "NOISE_CAPTURED"))(
    "takes no %s after its end",
    (type) => {
      const end = replay(invocation, [...answered, fact.delivered(), fact.exited()])
      expect(
        exploreInvocation().refusals.some(({ snapshot, fact: tried }) => {
          return isFinal(snapshot) && tried.type === type
        })
      ).toBe(true)
      expect(evolve(invocation, end, fact.opened()).refused).toBe(true)
    }
  )

  it("stays over when noise comes after its end", () => {
    const end = replay(invocation, [...answered, fact.delivered(), fact.exited()])
    const step = evolve(invocation, end, fact.noise("stderr", "a child that lived on"))
    expect({ state: stateOf(step.snapshot), final: isFinal(step.snapshot), command: step.command }).toEqual({
      state: "exiting",
      final: true,
      command: undefined
    })
  })

  it("has these edges", () => {
    expect(listed(exploreInvocation().edges)).toMatchInlineSnapshot(`
      [
        "buffering --INVOCATION_OPENED--> buffering: BUFFER",
        "buffering --PAYLOAD_BUFFERED--> handling: PLAN",
        "buffering --PAYLOAD_REJECTED--> emitting: DELIVER",
        "buffering --NOISE_CAPTURED--> buffering",
        "handling --HANDLERS_PLANNED--> handling: START_HANDLER",
        "handling --HANDLERS_PLANNED--> emitting: DELIVER",
        "handling --HANDLER_STARTED--> handling: RUN_HANDLER",
        "handling --HANDLER_SUCCEEDED--> handling: START_HANDLER",
        "handling --HANDLER_SUCCEEDED--> emitting: DELIVER",
        "handling --HANDLER_FAILED--> handling: START_HANDLER",
        "handling --HANDLER_FAILED--> emitting: DELIVER",
        "handling --HANDLER_TIMED_OUT--> handling: START_HANDLER",
        "handling --HANDLER_TIMED_OUT--> emitting: DELIVER",
        "handling --HANDLER_SKIPPED--> handling: START_HANDLER",
        "handling --HANDLER_SKIPPED--> emitting: DELIVER",
        "handling --NOISE_CAPTURED--> handling",
        "handling --SERVICE_CALLED--> handling",
        "emitting --NOISE_CAPTURED--> emitting",
        "emitting --REPLY_DELIVERED--> emitting: EXIT",
        "emitting --DELIVERY_FAILED--> emitting: EXIT",
        "emitting --EXITED--> exiting",
        "exiting --NOISE_CAPTURED--> exiting",
      ]
    `)
  })
})

describe("the breaker", () => {
  const missed = (threshold = 3) => ({ type: "HOST_UNREACHABLE", threshold, detail: "no socket" }) as const
  const reached = { type: "HOST_REACHED" } as const

  it("is silent below the threshold", () => {
    given(breaker).when(missed()).gives("closed", { type: "STAY_SILENT" })
    given(breaker, missed()).when(missed()).gives("closed", { type: "STAY_SILENT" })
  })

  it("speaks up at the threshold and says how many", () =>
    given(breaker, missed(), missed()).when(missed()).gives("loud", { type: "SPEAK_UP", consecutive: 3 }))

  it("stays loud while nothing changes", () =>
    given(breaker, missed(), missed(), missed())
      .when(missed())
      .gives("loud", { type: "SPEAK_UP", consecutive: 4 }))

  it("goes by the threshold of the day", () =>
    given(breaker).when(missed(1)).gives("loud", { type: "SPEAK_UP", consecutive: 1 }))

  it("is silent again to whoever wants to hear later", () =>
    given(breaker, missed(1)).when(missed(3)).gives("closed", { type: "STAY_SILENT" }))

  it("is reset by one host that was reached", () => {
    given(breaker, missed(), missed(), missed()).when(reached).gives("closed")
    given(breaker, missed(), missed(), reached).when(missed()).gives("closed", { type: "STAY_SILENT" })
  })

  it("has these edges", () => {
    expect(listed(exploreBreaker().edges)).toMatchInlineSnapshot(`
      [
        "closed --HOST_UNREACHABLE--> closed: STAY_SILENT",
        "closed --HOST_UNREACHABLE--> loud: SPEAK_UP",
        "closed --HOST_REACHED--> closed",
        "loud --HOST_UNREACHABLE--> closed: STAY_SILENT",
        "loud --HOST_UNREACHABLE--> loud: SPEAK_UP",
        "loud --HOST_REACHED--> closed",
      ]
    `)
  })
})

describe("every machine", () => {
  it.each([
    ["invocation", invocation, exploreInvocation],
    ["breaker", breaker, exploreBreaker],
    ["job", job, exploreJob]
  ] as const)("%s can reach each of its states and take each of its edges", (_, machine, explored) => {
    const { states, edges } = explored()
    expect([...states].sort()).toEqual(Object.keys(machine.definition.states).sort())
    const taken = new Set(edges.map(({ from, fact: type, to }) => `${from} ${type} ${to}`))
    const known = declared(machine)
    expect(known.length).toBeGreaterThan(2)
    expect(known.filter((edge) => !taken.has(edge))).toEqual([])
  })

  it.each([invocation, breaker, job])("never executes a command itself", (machine) => {
    const { command } = machine.definition.implementations.actions as Record<string, () => void>
    expect(command).toThrow("interpreted by the driver")
  })

  it("asks for nothing before its first fact", () => {
    expect(start(invocation)).toMatchObject({ command: undefined, refused: false })
    expect(start(breaker)).toMatchObject({ command: undefined, refused: false })
    expect(start(job)).toMatchObject({ command: undefined, refused: false })
  })

  it("refuses a fact that no build of this version knows, and shows it in the frame", () => {
    const unknown = { type: "COFFEE_BREWED" } as unknown as InvocationFact
    expect(
      frames(invocation, [fact.opened(), unknown]).map(({ before, after, refused }) => [
        before,
        after,
        refused
      ])
    ).toEqual([
      ["buffering", "buffering", false],
      ["buffering", "buffering", true]
    ])
  })
})
