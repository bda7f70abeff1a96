/** Where a person wants facts to be sent: kept in the state directory, which no repository brings. */
import { isAbsolute, join } from "node:path"
import * as Schema from "effect/Schema"
import { writeWhole } from "../../state/files.ts"
import { readPrivate } from "../../state/state.ts"
import { isLoopback } from "./loopback.ts"

/** The name under which a collector of hooktape's own is shipped to. */
export const collectorName = "collector"

export const sinkName = /^[a-z0-9][a-z0-9-]{0,39}$/

export const Sink = Schema.Struct({
  name: Schema.String.pipe(Schema.pattern(sinkName)),
  /** A URL, or the path of a file. */
  to: Schema.String,
  tokenFile: Schema.optionalWith(Schema.String, { exact: true }),
  /** One of ours, which knows how far it is, one of OpenTelemetry, or where Prometheus looks; else a receiver of CloudEvents. */
  kind: Schema.optionalWith(Schema.Literal("collector", "otlp", "prometheus"), { exact: true }),
  /** Its user decided that payloads are sent as well: when, milliseconds since 1970. */
  payloads: Schema.optionalWith(Schema.Struct({ decided: Schema.Number }), { exact: true }),
  /** The newest fact when it was added: what was before is not sent. */
  after: Schema.Number
})
export type Sink = typeof Sink.Type

const Sinks = Schema.parseJson(Schema.Array(Sink))

export const sinksFile = (state: string): string => join(state, "ship.json")

/** Throws where the file is not one of ours. */
export const readSinks = (state: string): readonly Sink[] => {
  const text = readPrivate(sinksFile(state))?.toString()
  return text === undefined ? [] : Schema.decodeUnknownSync(Sinks)(text)
}

export const writeSinks = (state: string, sinks: readonly Sink[]): void =>
  writeWhole(sinksFile(state), Schema.encodeSync(Sinks)(sinks))

export const isUrl = (to: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(to)

/** Why nothing may be sent there; undefined where it may. */
export const targetProblem = (to: string): string | undefined => {
  if (!isUrl(to)) return isAbsolute(to) ? undefined : "is no absolute path"
  if (!URL.canParse(to)) return "is no URL"
  const { hostname, password, protocol, username } = new URL(to)
  if (username !== "" || password !== "") return "holds a name or a password"
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return undefined
  return protocol === "http:" ? "would be sent in the clear" : "is neither https nor a file"
}

/** Why Prometheus cannot be answered there: it comes to a port of this machine, or to a file that node_exporter reads. */
export const scrapeProblem = (to: string): string | undefined => {
  if (!isUrl(to)) {
    if (!isAbsolute(to)) return "is no absolute path"
    return to.endsWith(".prom")
      ? undefined
      : "is a file whose name does not end in .prom, which node_exporter looks for"
  }
  if (!URL.canParse(to)) return "is no URL"
  const { hostname, password, port, protocol, username } = new URL(to)
  if (username !== "" || password !== "") return "holds a name or a password"
  return protocol === "http:" && isLoopback(hostname) && port !== ""
    ? undefined
    : "is no port of this machine"
}
