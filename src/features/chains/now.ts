/**
 * Where chains stand at this moment, for a handler: what the tables have, and in memory what happened since. Writes nothing, so that
 * it works in every process, with a host and without.
 */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Fact } from "../../../events/facts.ts"
import { noLog } from "../../log/openForReading.ts"
import type { Reader } from "../../log/reader.ts"
import { redact } from "../../redact/redact.ts"
import { type Chain, hasFix, isOpen } from "./Chain.ts"
import { chainsMark, fixedChains, listChains } from "./find.ts"
import { type ChainStore, follow, followedTypes, keyOf, type Where } from "./follow.ts"
import { literalLikeness } from "./literal.ts"
import { toolOutcomesIn } from "./toolOutcomes.ts"

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
  /** The one that this error belongs to. */
  readonly chain: Chain
  /** Earlier ones of this project of nearly the same error, with a fix: the likest first, then the newest. */
  readonly fixed: readonly Chain[]
}

/** What a host has not yet taken up, or all there is where none runs: of that the newest. */
const maxFacts = 1000
const maxOpen = 1000
/** What is told to a model has to be its error: another module, port or value has another fix. */
const leastLikeness = 0.85

const fixesOf = (error: Pick<Chain, "signature" | "message">, chains: Iterable<Chain>) =>
  [...chains]
    .filter((one) => one.signature === error.signature && hasFix(one))
    .map((chain) => ({ chain, like: literalLikeness(error.message, chain.message) }))
    .filter(({ like }) => like >= leastLikeness)
    .sort((a, b) => b.like - a.like || b.chain.opened - a.chain.opened)
    .map(({ chain }) => chain)

const inMemory = (chains: readonly Chain[]) => {
  const kept = new Map(chains.map((chain) => [chain.id, chain]))
  const open = (is: (chain: Chain) => boolean) => [...kept.values()].filter((one) => isOpen(one) && is(one))
  const store: ChainStore = {
    ofSession: (session, project) => open((one) => one.session === session && one.project === project),
    everywhere: (session) => open((one) => one.session === session),
    stale: (project, before) => open((one) => one.project === project && one.moved < before),
    put: (chain) => void kept.set(chain.id, chain)
  }
  return { store, all: () => [...kept.values()] }
}

/** Undefined where chains cannot be followed at all, or the error says nothing of itself. */
export const chainsNow = (reader: Reader, observed: Observed): ChainView | undefined => {
  const { agent, at, error, invocation, project, session, tool } = observed
  // As it is on the log, where secrets are taken out.
  const own = redact({ events: [error], ...(tool === undefined ? {} : { tool }) })
  const { failed } = toolOutcomesIn(own)
  if (failed === undefined) return undefined
  const tables = reader.ask((db) => {
    const mark = chainsMark(db)
    if (mark === undefined) return undefined
    const open = listChains(db, { project, states: ["open", "attempted"] }, maxOpen)
    return { mark, open, like: fixedChains(db, failed, project) }
  })
  if (tables.problem !== undefined && tables.problem !== noLog) return undefined
  const { like = [], mark = 0, open = [] } = tables.answer ?? {}
  const { all, store } = inMemory([...open].reverse())
  const { facts } = reader.facts({
    types: followedTypes,
    project,
    after: mark,
    newestFirst: true,
    limit: maxFacts
  })
  const stream = `invocation/${invocation}`
  // What stands on the log is looked at by nobody before.
  for (const one of [...facts].reverse())
    if (one.stream !== stream && Array.isArray((one.data as { readonly events?: unknown }).events))
      follow(store, one.data as unknown as Fact, one)
  const where: Where = { stream, position: undefined, at, agent, project, session }
  const fact = { type: "PAYLOAD_BUFFERED", bytes: 0, payload: "", session: null, toolUseId: null, ...own }
  follow(store, fact as Fact, where)
  const key = keyOf(failed, project)
  const chain = store.ofSession(session, project).find((one) => one.key === key)
  if (chain === undefined) return undefined
  const ended = all().filter((one) => one.project === project)
  const candidates = new Map([...like, ...ended].map((one) => [one.id, one]))
  return { chain, fixed: fixesOf(failed, candidates.values()) }
}
