/**
 * What is recorded of a reply that left here and did not arrive. It is made beforehand: only whoever says the reply to the agent learns
 * what became of it, and that is the native client (docs/decisions/0129).
 */
import type { InvocationFact } from "../../events/facts.ts"
import type { Delivery } from "./Edge.ts"

/** Stand for what is known only then. */
export const atPlaceholder = 1111111111111
export const whyUndelivered = "<why it was not delivered>"

type Fact<T extends InvocationFact["type"]> = Extract<InvocationFact, { type: T }>

/** `instead`: what was said the other way, where something was. */
export const undelivered = (
  { channels, exitCode, stderr, stdout }: Fact<"REPLY_DELIVERED">,
  instead: Delivery | undefined
): Fact<"DELIVERY_FAILED"> => ({
  type: "DELIVERY_FAILED",
  ...(instead === undefined
    ? { stdout, stderr, exitCode }
    : { stdout: instead.stdout, stderr: instead.stderr, exitCode: instead.exitCode }),
  channels,
  error: { name: "Error", message: whyUndelivered }
})
