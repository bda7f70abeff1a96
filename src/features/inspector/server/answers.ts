/** What each question of the contract is answered with. */
import type { Answer, Endpoints } from "../contract/endpoints.ts"
import { actors, history } from "../read/actors.ts"
import { callDetail } from "../read/call.ts"
import { listCalls, search } from "../read/calls.ts"
import { listChains } from "../read/chains.ts"
import { factDetail, listFacts } from "../read/facts.ts"
import { health } from "../read/health.ts"
import { listHooks } from "../read/hooks.ts"
import { listJobs } from "../read/jobs.ts"
import { metrics } from "../read/metrics.ts"
import { numbers } from "../read/numbers.ts"
import { sessionDetail } from "../read/session.ts"
import { listSessions } from "../read/sessions.ts"
import { status } from "../read/status.ts"
import { window } from "../read/window.ts"
import type { World } from "./World.ts"

/** Those that only look. */
export type Question = Exclude<keyof Endpoints, "whatif" | "fixture">

type Asked<Q extends Question> = Endpoints[Q] extends { readonly query: { readonly Type: infer T } }
  ? T
  : Record<never, never>

type Answers = {
  readonly [Q in Question]: (query: Asked<Q>, parameter: string) => Answer<Q> | Promise<Answer<Q>>
}

export const statusNow = async (world: World): Promise<Answer<"status">> => {
  const [agents, host, living] = await Promise.all([world.agents(), world.host(), world.actors()])
  const state = living?.find(({ machine }) => machine === "host")?.state ?? "ready"
  return world.ask((source) =>
    status(source, {
      agents,
      host: host === undefined ? null : { ...host, state },
      onlyLooks: world.acts === undefined
    })
  )
}

export const actorsNow = async (world: World, at?: number): Promise<Answer<"actors">> => {
  const live = at === undefined ? await world.actors() : undefined
  return world.ask((source) => actors(source, { live, ...(at === undefined ? {} : { at }) }))
}

export const makeAnswers = (world: World): Answers => ({
  status: () => statusNow(world),
  numbers: (query) => world.ask((source) => numbers(source, query)),
  window: (query) => world.ask((source) => window(source, query)),
  calls: (query) => world.ask((source) => listCalls(source, query)),
  call: (_, invocation) => world.ask((source) => callDetail(source, invocation)),
  sessions: (query) => world.ask((source) => listSessions(source, query)),
  session: async (_, session) => {
    await Promise.all([world.bringUp("chains"), world.bringUp("metrics")])
    return world.ask((source) => sessionDetail(source, session))
  },
  chains: async (query) => {
    await world.bringUp("chains")
    return world.ask((source) => listChains(source, query))
  },
  metrics: async (query) => {
    await world.bringUp("metrics")
    return world.ask((source) => metrics(source, query))
  },
  actors: ({ at }) => actorsNow(world, at),
  history: ({ stream }) => world.ask((source) => history(source, stream)),
  hooks: (query) => world.ask((source) => listHooks(source, query)),
  jobs: (query) => world.ask((source) => listJobs(source, query)),
  health: () => world.ask(health),
  facts: (query) => world.ask((source) => listFacts(source, query)),
  fact: (_, position) => world.ask((source) => factDetail(source, Number(position))),
  search: (query) => world.ask((source) => search(source, query)),
  options: () => ({ directories: world.acts?.directories() ?? [] })
})
