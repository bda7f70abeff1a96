/** Every machine, by the first word of the streams that its facts stand on. */
import { breaker } from "./breaker.ts"
import { chain } from "./chain.ts"
import { handlers } from "./handlers.ts"
import { host } from "./host.ts"
import { invocation } from "./invocation.ts"
import { job } from "./job.ts"
import { session } from "./session.ts"
import type { Machine } from "./step.ts"

/** What is known of any of them. Whoever steps one gives it facts of its own streams only. */
export type AnyMachine = Machine<{ readonly type: string }, { readonly type: string }>

export const machines: Readonly<Record<string, AnyMachine>> = {
  invocation: invocation as AnyMachine,
  job: job as AnyMachine,
  session: session as AnyMachine,
  chain: chain as unknown as AnyMachine,
  breaker: breaker as AnyMachine,
  host: host as AnyMachine,
  handlers: handlers as AnyMachine
}

/** The machine whose facts stand on a stream; undefined for streams that no machine folds, such as those of notes. */
export const machineOf = (stream: string): AnyMachine | undefined => {
  const kind = stream.slice(0, stream.indexOf("/"))
  return Object.hasOwn(machines, kind) ? machines[kind] : undefined
}
