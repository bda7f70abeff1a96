/** `hooktape adopt`: an agent's command hooks go under hooktape as they are, and come back byte for byte. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExternalDefinition } from "../../hooks/external.ts"
import { parseConfig } from "../../state/config.ts"
import { fileKey } from "../../state/fileKey.ts"
import { folderOf } from "../../state/manifest.ts"
import { hashOf } from "../../trust/digest.ts"
import { dialects, type InstallAgent, type Scope, scopes, settingsFile } from "../install/dialects.ts"
import * as Doc from "../install/document.ts"
import { deleteFile, ensureDirectory, readSettings, readText, writeAtomically } from "../install/files.ts"
import { InstallError } from "../install/InstallError.ts"
import { findRegistrations } from "../install/plan.ts"
import { backUp } from "../install/store.ts"
import { type Left, takenFrom } from "./takenFrom.ts"

export interface AdoptRequest {
  readonly agent: InstallAgent
  readonly scope: Exclude<Scope, "local">
  readonly state: string
  readonly project: string
  readonly userFolder: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

/** A file as it was and as it becomes. Null: it is not there. */
interface Change {
  readonly file: string
  readonly mode: number
  readonly before: string | null
  readonly after: string
}

export interface Adoption {
  readonly settings: Change
  readonly config: Change
  readonly definitions: readonly ExternalDefinition[]
  readonly left: readonly Left[]
}

const Changed = Schema.Struct({
  file: Schema.String,
  mode: Schema.Number,
  before: Schema.NullOr(Schema.String),
  after: Schema.String
})
const Record = Schema.Struct({ version: Schema.Literal(1), files: Schema.Array(Changed) })
const decodeRecord = Schema.decodeUnknownOption(Schema.parseJson(Record))

const configOf = ({ project, scope, userFolder }: AdoptRequest): string =>
  join(scope === "project" ? folderOf(project) : userFolder, "config.json")

const recordOf = ({ agent, state }: AdoptRequest, settings: string): string =>
  join(state, "adopted", `${fileKey(`${agent} ${settings}`)}.json`)

const parsed = (file: string, text: string) =>
  Either.mapLeft(
    Doc.parseDocument(text),
    ({ line, reason }) =>
      new InstallError({
        op: "parse",
        file: `${file}:${line}`,
        reason,
        remedy: "Correct it, then run the command again; nothing was changed."
      })
  )

/** The events at which the agent calls hooktape, in whichever of its settings that stands. */
const registeredAt = Effect.fn("adopt.registered")(function* (request: AdoptRequest) {
  const events = new Set<string>()
  for (const scope of scopes) {
    const file = Either.getOrUndefined(settingsFile({ ...request, scope }))
    const text = file === undefined ? undefined : yield* readText(file)
    if (file === undefined || text === undefined) continue
    for (const { under } of yield* findRegistrations(file, text)) events.add(under)
  }
  return [...events]
})

/** The configuration with more external hooks in it. */
const withExternals = (text: string | undefined, definitions: readonly ExternalDefinition[]) => {
  const document = Either.getOrUndefined(Doc.parseDocument(text ?? ""))
  if (document?.root === undefined) return `${JSON.stringify({ external: definitions }, null, 2)}\n`
  const list = Doc.valueOf(Doc.propertyOf(document.root, "external"))
  if (list === undefined) return Doc.insertLast(document, document.root, definitions, "external").text
  return definitions.reduce((now, definition) => {
    const again = Either.getOrThrow(Doc.parseDocument(now))
    const at = Doc.valueOf(Doc.propertyOf(again.root, "external"))
    return at === undefined ? now : Doc.insertLast(again, at, definition).text
  }, document.text)
}

export const planAdoption = Effect.fn("adopt.plan")(function* (request: AdoptRequest) {
  const { agent } = request
  const file = yield* settingsFile(request)
  const settings = yield* readSettings(file)
  const configFile = configOf(request)
  const config = yield* readSettings(configFile)
  const own = config.text === undefined ? Either.right({}) : parseConfig(configFile, config.text)
  if (Either.isLeft(own))
    return yield* new InstallError({
      op: "parse",
      file: configFile,
      reason: own.left[0]?.reason ?? "cannot be read",
      remedy: "Correct it, then run the command again; nothing was changed."
    })
  const registered = yield* registeredAt(request)
  if (registered.length === 0)
    return yield* new InstallError({
      op: "choose",
      file: "",
      reason: `${dialects[agent].name} does not call hooktape yet`,
      remedy: `Run "hooktape install --agent ${agent}" first: what is adopted runs through it.`
    })
  const text = settings.text ?? ""
  const { root } = yield* parsed(file, text)
  const taken = takenFrom({
    agent,
    text,
    root,
    registered,
    names: (own.right as { external?: readonly { name: string }[] }).external?.map(({ name }) => name) ?? []
  })
  const adoption: Adoption = {
    settings: {
      file: settings.target,
      mode: settings.mode ?? 0o600,
      before: settings.text ?? null,
      after: taken.text
    },
    config: {
      file: config.target,
      mode: config.mode ?? 0o644,
      before: config.text ?? null,
      after: withExternals(config.text, taken.definitions)
    },
    definitions: taken.definitions,
    left: taken.left
  }
  return adoption
})

/** The hooks first, then the settings without them: in between they run twice rather than not at all. */
export const writeAdoption = Effect.fn("adopt.write")(function* <E, R>(
  request: AdoptRequest,
  { config, settings }: Adoption,
  /** Once the hooks stand, and before the agent's own are gone. */
  between: Effect.Effect<void, E, R>
) {
  const record = recordOf(request, settings.file)
  if ((yield* readText(record)) !== undefined)
    return yield* new InstallError({
      op: "choose",
      file: settings.file,
      reason: "hooks of it were adopted before",
      remedy: 'Run "hooktape adopt --undo" first, then adopt all of them.'
    })
  if (settings.before !== null) yield* backUp(request.state, settings.file, settings.before)
  yield* ensureDirectory(join(request.state, "adopted"), 0o700)
  const files = [settings, config].map(({ after, ...one }) => ({ ...one, after: hashOf(after) }))
  yield* writeAtomically("record", record, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, 0o600)
  yield* ensureDirectory(join(config.file, ".."), 0o755)
  yield* writeAtomically("write", config.file, config.after, config.mode)
  yield* between
  yield* writeAtomically("write", settings.file, settings.after, settings.mode)
})

/** Puts both files back as they were; one that somebody changed since is not overwritten. */
export const undoAdoption = Effect.fn("adopt.undo")(function* (request: AdoptRequest) {
  const { target } = yield* readSettings(yield* settingsFile(request))
  const file = recordOf(request, target)
  const record = Option.getOrUndefined(decodeRecord((yield* readText(file)) ?? ""))
  if (record === undefined)
    return yield* new InstallError({
      op: "choose",
      file: target,
      reason: "nothing of it was adopted",
      remedy: "There is nothing to undo."
    })
  for (const one of record.files) {
    const now = (yield* readText(one.file)) ?? null
    if (now === one.before || (now !== null && hashOf(now) === one.after)) continue
    return yield* new InstallError({
      op: "choose",
      file: one.file,
      reason: "it was changed since",
      remedy:
        "Take that change out, then run the command again; nothing was changed. The file as it was is in backups/."
    })
  }
  for (const { before, file: to, mode } of record.files) {
    if (before === null) yield* deleteFile(to)
    else yield* writeAtomically("write", to, before, mode)
  }
  yield* deleteFile(file)
  return record.files.map((one) => one.file)
})
