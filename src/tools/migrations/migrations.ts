/**
 * How a state directory of an earlier version becomes one of this version: each step in its turn. A step that finds nothing to do
 * does nothing, so no record says which ran: a client or a host of before may still write what a step has already changed once.
 */
import { trustByContent } from "./0001-trust-by-content.ts"
import { sealedCalls } from "./0003-sealed-calls.ts"
import { sealedLog } from "./0004-sealed-log.ts"

export const migrations = [trustByContent, sealedCalls, sealedLog] as const

export const migrate = (state: string): void => {
  for (const { apply } of migrations) apply(state)
}
