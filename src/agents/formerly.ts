/** Dialects as earlier releases spoke them: for replies on older logs, never for a hook call. */
import type { Adapter } from "./Adapter.ts"
import { type Dialect, encodeWith } from "./encode.ts"
import { at, exit2, type Rules, type Way } from "./ways.ts"

/** A question had no reason, and one that could not be asked stopped nothing. */
export const askedFormerly = (adapter: Adapter): Adapter => ({
  ...adapter,
  encode: (nativeEvent, transport, reply, tool) =>
    adapter.encode(nativeEvent, transport, { ...reply, asks: [] }, tool)
})

/** What is a block as JSON now went by exit code, and over HTTP as it does now unless said otherwise. */
export const blockedFormerly = (rules: Rules, http?: Way): Rules => {
  const block = rules.command.block
  if (block === undefined || !("at" in block) || block.orExit === undefined) return rules
  const { orExit: _, ...json } = block
  return {
    ...rules,
    command: { ...rules.command, block: exit2 },
    http: { block: http ?? json, ...rules.http },
    blockAsJson: json
  }
}

export const formerAdapter = (
  adapter: Adapter,
  dialect: Dialect,
  rules: { readonly [nativeEvent: string]: Rules },
  as: (rules: Rules, nativeEvent: string) => Rules
): Adapter => {
  const rulesOf = (nativeEvent: string): Rules | undefined => {
    const now = Object.hasOwn(rules, nativeEvent) ? rules[nativeEvent] : undefined
    return now && as(now, nativeEvent)
  }
  return askedFormerly({ ...adapter, encode: encodeWith(dialect, rulesOf) })
}

/** Over HTTP the same words at every event. */
export const plainBlock: Way = at("reason", undefined, { decision: "block" })
