/** Which event of an agent is the first of a session: agents spell it differently, and some have none. */
import type { Adapter } from "../../agents/Adapter.ts"

export const startsSession = ({ events }: Pick<Adapter, "events">, agentEvent: string): boolean =>
  Object.hasOwn(events, agentEvent) && events[agentEvent]?.event === "session.start"
