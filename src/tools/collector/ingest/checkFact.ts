/** Whether an event reads as a fact that the database can keep: one that does not is parked with the reason. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { schemaVersion } from "../../../../events/schemaVersion.ts"
import { decodeFact, knownTypes } from "../../../log/validity.ts"
import { shippedSchema } from "../../shipping/shippedSchema.ts"
import { isStorable } from "../../shipping/storable.ts"
import { longestEvent } from "../../shipping/whole.ts"
import { storableText } from "../database/storableText.ts"

const text = (most: number) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(most))
const Optional = Schema.optionalWith(text(500), { exact: true })

const Event = Schema.Struct({
  specversion: Schema.Literal("1.0"),
  id: text(100),
  source: text(500),
  type: Schema.String.pipe(Schema.pattern(/^hooktape\.[a-z0-9_]{1,60}$/)),
  subject: text(500),
  time: Schema.String.pipe(Schema.pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)),
  sequence: Schema.String.pipe(Schema.pattern(/^\d{1,16}$/)),
  agent: Optional,
  agentevent: Optional,
  session: Optional,
  project: Optional,
  tooluseid: Optional,
  cause: Optional,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** A row for `append`, by the names of its columns. */
export interface FactRow {
  readonly position: number
  readonly id: string
  readonly stream: string
  readonly type: string
  readonly agent: string | undefined
  readonly agent_event: string | undefined
  readonly session: string | undefined
  readonly project: string | undefined
  readonly tool_use_id: string | undefined
  readonly cause: string | undefined
  readonly at: number
  readonly data: unknown
}

export interface ParkedRow {
  readonly position: number | undefined
  readonly problem: string
  /** As it came, cut where it is long. */
  readonly raw: string
}

export type CheckedFact = FactRow | ParkedRow

export const isParked = (row: CheckedFact): row is ParkedRow => "problem" in row

const readEvent = Schema.decodeUnknownEither(Event)

const longestProblem = 500

/** Of a type that this version knows. A newer installation may send others. */
const isOfAnotherShape = (type: string, whole: unknown): boolean =>
  knownTypes.includes(type) && !decodeFact(type, schemaVersion, whole).known

/** As it is kept: of a fact whose whole is of another shape what is sent without payloads too. Undefined where nothing is. */
const keptOf = (
  type: string,
  data: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> | undefined => {
  const { whole, ...shape } = data
  if (whole === undefined || !isOfAnotherShape(type, whole)) return data
  return shippedSchema(type) === undefined ? undefined : shape
}

const isBetween = (position: number, after: number, upto: number): boolean =>
  position > after && position <= upto

const positionIn = (value: unknown): number | undefined => {
  if (typeof value !== "object" || value === null || !("sequence" in value)) return undefined
  const { sequence } = value
  const position = typeof sequence === "string" && /^\d{1,16}$/.test(sequence) ? Number(sequence) : undefined
  return position !== undefined && Number.isSafeInteger(position) ? position : undefined
}

/** `after`, `upto`: where it may stand, behind whatever stood before it. */
export const checkFact = (value: unknown, after: number, upto: number): CheckedFact => {
  const json = JSON.stringify(value)
  const park = (problem: string): ParkedRow => ({
    position: positionIn(value),
    problem: storableText(problem, longestProblem),
    raw: storableText(json, longestEvent)
  })
  if (json.length > longestEvent) return park(`is larger than ${longestEvent} characters`)
  if (!isStorable(json)) return park("holds a character that no database keeps in JSON")
  const read = readEvent(value)
  if (Either.isLeft(read)) return park(ParseResult.TreeFormatter.formatErrorSync(read.left))
  const { right: event } = read
  const position = Number(event.sequence)
  const at = Date.parse(event.time)
  const type = event.type.slice("hooktape.".length).toUpperCase()
  if (!isBetween(position, after, upto)) return park("stands outside of its batch, or out of order")
  if (Number.isNaN(at)) return park("has no time")
  const fits = shippedSchema(type)?.(event.data)
  if (fits !== undefined && Either.isLeft(fits))
    return park(`${type}: ${ParseResult.TreeFormatter.formatErrorSync(fits.left)}`)
  const data = keptOf(type, event.data)
  if (data === undefined) return park(`${type}: what it is as a whole is none`)
  return {
    position,
    id: event.id,
    stream: event.subject,
    type,
    agent: event.agent,
    agent_event: event.agentevent,
    session: event.session,
    project: event.project,
    tool_use_id: event.tooluseid,
    cause: event.cause,
    at,
    data
  }
}

/** Each behind the one before it. */
export const checkFacts = (
  facts: readonly unknown[],
  after: number,
  upto: number
): readonly CheckedFact[] => {
  let last = after
  return facts.map((value) => {
    const row = checkFact(value, last, upto)
    if (!isParked(row)) last = row.position
    return row
  })
}
