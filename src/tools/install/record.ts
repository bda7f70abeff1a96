/** What an installation remembers of itself, so that taking it back leaves what was there before. Kept by the caller. */
import * as Schema from "effect/Schema"
import { installAgents, scopes } from "./dialects.ts"

const Blanks = Schema.String.pipe(Schema.pattern(/^\s*$/))
const Trace = Schema.Struct({ comma: Schema.Boolean, lead: Blanks, tail: Blanks })

export const InstallRecord = Schema.Struct({
  version: Schema.Literal(1),
  agent: Schema.Literal(...installAgents),
  scope: Schema.Literal(...scopes),
  file: Schema.String,
  bin: Schema.String,
  events: Schema.Array(Schema.String),
  /** Those of the events that are called over HTTP. */
  http: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  existed: Schema.Boolean,
  /** Containers and groups we put in, by path: "", "hooks", "hooks.Stop", "hooks.Stop[]". */
  created: Schema.Record({ key: Schema.String, value: Trace }),
  /** SHA-256 of the file as we left it. */
  after: Schema.String,
  /** The topmost directory that had to be made for the file. */
  directory: Schema.optionalWith(Schema.String, { exact: true })
})
export type InstallRecord = typeof InstallRecord.Type
