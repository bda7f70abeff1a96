/** The tables of metrics: moments of sessions as they were told. Rows only come, and never change; figures are worked out when asked for. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { FactPlace, Projection } from "../../log/projection.ts"
import { forgetDays } from "../timeline/forgetDays.ts"
import { keepWorkDays } from "./days.ts"
import type { Source } from "./Moment.ts"
import { type Buffered, momentsOf } from "./momentsOf.ts"
import { type Dated, observedMoments, observedTypes } from "./observedMoments.ts"
import { metricsVersion } from "./version.ts"

const create = [
  `CREATE TABLE metrics_moments (
    position INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    at REAL NOT NULL,
    agent TEXT,
    session TEXT NOT NULL,
    project TEXT,
    subagent TEXT,
    source TEXT NOT NULL,
    moment TEXT NOT NULL,
    PRIMARY KEY (position, nth)
  ) WITHOUT ROWID`,
  "CREATE INDEX metrics_moments_session ON metrics_moments (session, at)",
  "CREATE INDEX metrics_moments_at ON metrics_moments (at)",
  `CREATE TABLE metrics_checkpoints (
    position INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    session TEXT,
    project TEXT,
    quality REAL NOT NULL,
    evident INTEGER NOT NULL
  )`
]

const drop = ["moments", "checkpoints"].map((name) => `DROP TABLE IF EXISTS metrics_${name}`)

type Checkpoint = Extract<Fact, { type: "CHECKPOINT_RECORDED" | "CHECKPOINT_REFUSED" }>

const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

const makeFold = (db: Database) => {
  const add = db.prepare("INSERT INTO metrics_moments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  const addCheckpoint = db.prepare("INSERT INTO metrics_checkpoints VALUES (?, ?, ?, ?, ?, ?)")

  const keep = (
    { agent, position, project }: FactPlace,
    session: string,
    subagent: string | null,
    source: Source,
    moments: readonly Dated[]
  ): void =>
    moments.forEach(({ at, moment }, nth) => {
      add.run(position, nth, at, agent, session, project, subagent, source, JSON.stringify(moment))
    })

  const takeCheckpoint = (fact: Checkpoint, { at, position }: FactPlace): void => {
    const evident = fact.components.some(({ weight }) => weight > 0) ? 1 : 0
    addCheckpoint.run(position, at, fact.session ?? null, fact.project, fact.quality, evident)
  }

  return (fact: Fact, place: FactPlace): void => {
    if (fact.type === "CHECKPOINT_RECORDED" || fact.type === "CHECKPOINT_REFUSED") takeCheckpoint(fact, place)
    else if (fact.type === "PAYLOAD_BUFFERED") {
      const told = momentsOf(fact as Buffered, place.agent, invocationOf(place.stream))
      const moments = told?.moments.map((moment) => ({ moment, at: place.at })) ?? []
      keep(place, fact.session as string, told?.subagent ?? null, "hooks", moments)
    } else if (place.session !== null && "source" in fact && fact.source === "transcript") {
      const subagent = "subagent" in fact ? (fact.subagent ?? null) : null
      const moments = observedMoments(fact, place.at, place.agent, `${place.stream} ${place.position}`)
      keep(place, place.session, subagent, "transcript", moments)
    }
  }
}

export const metricsProjection: Projection = {
  ...metricsVersion,
  types: ["PAYLOAD_BUFFERED", "CHECKPOINT_RECORDED", "CHECKPOINT_REFUSED", ...observedTypes],
  table: "metrics_moments",
  anew: [...drop, ...create],
  keep: keepWorkDays,
  forget: forgetDays({ sums: "metrics_days", of: "metrics_moments" }),
  makeFold
}
