/** What a payload tells of its session, worked out once for whoever gets the fact without it. Pure. */
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { FactPlace } from "../../log/projection.ts"
import { type Chain, isFollowed } from "../chains/Chain.ts"
import { follow } from "../chains/follow.ts"
import { foundSigns, type Signed } from "../chains/foundSigns.ts"
import { memoryStore } from "../chains/memoryStore.ts"
import type { SessionCalls } from "../chains/SessionCalls.ts"
import type { Step } from "../chains/Step.ts"
import { scopeKey } from "../chains/scopeKey.ts"
import { foundMoment, type Hide } from "../metrics/foundMoments.ts"
import { type Buffered, momentsOf } from "../metrics/momentsOf.ts"
import { parsedPayload, subjectOf, toolInputIn } from "../timeline/subject.ts"

/** What is known of a session: the calls that are under way, the problems that are followed, and what was done since they were seen. */
export interface Followed {
  readonly calls?: SessionCalls | undefined
  readonly steps: readonly Step[]
  readonly chains: readonly Chain[]
}

export interface Found {
  readonly followed: Followed
  readonly findings: Findings
}

const nothing: Followed = { steps: [], chains: [] }

const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

/** The very text that a timeline shows of it. */
const aboutIn = ({ events, payload, tool }: Buffered, hide: Hide): Pick<Findings, "about"> => {
  const subject = subjectOf(events, tool, toolInputIn(parsedPayload(payload)))
  return tool === undefined || subject === null ? {} : { about: hide(subject) }
}

/** `before`: undefined of a session that begins. */
export const findIn = (before: Followed | undefined, fact: Buffered, place: FactPlace, hide: Hide): Found => {
  const { calls, chains, steps } = before ?? nothing
  const scope = scopeKey(place)
  const { all, store } = memoryStore({
    chains,
    calls: new Map(calls === undefined ? [] : [[scope, calls]]),
    steps: new Map([[scope, steps]])
  })
  const signs: Signed[] = []
  const put: typeof store.put = (chain, sign) => {
    store.put(chain, sign)
    signs.push({ chain, sign })
  }
  follow({ ...store, put }, fact as Fact, place)
  const told = momentsOf(fact, place.agent, invocationOf(place.stream))
  const moments = (told?.moments ?? []).flatMap((moment) => foundMoment(moment, hide) ?? [])
  return {
    followed: {
      calls: store.calls(place),
      steps: store.stepsFrom(place, 0),
      chains: all().filter(isFollowed)
    },
    findings: {
      ...aboutIn(fact, hide),
      ...(told?.subagent == null ? {} : { subagent: told.subagent }),
      ...(moments.length === 0 ? {} : { moments }),
      ...foundSigns(signs)
    }
  }
}
