/** Every request the inspector's API answers: what is asked, and what comes back. Its description is generated from this table. */
import type * as Schema from "effect/Schema"
import { ActorHistory, Actors, ActorsQuery, HistoryQuery } from "./actors.ts"
import { RanAgain, RunAgain, SavedFixture, SaveFixture, WhatIfOptions } from "./acts.ts"
import { CallDetail, Calls, CallsQuery } from "./call.ts"
import { Chains, ChainsQuery } from "./chains.ts"
import { Health, Hooks, HooksQuery, Jobs, JobsQuery } from "./hooks.ts"
import { Numbers, NumbersQuery, Status, Window, WindowQuery } from "./live.ts"
import { FactDetail, Facts, FactsQuery } from "./log.ts"
import { Metrics, MetricsQuery } from "./metrics.ts"
import { Found, SearchQuery } from "./search.ts"
import { SessionDetail, Sessions, SessionsQuery } from "./session.ts"

type AnySchema = Schema.Schema.AnyNoContext

export interface Endpoint {
  readonly method: "GET" | "POST"
  /** Under `/api/v1`; `{name}` is a parameter, in percent encoding. */
  readonly path: string
  readonly summary: string
  readonly query?: AnySchema
  readonly body?: AnySchema
  readonly answer: AnySchema
}

/**
 * All need `Authorization: Bearer <token>`, a Host that is this one's and, where there is an Origin, this one's. `GET /stream` is
 * described in stream.ts. What is not answered with 2xx has a `Refusal` as its body: 400, 401 without the token, 403 for a foreign
 * Host or Origin, 404, 405, 409 while another run goes on, 500, 501 where whoever serves does not do it: it says which
 * command does.
 */
export const endpoints = {
  status: { method: "GET", path: "/status", summary: "Who serves, and how far the log goes", answer: Status },
  numbers: {
    method: "GET",
    path: "/numbers",
    summary: "Calls, blocks, failures and waits in numbers",
    query: NumbersQuery,
    answer: Numbers
  },
  window: {
    method: "GET",
    path: "/window",
    summary: "A window of time: lanes of sessions, and what delayed them",
    query: WindowQuery,
    answer: Window
  },
  calls: {
    method: "GET",
    path: "/calls",
    summary: "Calls, the newest first",
    query: CallsQuery,
    answer: Calls
  },
  call: { method: "GET", path: "/calls/{invocation}", summary: "One call, fact by fact", answer: CallDetail },
  sessions: {
    method: "GET",
    path: "/sessions",
    summary: "Sessions, the newest first",
    query: SessionsQuery,
    answer: Sessions
  },
  session: {
    method: "GET",
    path: "/sessions/{session}",
    summary: "One session: turns and tools",
    answer: SessionDetail
  },
  chains: {
    method: "GET",
    path: "/chains",
    summary: "Problems, what was tried against them, and what helped, the newest first",
    query: ChainsQuery,
    answer: Chains
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "How work with agents goes, each figure with its definition and what it stands on",
    query: MetricsQuery,
    answer: Metrics
  },
  actors: {
    method: "GET",
    path: "/actors",
    summary: "Actors in their states, now or at a moment",
    query: ActorsQuery,
    answer: Actors
  },
  history: {
    method: "GET",
    path: "/actors/history",
    summary: "One actor from its first fact on",
    query: HistoryQuery,
    answer: ActorHistory
  },
  hooks: { method: "GET", path: "/hooks", summary: "How each hook does", query: HooksQuery, answer: Hooks },
  jobs: {
    method: "GET",
    path: "/jobs",
    summary: "Work after the reply, the newest first",
    query: JobsQuery,
    answer: Jobs
  },
  health: { method: "GET", path: "/health", summary: "Doctor's last run", answer: Health },
  facts: {
    method: "GET",
    path: "/facts",
    summary: "Facts, the newest first",
    query: FactsQuery,
    answer: Facts
  },
  fact: {
    method: "GET",
    path: "/facts/{position}",
    summary: "One fact, with what led to it",
    answer: FactDetail
  },
  search: {
    method: "GET",
    path: "/search",
    summary: "Calls, sessions and hooks that match",
    query: SearchQuery,
    answer: Found
  },
  options: {
    method: "GET",
    path: "/whatif",
    summary: "Directories whose hooks a call can be run again with",
    answer: WhatIfOptions
  },
  whatif: {
    method: "POST",
    path: "/whatif",
    summary: "Runs a call or a session again and compares",
    body: RunAgain,
    answer: RanAgain
  },
  fixture: {
    method: "POST",
    path: "/fixtures",
    summary: "Saves a call as a fixture",
    body: SaveFixture,
    answer: SavedFixture
  }
} as const satisfies Readonly<Record<string, Endpoint>>

export type Endpoints = typeof endpoints
export type Answer<E extends keyof Endpoints> = Endpoints[E]["answer"]["Type"]
/** What goes behind the question mark, as texts. */
export type Query<E extends keyof Endpoints> = Endpoints[E] extends { readonly query: infer Q }
  ? Q extends AnySchema
    ? Schema.Schema.Encoded<Q>
    : never
  : Record<never, never>
