/**
 * Where chains stand at this moment, for a handler: what the tables have, and in memory what happened since. Writes nothing, so that
 * it works in every process, with a host and without.
 */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Fact } from "../../../events/facts.ts"
import { noLog } from "../../log/openForReading.ts"
import type { Reader } from "../../log/reader.ts"
import { redact } from "../../redact/redact.ts"
import { judge } from "../checks/judge.ts"
import { observe } from "../checks/observe.ts"
import { type Chain, hasFix, isOpen } from "./Chain.ts"
import { chainsMark, chainsSigned, listChains, rememberedIn } from "./find.ts"
import { errorLine } from "./fix.ts"
import { follow, settle, type Where } from "./follow.ts"
import { followedTypes } from "./happened.ts"
import { literalLikeness } from "./literal.ts"
import { memoryStore } from "./memoryStore.ts"
import { scopeKey } from "./scopeKey.ts"
import { shownProblems } from "./shown.ts"

export interface Observed {
  readonly project: string
  readonly session: string | null
  readonly agent: string
  readonly invocation: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly error: Dispatched
  readonly tool: Tool | undefined
}

export interface ChainView {
  /** The one that this problem belongs to; of several the first. */
  readonly chain: Chain
  /** Earlier ones of the same problem, ended by a fix of which there is evidence: those of this project first, then the newest. */
  readonly fixed: readonly Chain[]
}

/** What a host has not yet taken up, or all there is where none runs: of that the newest. */
const maxFacts = 2000
const maxOpen = 1000
/** What is told to a model has to be its problem: another port or value has another fix. */
const leastLikeness = 0.85

const byProject = (project: string) => (a: Chain, b: Chain) =>
  Number(b.project === project) - Number(a.project === project) || b.opened - a.opened

/** A problem that once went away by itself says nothing of what helps against it. */
const fixesOf = (met: Chain, chains: readonly Chain[], project: string): readonly Chain[] => {
  const flaky = new Set(
    chains.filter(({ ending }) => ending?.flaky === true).map(({ signature }) => signature)
  )
  return chains
    .filter((one) => hasFix(one) && one.ending?.grade === "A" && !flaky.has(one.signature))
    .filter((one) => one.problem.test === met.problem.test)
    .filter((one) => literalLikeness(errorLine(met), errorLine(one)) >= leastLikeness)
    .sort(byProject(project))
}

const isWhole = ({ channels, events }: { readonly events?: unknown; readonly channels?: unknown }): boolean =>
  Array.isArray(events) || Array.isArray(channels)

/** Undefined where chains cannot be followed at all, or the error is none. */
export const chainsNow = (reader: Reader, observed: Observed): ChainView | undefined => {
  const { agent, at, error, invocation, project, session, tool } = observed
  // As it is on the log, where secrets are taken out.
  const own = redact({ events: [error], ...(tool === undefined ? {} : { tool }) })
  const buffered = { payload: "", toolUseId: null, ...own }
  const observation = observe(buffered, agent, invocation)
  if (observation?.type !== "ended") return undefined
  const signatures = shownProblems(judge(observation.outcome).problems).flatMap((one) => one.signatures)
  if (signatures.length === 0) return undefined
  const scope = { session, project }
  const before = reader.ask(chainsMark)
  if (before.problem !== undefined && before.problem !== noLog) return undefined
  const { facts } = reader.facts({
    types: followedTypes,
    project,
    after: before.answer ?? 0,
    newestFirst: true,
    limit: maxFacts
  })
  // What is followed here may go on with calls of other sessions that the tables have.
  const scopes = [scope, ...facts.map((one) => ({ session: one.session, project }))].map(scopeKey)
  const tables = reader.ask((db) => {
    const mark = chainsMark(db)
    if (mark === undefined) return undefined
    const open = listChains(db, { project, states: ["open", "attempted", "cleared"] }, maxOpen)
    return { mark, open, like: chainsSigned(db, signatures), ...rememberedIn(db, [...new Set(scopes)]) }
  })
  if (tables.problem !== undefined && tables.problem !== noLog) return undefined
  const { calls = new Map(), like = [], mark = 0, open = [], steps = new Map() } = tables.answer ?? {}
  const known = new Map([...like.toReversed(), ...open.toReversed()].map((chain) => [chain.id, chain]))
  const { all, store } = memoryStore({ chains: [...known.values()], calls, steps })
  const stream = `invocation/${invocation}`
  // What stands on the log is looked at by nobody before.
  // The tables may have come further meanwhile.
  for (const one of [...facts].reverse())
    if (
      (one.position ?? mark + 1) > mark &&
      one.stream !== stream &&
      isWhole(one.data as { readonly events?: unknown; readonly channels?: unknown })
    )
      follow(store, one.data as unknown as Fact, one)
  const where: Where = { stream, position: undefined, at, agent, project, session }
  follow(store, { type: "PAYLOAD_BUFFERED", bytes: 0, session: null, ...buffered } as Fact, where)
  settle(store, scope, agent)
  const chain = store.followed(scope).find((one) => isOpen(one) && signatures.includes(one.signature))
  if (chain === undefined) return undefined
  const same = all().filter((one) => signatures.includes(one.signature))
  return { chain, fixed: fixesOf(chain, same, project) }
}
