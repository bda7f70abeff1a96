/** Replies are a monoid, and the strictest wish wins: what any number of hooks amount to depends on their order only. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Intent } from "../../../events/intents.ts"
import { blockingFeedback, diagnostic, exitSignal, modelContext, userHint } from "../../../events/intents.ts"
import { combine, empty, fold, joined, of, type Reply, slotsOf } from "../../../src/agents/reply.ts"
import { holds, intent } from "../../support/arbitrary.ts"

const intents = FastCheck.array(intent, { maxLength: 6 })
const reply = intents.map(fold)

/** The entries count, and so does their order. */
const exact = (value: Reply): string => JSON.stringify(value)

describe("combining replies", () => {
  it("is associative", () =>
    holds(FastCheck.tuple(reply, reply, reply), ([a, b, c]) => {
      expect(exact(combine(combine(a, b), c))).toBe(exact(combine(a, combine(b, c))))
    }))

  it("leaves a reply alone that is combined with the empty one, on either side", () =>
    holds(reply, (value) => {
      expect(exact(combine(empty, value))).toBe(exact(value))
      expect(exact(combine(value, empty))).toBe(exact(value))
    }))

  it("folds a list of intents as it folds its parts", () =>
    holds(FastCheck.tuple(intents, intents), ([a, b]) => {
      expect(exact(fold([...a, ...b]))).toBe(exact(combine(fold(a), fold(b))))
    }))

  it("changes neither of its operands", () =>
    holds(FastCheck.tuple(reply, reply), ([a, b]) => {
      const before = [exact(a), exact(b)]
      combine(a, b)
      expect([exact(a), exact(b)]).toEqual(before)
    }))
})

describe("a folded reply", () => {
  const all = (list: readonly Intent[], type: Intent["type"]) => list.filter((one) => one.type === type)

  it("blocks exactly when somebody blocks, and gives every reason in order", () =>
    holds(intents, (list) => {
      expect(fold(list).blocks).toEqual(
        all(list, "BLOCKING_FEEDBACK").map((one) => "reason" in one && one.reason)
      )
    }))

  it("asks when anybody asks, allows when somebody allows and nobody asks", () =>
    holds(intents, (list) => {
      const wishes = list.flatMap((one) => ("permission" in one && one.permission ? [one.permission] : []))
      const strictest = wishes.includes("ask") ? "ask" : wishes.includes("allow") ? "allow" : "none"
      expect(fold(list).permission).toBe(strictest)
    }))

  it("takes the decision whatever the order of the hooks", () =>
    holds(FastCheck.tuple(intents, FastCheck.infiniteStream(FastCheck.nat())), ([list, order]) => {
      const shuffled = list
        .map((one) => [order.next().value as number, one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one)
      const decision = ({ permission, blocks }: Reply) => [permission, blocks.length]
      expect(decision(fold(shuffled))).toEqual(decision(fold(list)))
    }))

  it("merges changed inputs key by key, later over earlier, and begins anew at one that is the whole input", () =>
    holds(intents, (list) => {
      const merged = list.reduce<unknown>((before, one) => {
        if (one.type !== "MODEL_CONTEXT" || one.updatedInput === undefined) return before
        return one.replacesInput
          ? one.updatedInput
          : { ...(before as object | undefined), ...one.updatedInput }
      }, undefined)
      expect(JSON.stringify(fold(list).updatedInput)).toBe(JSON.stringify(merged))
    }))

  it("keeps the last changed output and the last exit code", () => {
    const list = [
      modelContext({ updatedOutput: 1 }),
      exitSignal(0),
      modelContext({ updatedOutput: null }),
      exitSignal(2)
    ]
    expect(fold(list)).toMatchObject({ updatedOutput: { value: null }, exit: 2 })
  })

  it("keeps texts in handler order and joins them with a blank line", () => {
    const { contexts, hints } = fold([modelContext("a"), userHint("x"), modelContext("b\n"), userHint("y")])
    expect([joined(contexts), joined(hints)]).toEqual(["a\n\nb\n", "x\n\ny"])
    expect(joined([])).toBe("")
    expect(joined(["alone"])).toBe("alone")
  })

  it("sends every intent to the slots it fills, and to no other", () =>
    holds(intents, (list) => {
      const filled = (value: Reply) => ({
        context: value.contexts.length > 0,
        permission: value.permission !== "none",
        input: value.updatedInput !== undefined,
        output: value.updatedOutput !== undefined,
        hint: value.hints.length > 0,
        block: value.blocks.length > 0,
        diagnostic: value.diagnostics.length > 0,
        exit: value.exit !== undefined
      })
      for (const one of list) {
        const slots = Object.entries(filled(of(one))).filter(([, full]) => full)
        expect(slots.map(([slot]) => slot).sort()).toEqual([...slotsOf(one)].sort())
      }
    }))

  it("never mixes what is for the model with what is for people", () => {
    const folded = fold([
      diagnostic("error", "for the operator"),
      userHint("for the human"),
      blockingFeedback("no")
    ])
    expect(folded.contexts).toEqual([])
    expect(folded.diagnostics).toEqual([diagnostic("error", "for the operator")])
    expect(folded.hints).toEqual(["for the human"])
  })
})
