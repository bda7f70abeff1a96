/** Whatever hooks there are, however they do and however often they are called: the manager does what a plain model of it says. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { Intent, JsonObject } from "../../../events/intents.ts"
import { invocation } from "../../../machines/invocation.ts"
import { replay } from "../../../machines/step.ts"
import type { Adapter } from "../../../src/agents/Adapter.ts"
import { fold } from "../../../src/agents/reply.ts"
import { makePast } from "../../../src/history/makePast.ts"
import { makeRecall } from "../../../src/history/recall.ts"
import { switchesFile, switchesText } from "../../../src/history/switches.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { answer } from "../../../src/runtime/answer.ts"
import { recalled } from "../../../src/tools/replay/recalled.ts"
import { replayInvocation } from "../../../src/tools/replay/replayInvocation.ts"
import { anyHook } from "../../support/anyHook.ts"
import { intent, jsonObject, seed } from "../../support/arbitrary.ts"
import { type Expected, type ModelCall, type ModelHook, makeModel } from "../../support/managerModel.ts"
import { plainAdapter, type Told, tell } from "../../support/world.ts"

const events = ["agent.Fired", "agent.Second"] as const
const callers = ["raw", "codex"] as const
const { boolean, constant, constantFrom, integer, option, record, subarray } = FastCheck

const limit = record({
  name: constantFrom("once" as const, "cooldown" as const, "rateLimit" as const),
  scope: constantFrom("session" as const, "project" as const),
  most: integer({ min: 1, max: 3 }),
  within: constantFrom(2, 5, 20)
})

const hook = record({
  on: subarray([...events], { minLength: 1 }),
  priority: constantFrom(0, 500, 500, 1000),
  enabled: integer({ min: 0, max: 4 }).map((n) => n > 0),
  switched: constantFrom(undefined, undefined, undefined, true, false),
  agents: constantFrom(undefined, undefined, ["codex"], ["codex", "raw"]),
  matches: constantFrom(undefined, true, false),
  policy: constantFrom("allow" as const, "block" as const, "ask" as const),
  attempts: integer({ min: 1, max: 3 }),
  fails: constantFrom(0, 0, 1, 2, 9),
  overruns: integer({ min: 0, max: 9 }).map((n) => n === 0),
  intents: FastCheck.array(intent, { maxLength: 2 }),
  patch: option(jsonObject, { nil: undefined }),
  // One of each kind at most: a hook cannot say it twice.
  limits: FastCheck.uniqueArray(limit, { maxLength: 2, selector: ({ name }) => name })
})

const call = record({
  wait: constantFrom(0, 1, 2, 6),
  session: constantFrom("s", "t"),
  agent: constantFrom(...callers),
  both: boolean()
})

interface Story {
  readonly hooks: readonly ModelHook[]
  readonly calls: readonly ModelCall[]
}

const story: FastCheck.Arbitrary<Story> = record({
  hooks: FastCheck.array(hook, { maxLength: 5 }),
  calls: FastCheck.array(call, { minLength: 1, maxLength: 6 }),
  seed: constant(0)
}).map(({ calls, hooks }): Story => {
  let at = 1000
  return {
    hooks: hooks.map((one, nth) => ({
      ...one,
      name: `h${nth}`,
      limits: one.limits.map((each) => ({ ...each, most: each.name === "rateLimit" ? each.most : 1 }))
    })) as readonly ModelHook[],
    calls: calls.map(({ agent, both, session, wait }) => {
      at += wait
      return { at, session, agent, events: both ? events : events.slice(0, 1) }
    })
  }
})

const limitsAs = ({ limits }: ModelHook): Partial<HookDefinition> =>
  Object.fromEntries(
    limits.map(({ most, name, scope, within }) => [
      name,
      name === "once"
        ? scope
        : name === "cooldown"
          ? { for: within * 1000, scope }
          : { limit: most, per: within * 1000, scope }
    ])
  )

const deadlineMs = 1000

interface Done extends Expected {
  readonly told: Told
}

/** Each call as a process of its own would make it, all in one state directory. */
const run = async ({ calls, hooks }: Story): Promise<readonly Done[]> => {
  const state = mkdtempSync(join(homedir(), "manager-"))
  const switches = hooks.flatMap(({ name, switched }) =>
    switched === undefined ? [] : [{ hook: name, enabled: switched, scope: "user" as const, at: 1 }]
  )
  writeFileSync(switchesFile(state), switchesText(switches))
  const done: Done[] = []
  for (const [nth, one] of calls.entries()) {
    const clock = { now: 0 }
    const seen: JsonObject[] = []
    const registry = hooks.map((model) => {
      let attempt = 0
      return {
        source: `${model.name}.ts`,
        hook: anyHook({
          name: model.name,
          on: model.on as never,
          priority: model.priority,
          enabled: model.enabled,
          onFailure: model.policy,
          retry: { attempts: model.attempts, delay: 1 },
          ...(model.agents === undefined ? {} : { agents: model.agents as readonly Agent[] }),
          ...(model.matches === undefined ? {} : { when: { matches: () => model.matches === true } }),
          ...limitsAs(model),
          run: ({ metadata }) => {
            seen.push(metadata)
            attempt++
            const fails = attempt <= model.fails
            if (!fails || attempt === model.attempts) attempt = 0
            if (fails) throw new Error("boom")
            if (model.overruns) clock.now += deadlineMs
            return { intents: model.intents, metadata: model.patch ?? {} }
          }
        })
      }
    })
    const told = await tell({
      adapter: { ...plainAdapter, agent: one.agent as Agent } as Adapter,
      payload: { session: one.session, events: one.events.map((event) => ({ event, data: {} })) },
      call: `01890000-0000-7000-8000-${String(nth).padStart(12, "0")}`,
      deadlineMs,
      elapsed: () => clock.now,
      past: makePast({ recall: () => makeRecall, state, now: () => one.at * 1000 }),
      registry
    })
    const plan = told.find("HANDLERS_PLANNED")[0]
    done.push({
      told,
      planned: plan?.handlers.map(({ event, handler }) => `${event} ${handler}`) ?? [],
      left: plan?.left.map(({ event, handler, reason }) => `${event} ${handler}: ${kindOf(reason)}`) ?? [],
      started: told.find("HANDLER_STARTED").map(({ attempt, handler }) => `${handler} ${attempt}`),
      seen,
      intents: recordedIntents(told)
    })
  }
  return done
}

const kindOf = (reason: string): string =>
  /^(disabled|not for|when|once|cooldown|rateLimit)\b/.exec(reason)?.[0] ?? reason

/** The intents as the log has them: what a replay would fold. */
const recordedIntents = ({ log }: Told): readonly Intent[] =>
  (
    replay(invocation, JSON.parse(JSON.stringify(log))).context as { intents: { intent: Intent }[] }
  ).intents.map((one) => one.intent)

const holds = (law: (story: Story, done: readonly Done[]) => void) =>
  FastCheck.assert(
    FastCheck.asyncProperty(story, async (told) => law(told, await run(told))),
    { numRuns: 60, seed }
  )

const modelled = ({ calls, hooks }: Story): readonly Expected[] => calls.map(makeModel(hooks))

describe("the manager", { timeout: 120_000 }, () => {
  it("plans, leaves out, starts, tries again, patches and says what the model does", () =>
    holds((told, done) => {
      expect(done.map(({ told: _, ...one }) => one)).toEqual(modelled(told))
    }))

  it("answers with the model's reply", () =>
    holds((told, done) => {
      const expected = modelled(told)
      done.forEach(({ told: { delivered } }, nth) => {
        const intents = expected[nth]?.intents ?? []
        const attributed = intents.map((one) => ({ handler: "any", intent: one }))
        const answering = { adapter: plainAdapter, agentEvent: "Fired", transport: "command" as const }
        const { stdout, stderr, exitCode } = answer(answering, attributed, undefined).encoded
        expect(delivered).toEqual([{ stdout, stderr, exitCode }])
        expect(fold(recordedIntents(done[nth]?.told as Told))).toEqual(fold(intents))
      })
    }))

  it("gives a reason for every hook that subscribed and did not run", () =>
    holds(({ calls, hooks }, done) => {
      done.forEach(({ left, planned }, nth) => {
        const subscribed = calls[nth]?.events.flatMap((event) =>
          hooks.filter(({ on }) => on.includes(event)).map(({ name }) => `${event} ${name}`)
        )
        const told = [...planned, ...left.map((one) => one.replace(/: .*$/, ""))]
        expect(told.toSorted()).toEqual(subscribed?.toSorted())
        expect(left.filter((one) => one.endsWith(": "))).toEqual([])
      })
    }))

  it("needs neither registry nor log nor switches to decide the same again", () =>
    holds(({ hooks }, done) => {
      for (const { told } of done) {
        const recorded = told.log.map((data, position) => ({
          position,
          type: data.type,
          known: true,
          data: JSON.parse(JSON.stringify(data)),
          stream: "invocation/x"
        }))
        const adapters = { raw: plainAdapter, codex: plainAdapter }
        expect(replayInvocation(recorded as never, adapters).differences).toEqual([])
        const plan = told.find("HANDLERS_PLANNED")[0]
        if (!plan) continue
        const past = recalled(plan)
        for (const { event, handler, reason } of plan.left) {
          if (!/^(once|cooldown|rateLimit)/.test(reason)) continue
          expect(past.admit({ name: handler } as never, event, {} as never)).toBe(reason)
        }
        for (const { name, switched } of hooks) {
          if (switched === false && plan.left.some(({ handler }) => handler === name))
            expect(past.switched(name, {} as never)?.enabled).toBe(false)
        }
      }
    }))
})
