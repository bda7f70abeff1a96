/** Whatever handlers do, an invocation answers as a plain model of it says: order, isolation, patches, skips. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  diagnostic,
  type Intent,
  type JsonObject,
  modelContext
} from "../../../events/intents.ts"
import { invocation } from "../../../machines/invocation.ts"
import { isFinal, replay } from "../../../machines/step.ts"
import { fold } from "../../../src/agents/reply.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { answer } from "../../../src/runtime/answer.ts"
import { intent, jsonObject, seed } from "../../support/arbitrary.ts"
import { plainAdapter, registered, type Told, tell } from "../../support/world.ts"

type Does =
  | {
      readonly kind: "returns" | "resolves"
      readonly intents: readonly Intent[]
      readonly patch?: JsonObject
    }
  | { readonly kind: "throws" | "rejects" | "exits" | "returns junk" | "overruns" }

interface Scripted {
  readonly priority: number
  readonly policy: "allow" | "block" | "ask"
  readonly enabled: boolean
  readonly does: Does
}

const well = FastCheck.record(
  {
    kind: FastCheck.constantFrom("returns" as const, "resolves" as const),
    intents: FastCheck.array(intent, { maxLength: 2 }),
    patch: jsonObject
  },
  { requiredKeys: ["kind", "intents"] }
)
const badly = FastCheck.record({
  kind: FastCheck.constantFrom(
    "throws" as const,
    "rejects" as const,
    "exits" as const,
    "returns junk" as const,
    "overruns" as const
  )
})

const handlers: FastCheck.Arbitrary<readonly Scripted[]> = FastCheck.array(
  FastCheck.record({
    priority: FastCheck.constantFrom(0, 500, 500, 1000),
    policy: FastCheck.constantFrom("allow" as const, "block" as const, "ask" as const),
    enabled: FastCheck.integer({ min: 0, max: 4 }).map((n) => n > 0),
    does: FastCheck.oneof({ weight: 3, arbitrary: well }, { weight: 2, arbitrary: badly })
  }),
  { maxLength: 5 }
) as FastCheck.Arbitrary<readonly Scripted[]>

const limitMs = 1000

/** What a handler of this script does, on a clock that only it moves. */
const runOf = ({ does }: Scripted, clock: { now: number }): HookDefinition["run"] => {
  switch (does.kind) {
    case "returns":
    case "resolves": {
      const { intents, patch } = does
      const result = patch ? { intents, metadata: patch } : intents
      return does.kind === "returns" ? () => result : async () => result
    }
    case "throws":
      return () => {
        throw new Error("boom")
      }
    case "rejects":
      return () => Promise.reject(new Error("boom"))
    case "exits":
      return () => process.exit(1)
    case "returns junk":
      return () => "junk" as never
    case "overruns":
      return () => {
        clock.now += limitMs
      }
  }
}

const messages: Readonly<Record<string, string>> = {
  throws: "boom",
  rejects: "boom",
  exits: "called process.exit(1), which would have ended the hook",
  "returns junk": 'returned "junk", which is not an intent; to tell the model, return modelContext("…")'
}

/** Registered in the reverse order of their names, so that no order by name passes for theirs. */
const nameAt = (index: number): string => `h${9 - index}`

/** The model: one loop over the handlers in order, nothing else. */
const model = (scripts: readonly Scripted[]) => {
  const ordered = scripts
    .map((script, index) => ({ ...script, name: nameAt(index) }))
    .sort((a, b) => a.priority - b.priority)
    .filter(({ enabled }) => enabled)
  const intents: Intent[] = []
  const seen: [string, JsonObject][] = []
  let metadata: JsonObject = {}
  let late = false
  for (const { name, does, policy } of ordered) {
    const says = (level: "warn" | "error", what: string) => {
      intents.push(diagnostic(level, `hook ${name} ${what}`))
      if (policy === "block")
        intents.push(blockingFeedback(`The hook ${name} ${what}. Its policy is to block.`))
      if (policy === "ask")
        intents.push(
          modelContext({ permission: "ask", reason: `The hook ${name} ${what}. Its policy is to ask.` })
        )
    }
    if (late) {
      says(policy === "allow" ? "warn" : "error", "was skipped: the invocation's deadline has passed")
      continue
    }
    seen.push([name, metadata])
    if (does.kind === "overruns") late = true
    else if ("intents" in does) {
      intents.push(...does.intents)
      metadata = { ...metadata, ...does.patch }
    } else {
      says("error", `failed: ${messages[does.kind]}`)
    }
  }
  return { intents, seen }
}

const run = async (scripts: readonly Scripted[]) => {
  const clock = { now: 0 }
  const seen: [string, JsonObject][] = []
  const definitions = scripts.map(
    (script, index): [string, Partial<HookDefinition> & Pick<HookDefinition, "run">] => {
      const { priority, enabled, policy } = script
      const does = runOf(script, clock)
      return [
        nameAt(index),
        {
          priority,
          enabled,
          onFailure: policy,
          run: (context) => {
            seen.push([nameAt(index), context.metadata])
            return does(context as never)
          }
        }
      ]
    }
  )
  const told = await tell({
    deadlineMs: limitMs,
    elapsed: () => clock.now,
    registry: registered(Object.fromEntries(definitions))
  })
  return { told, seen }
}

const answering = { adapter: plainAdapter, agentEvent: "Fired", transport: "command" as const }

/** The intents as the log has them: what a replay would fold. */
const recordedIntents = ({ log }: Told): readonly Intent[] =>
  (
    replay(invocation, JSON.parse(JSON.stringify(log))).context as { intents: { intent: Intent }[] }
  ).intents.map((one) => one.intent)

const holds = (law: (scripts: readonly Scripted[]) => Promise<void>) =>
  FastCheck.assert(FastCheck.asyncProperty(handlers, law), { numRuns: 60, seed })

describe("an invocation with random handlers", () => {
  it("records what the model says, and the record folds to the model's reply", () =>
    holds(async (scripts) => {
      const { told } = await run(scripts)
      const { intents } = model(scripts)
      expect(recordedIntents(told)).toEqual(intents)
      expect(fold(recordedIntents(told))).toEqual(fold(intents))
    }))

  it("answers with the bytes of that reply, once", () =>
    holds(async (scripts) => {
      const { told } = await run(scripts)
      const { encoded } = answer(
        answering,
        model(scripts).intents.map((one) => ({ handler: "any", intent: one })),
        undefined
      )
      expect(told.delivered).toEqual([
        { stdout: encoded.stdout, stderr: encoded.stderr, exitCode: encoded.exitCode }
      ])
    }))

  it("runs its handlers in order, each with the patches of those before it", () =>
    holds(async (scripts) => {
      const { seen } = await run(scripts)
      expect(seen).toEqual(model(scripts).seen)
    }))

  it("is always over, with one reply, whatever they do", () =>
    holds(async (scripts) => {
      const { told } = await run(scripts)
      expect(isFinal(replay(invocation, told.log))).toBe(true)
      expect([told.find("REPLY_DELIVERED").length, told.find("EXITED").length]).toEqual([1, 1])
    }))
})
