/** Moments as findings of a payload: the same for figures, without paths, lines and command lines. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { FoundMoment } from "../../../events/findings.ts"
import type { CheckRun, Edited, Moment } from "./Moment.ts"

/** Turns a text into one that tells nobody anything, the same each time. */
export type Hide = (text: string) => string

/** Parts of a path by themselves, so that what lies below a folder still does. */
const hiddenPath = (path: string, hide: Hide): string =>
  path
    .split("/")
    .map((part) => (/^\.{0,3}$/.test(part) ? part : hide(part)))
    .join("/")

const foundCheck = ({ folder, program, purpose, targets }: CheckRun, hide: Hide) => ({
  purpose,
  folder: hiddenPath(folder, hide),
  program: hide(program),
  targets: targets.map((target) => hiddenPath(target, hide))
})

const foundEdit = ({ added, path, removed }: Edited, hide: Hide) => ({
  file: hide(path),
  added: added.length,
  removed: removed.length
})

/** What does not come from a payload has none. */
export const foundMoment = (moment: Moment, hide: Hide): FoundMoment | undefined => {
  switch (moment.kind) {
    case "prompt": {
      const { turn, ...rest } = moment
      return turn === null ? rest : { ...rest, turn }
    }
    case "call-ended": {
      const { checks, commits, edits, ...rest } = moment
      return {
        ...rest,
        ...(checks === undefined ? {} : { checks: checks.map((one) => foundCheck(one, hide)) }),
        ...(edits === undefined ? {} : { edits: edits.map((one) => foundEdit(one, hide)) }),
        ...(commits === undefined ? {} : { commits })
      }
    }
    case "usage":
    case "call-settled":
      return undefined
    default:
      return moment
  }
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const Yes = Schema.Literal(true)
const Tool = Schema.Literal("shell", "read", "edit", "search", "web", "mcp", "task", "other")
const call = { use: Schema.String, name: Schema.String, tool: Tool, isUnnamed: optional(Yes) }

const Found = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("prompt"),
    turn: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
    isHuman: Schema.Boolean
  }),
  Schema.Struct({ kind: Schema.Literal("call-started"), ...call }),
  Schema.Struct({ kind: Schema.Literal("permission"), use: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("call-ended"),
    ...call,
    isBatch: optional(Yes),
    told: Schema.Literal("ok", "failed", "denied", "rejected", "stopped", "untold"),
    verdict: Schema.Literal("pass", "fail", "unknown"),
    error: optional(Schema.Literal("misuse", "environment", "check", "denied", "other")),
    looks: optional(Yes),
    checks: optional(
      Schema.Array(
        Schema.Struct({
          purpose: Schema.Literal("tests", "build", "types", "lint"),
          folder: Schema.String,
          program: Schema.String,
          targets: Schema.Array(Schema.String)
        })
      )
    ),
    edits: optional(
      Schema.Array(Schema.Struct({ file: Schema.String, added: Schema.Number, removed: Schema.Number }))
    ),
    commits: optional(Schema.Array(Schema.String))
  }),
  Schema.Struct({ kind: Schema.Literal("stop", "interrupt", "compact", "start", "end", "seen") })
)

const decode = Schema.decodeUnknownOption(Found)

/** `seen` where a field of it was not shipped: something happened. */
export const momentFound = (found: FoundMoment): Moment =>
  Option.match(decode(found), {
    onNone: (): Moment => ({ kind: "seen" }),
    onSome: (moment): Moment => {
      if (moment.kind !== "call-ended") return moment
      const { edits, ...rest } = moment
      if (edits === undefined) return rest
      return {
        ...rest,
        edits: edits.map(({ added, file, removed }) => ({
          path: file,
          added: [],
          removed: [],
          counted: { added, removed }
        }))
      }
    }
  })
