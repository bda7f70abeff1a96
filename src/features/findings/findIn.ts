/** What a payload tells of its session, worked out once for whoever gets the fact without it. */
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { FactPlace } from "../../log/projection.ts"
import { type ChainStore, follow } from "../chains/follow.ts"
import { foundSigns, type Signed } from "../chains/foundSigns.ts"
import { foundMoment, type Hide } from "../metrics/foundMoments.ts"
import { type Buffered, momentsOf } from "../metrics/momentsOf.ts"
import { parsedPayload, subjectOf, toolInputIn } from "../timeline/subject.ts"

const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

/** The very text that a timeline shows of it. */
const aboutIn = ({ events, payload, tool }: Buffered, hide: Hide): Pick<Findings, "about"> => {
  const subject = subjectOf(events, tool, toolInputIn(parsedPayload(payload)))
  return tool === undefined || subject === null ? {} : { about: hide(subject) }
}

/** `store`: of the fact's session. */
export const findIn = (store: ChainStore, fact: Buffered, place: FactPlace, hide: Hide): Findings => {
  const signs: Signed[] = []
  const put: typeof store.put = (chain, sign) => {
    store.put(chain, sign)
    signs.push({ chain, sign })
  }
  follow({ ...store, put }, fact as Fact, place)
  const told = momentsOf(fact, place.agent, invocationOf(place.stream))
  const moments = (told?.moments ?? []).flatMap((moment) => foundMoment(moment, hide) ?? [])
  return {
    ...aboutIn(fact, hide),
    ...(told?.subagent == null ? {} : { subagent: told.subagent }),
    ...(moments.length === 0 ? {} : { moments }),
    ...foundSigns(signs)
  }
}
