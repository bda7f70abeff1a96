/** A call that is under way, as an actor: where it stands, and whom it is about as far as its payload told. */
import type { InvocationFact } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import { invocation } from "../../../machines/invocation.ts"
import type { Subject } from "../../runtime/actors/ActorView.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import type { InvocationPorts } from "../../runtime/runInvocation.ts"

export interface InvocationActor {
  readonly onStep: NonNullable<InvocationPorts["onStep"]>
  readonly leave: () => void
}

const toldBy = (fact: InvocationFact): Subject | undefined =>
  fact.type === "PAYLOAD_BUFFERED"
    ? { session: fact.session, ...(fact.tool === undefined ? {} : { name: fact.tool.name }) }
    : undefined

export const enterInvocation = (registry: Registry, id: InvocationId, subject: Subject): InvocationActor => {
  const actor = registry.enter(invocation, `invocation/${id}`, subject)
  return {
    onStep: (fact, _, step) => {
      const told = toldBy(fact)
      if (told) actor.about(told)
      actor.moved(fact, step)
    },
    leave: actor.leave
  }
}
