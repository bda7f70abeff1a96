/** `hooktape adopt`: an agent's command hooks go under hooktape as they are, and come back byte for byte. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExternalDefinition } from "../../hooks/external.ts"
import { parseConfig } from "../../state/config.ts"
import { defaultDeadlineMs } from "../../state/configShape.ts"
import { fileKey } from "../../state/fileKey.ts"
import { folderOf } from "../../state/manifest.ts"
import { hashOf } from "../../trust/digest.ts"
import {
  dialects,
  type InstallAgent,
  type Scope,
  scopes,
  settingsFile,
  timeoutOf
} from "../install/dialects.ts"
import * as Doc from "../install/document.ts"
import { deleteFile, ensureDirectory, readSettings, readText, writeAtomically } from "../install/files.ts"
import { InstallError } from "../install/InstallError.ts"
import { findRegistrations } from "../install/plan.ts"
import { registrationsOf } from "../install/registrations.ts"
import { backUp } from "../install/store.ts"
import { withinProject } from "../install/withinProject.ts"
import { type Left, takenFrom } from "./takenFrom.ts"

export interface AdoptRequest {
  readonly agent: InstallAgent
  readonly scope: Exclude<Scope, "local">
  readonly state: string
  readonly project: string
  readonly userFolder: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Leaves the time that all hooks of an event have together as it is. */
  readonly keepsDeadline?: boolean
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
  /** Other settings of the agent in which hooktape stands, where it is given more time. */
  readonly others: readonly Change[]
  /** What all hooks of an event get together, in ms; undefined where what they have is enough, or is kept. */
  readonly deadlineMs: number | undefined
  readonly definitions: readonly ExternalDefinition[]
  readonly left: readonly Left[]
}

const Changed = Schema.Struct({
  file: Schema.String,
  mode: Schema.Number,
  before: Schema.NullOr(Schema.String),
  after: Schema.String
})
type Restorable = typeof Changed.Type
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

/** Where the agent calls hooktape, in whichever of its settings, and at which events. */
const registeredIn = Effect.fn("adopt.registered")(function* (request: AdoptRequest) {
  const found: {
    readonly target: string
    readonly mode: number
    readonly text: string
    readonly events: readonly string[]
  }[] = []
  for (const scope of scopes) {
    const file = Either.getOrUndefined(settingsFile({ ...request, scope }))
    const {
      mode = 0o600,
      target,
      text
    } = file === undefined ? { target: "", text: undefined } : yield* readSettings(file)
    if (text === undefined) continue
    const events = (yield* findRegistrations(target, text)).map(({ under }) => under)
    if (events.length > 0) found.push({ target, mode, text, events })
  }
  return found
})

/** What a command may take of which the agent's settings say nothing: no agent gives it less than a minute. */
const unsaidMs = 60_000
const mostMs = 600_000

/** One runs after the other here: as long as the longest of them may take. */
const needed = (definitions: readonly ExternalDefinition[]): number =>
  Math.min(
    mostMs,
    Math.max(0, ...definitions.map(({ deadline }) => (typeof deadline === "number" ? deadline : unsaidMs)))
  )

/** With time-outs that leave hooktape so much; longer ones stay. */
const withTimeouts = (agent: InstallAgent, text: string, deadlineMs: number): string => {
  const bom = Doc.bomOf(text).length
  const root = Either.getOrUndefined(Doc.parseDocument(text.slice(bom)))?.root
  return registrationsOf(root)
    .flatMap(({ handler, under }) => {
      const node = Doc.valueOf(Doc.propertyOf(handler, "timeout"))
      const wanted = timeoutOf(agent, under, deadlineMs)
      return node?.type === "number" && wanted !== undefined && Number(node.value) < wanted
        ? [{ node, wanted }]
        : []
    })
    .sort((a, b) => b.node.offset - a.node.offset)
    .reduce(
      (now, { node, wanted }) =>
        `${now.slice(0, bom + node.offset)}${wanted}${now.slice(bom + node.offset + node.length)}`,
      text
    )
}

/** The configuration with more time for all hooks of an event. */
const withDeadline = (text: string, deadlineMs: number): string => {
  const document = Either.getOrUndefined(Doc.parseDocument(text))
  if (document?.root === undefined) return text
  const node = Doc.valueOf(Doc.propertyOf(document.root, "deadlineMs"))
  return node === undefined
    ? Doc.insertLast(document, document.root, deadlineMs, "deadlineMs").text
    : `${text.slice(0, node.offset)}${deadlineMs}${text.slice(node.offset + node.length)}`
}

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
  yield* withinProject(request, file)
  yield* withinProject(request, configFile)
  const config = yield* readSettings(configFile)
  const own = config.text === undefined ? Either.right({}) : parseConfig(configFile, config.text)
  if (Either.isLeft(own))
    return yield* new InstallError({
      op: "parse",
      file: configFile,
      reason: own.left[0]?.reason ?? "cannot be read",
      remedy: "Correct it, then run the command again; nothing was changed."
    })
  const registrations = yield* registeredIn(request)
  const registered = [...new Set(registrations.flatMap(({ events }) => events))]
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
  const has = (own.right as { deadlineMs?: number }).deadlineMs ?? defaultDeadlineMs
  const wants = needed(taken.definitions)
  const deadlineMs = request.keepsDeadline === true || wants <= has ? undefined : wants
  const timed = (text: string): string =>
    deadlineMs === undefined ? text : withTimeouts(agent, text, deadlineMs)
  const configured = withExternals(config.text, taken.definitions)
  const adoption: Adoption = {
    settings: {
      file: settings.target,
      mode: settings.mode ?? 0o600,
      before: settings.text ?? null,
      after: timed(taken.text)
    },
    config: {
      file: config.target,
      mode: config.mode ?? 0o644,
      before: config.text ?? null,
      after: deadlineMs === undefined ? configured : withDeadline(configured, deadlineMs)
    },
    others: registrations
      .filter(({ target, text }) => target !== settings.target && timed(text) !== text)
      .map(({ mode, target, text }) => ({ file: target, mode, before: text, after: timed(text) })),
    deadlineMs,
    definitions: taken.definitions,
    left: taken.left
  }
  return adoption
})

/** The hooks first, then the settings without them: in between they run twice rather than not at all. */
export const writeAdoption = Effect.fn("adopt.write")(function* <E, R>(
  request: AdoptRequest,
  { config, others, settings }: Adoption,
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
  for (const { before, file } of [settings, ...others])
    if (before !== null) yield* backUp(request.state, file, before)
  yield* ensureDirectory(join(request.state, "adopted"), 0o700)
  const files = [settings, config, ...others].map(({ after, ...one }) => ({ ...one, after: hashOf(after) }))
  yield* writeAtomically("record", record, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, 0o600)
  yield* ensureDirectory(join(config.file, ".."), 0o755)
  yield* writeAtomically("write", config.file, config.after, config.mode)
  yield* between
  for (const one of others) yield* writeAtomically("write", one.file, one.after, one.mode)
  yield* writeAtomically("write", settings.file, settings.after, settings.mode)
})

/**
 * Puts all files back as they were; one that somebody changed since is not overwritten. Where that is one in which only time-outs were
 * raised, it keeps them.
 */
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
  const restored: Restorable[] = []
  for (const [nth, one] of record.files.entries()) {
    const now = (yield* readText(one.file)) ?? null
    if (now === one.before || (now !== null && hashOf(now) === one.after)) {
      restored.push(one)
      continue
    }
    // Behind the settings and the configuration stand files that were given longer time-outs.
    if (nth >= 2) continue
    return yield* new InstallError({
      op: "choose",
      file: one.file,
      reason: "it was changed since",
      remedy:
        "Take that change out, then run the command again; nothing was changed. The file as it was is in backups/."
    })
  }
  for (const { before, file: to, mode } of restored) {
    if (before === null) yield* deleteFile(to)
    else yield* writeAtomically("write", to, before, mode)
  }
  yield* deleteFile(file)
  return restored.map((one) => one.file)
})
