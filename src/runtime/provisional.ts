/** What an invocation would answer if nothing of it came any more from here on: pure, by the machine itself. */
import type { AnyMachineSnapshot } from "xstate"
import type { ChannelTaken, InvocationFact, Planned } from "../../events/facts.ts"
import { type InvocationCommand, type InvocationContext, invocation } from "../../machines/invocation.ts"
import { evolve } from "../../machines/step.ts"
import type { Encoded } from "../agents/Adapter.ts"
import { broughtBy } from "./start.ts"

/** Stands for how the process came to its end, which only those know who see it: src/programs/client/parent.c and src/tools/install/launcher.ts. */
export const howItEnded = "<how it ended>"

export interface Provisional {
  /** As the machine would have them until the reply: what became of each handler that has not answered. */
  readonly facts: readonly InvocationFact[]
  readonly encoded: Encoded
  readonly channels: readonly ChannelTaken[]
  /** What handlers wrote to standard error so far. */
  readonly noise: string
}

type Deliver = Omit<Extract<InvocationCommand, { type: "DELIVER" }>, "type">
export type Answer = (command: Deliver) => Pick<Provisional, "encoded" | "channels">

const ended = (planned: Planned, attempt: number, reason: string): InvocationFact => ({
  type: "HANDLER_FAILED",
  handler: planned.handler,
  event: planned.event,
  index: planned.index,
  attempt,
  error: { name: "HandlerProcessEnded", message: reason },
  policy: planned.onFailure,
  ...broughtBy(planned),
  ms: 0
})

const unheard = (planned: Planned, attempt: number, reason: string): InvocationFact => ({
  type: "HANDLER_SKIPPED",
  handler: planned.handler,
  event: planned.event,
  index: planned.index,
  reason,
  policy: planned.onFailure,
  ...(attempt > 1 ? { attempt } : {}),
  ...broughtBy(planned)
})

/** The machine's next word from where it stands; undefined where nothing is planned, or all is said. */
const nextOf = (
  { current, queue, retrying, running }: InvocationContext,
  attempt: number,
  reason: string
) => {
  if (current !== undefined && running !== undefined) return ended(running.planned, attempt, reason)
  const [first] = queue
  return first && unheard(first, retrying?.attempt ?? 1, reason)
}

/** `attempt`: which one of the running handler's it is; `how` its process ended. Undefined unless handlers are under way. */
export const provisional = (
  snapshot: AnyMachineSnapshot,
  attempt: number,
  answer: Answer,
  how = howItEnded
): Provisional | undefined => {
  const facts: InvocationFact[] = []
  for (let at = snapshot; ; ) {
    const context = at.context as InvocationContext
    const fact = context.phase === "planned" ? nextOf(context, attempt, `its process ${how}`) : undefined
    if (fact === undefined) return undefined
    facts.push(fact)
    const { command, refused, snapshot: next } = evolve(invocation, at, fact)
    if (refused) return undefined
    if (command?.type === "DELIVER") {
      const { channels, encoded } = answer(command)
      return { facts, encoded, channels, noise: command.noise }
    }
    at = next
  }
}
