/** What a payload tells of its session, worked out once for whoever gets the fact without it. */
import type { Findings } from "../../../events/findings.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { FactPlace } from "../../log/projection.ts"
import { type ChainStore, followHappened, invocationOf } from "../chains/follow.ts"
import { foundSigns, type Signed } from "../chains/foundSigns.ts"
import { observeWhole } from "../checks/observe.ts"
import { foundMoment, type Hide } from "../metrics/foundMoments.ts"
import { type Buffered, momentsOf } from "../metrics/momentsOf.ts"
import { parsedPayload, subjectOf, toolInputIn } from "../timeline/subject.ts"

/** The very text that a timeline shows of it. */
const aboutIn = (
  { events, payload, tool }: Buffered,
  read: JsonObject | undefined,
  hide: Hide
): Pick<Findings, "about"> => {
  if (tool === undefined) return {}
  const subject = subjectOf(events, tool, toolInputIn(read ?? parsedPayload(payload)))
  return subject === null ? {} : { about: hide(subject) }
}

/** `store`: of the fact's session. */
export const findIn = (store: ChainStore, fact: Buffered, place: FactPlace, hide: Hide): Findings => {
  const signs: Signed[] = []
  const put: typeof store.put = (chain, sign) => {
    store.put(chain, sign)
    signs.push({ chain, sign })
  }
  const invocation = invocationOf(place.stream)
  const observed = observeWhole(fact, place.agent, invocation)
  if (observed !== undefined) followHappened({ ...store, put }, observed.observation, place, invocation)
  const told = momentsOf(fact, place.agent, invocation, () => observed)
  const moments = (told?.moments ?? []).flatMap((moment) => foundMoment(moment, hide) ?? [])
  return {
    ...aboutIn(fact, observed?.payload, hide),
    ...(told?.subagent == null ? {} : { subagent: told.subagent }),
    ...(moments.length === 0 ? {} : { moments }),
    ...foundSigns(signs)
  }
}
