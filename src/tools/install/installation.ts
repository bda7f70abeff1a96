/** Registering our hooks in an agent's settings file and taking them out again, with everything the CLI has to say. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { hookFile } from "../../state/startedFiles.ts"
import { stateOf } from "./command.ts"
import { companionOf, dropCompanion, isCompanionRight, placeCompanion } from "./companion.ts"
import { type Concern, concernsOf, missingCompanion } from "./concerns.ts"
import { fileBeside, type InstallAgent, type Place, type Scope, settingsFile } from "./dialects.ts"
import { unifiedDiff } from "./diff.ts"
import { type Choice, chooseEvents, defaultEvents } from "./events.ts"
import {
  deleteFile,
  ensureDirectory,
  readSettings,
  readText,
  removeEmptyDirectories,
  type Settings,
  writeAtomically
} from "./files.ts"
import { withoutTokens } from "./httpHook.ts"
import { InstallError } from "./InstallError.ts"
import { otherScopes } from "./otherScopes.ts"
import { type Change, findRegistrations, type OverHttp, planInstall, planUninstall } from "./plan.ts"
import type { InstallRecord } from "./record.ts"
import type { Registration } from "./registrations.ts"
import { isSharedHook, ownRegistration, sharedHookFile, sharedHookText } from "./sharedHook.ts"
import { dropSharedHook, isSharedHookRight, placeSharedHook } from "./sharing.ts"
import { backUp, deleteRecord, readRecord, writeRecord } from "./store.ts"
import { windowsNode } from "./windows.ts"
import { withinProject } from "./withinProject.ts"

export interface InstallRequest extends Place, Choice {
  /** The state directory: records, backups, and by default the command. */
  readonly state: string
  /** What the agents start; `<state>/bin/hook` unless given, on Windows `<state>/bin/hook.cjs`. */
  readonly bin?: string | undefined
  /** Events that are called over HTTP in place of a command, where the agent can. */
  readonly http?: OverHttp | undefined
  /** The general deadline, where it was raised above its default. */
  readonly deadlineMs?: number | undefined
  /** Whose agents they are; this process's own unless given. */
  readonly platform?: NodeJS.Platform | undefined
  /** Says what would change and writes nothing, not even a backup. */
  readonly dryRun?: boolean | undefined
}

export type UninstallRequest = Pick<InstallRequest, keyof Place | "state" | "dryRun">

/** What the facts HOOKS_INSTALLED and HOOKS_REMOVED are made of, and what there is to show. */
export interface Outcome {
  readonly agent: InstallAgent
  readonly scope: Scope
  /** As the agent finds it, before links are followed. */
  readonly file: string
  /** What lies beside, for the agent to act on it. */
  readonly companion?: string | undefined
  /** Registered now; for uninstall: taken out. */
  readonly events: readonly string[]
  /** Those of the events that are called over HTTP. */
  readonly overHttp: readonly string[]
  readonly changes: readonly Change[]
  /** Whether the file is different now, or would be. */
  readonly changed: boolean
  readonly backup: string | undefined
  readonly diff: string
  readonly concerns: readonly Concern[]
}

const binOf = ({ bin, platform, state }: Pick<InstallRequest, "state" | "bin" | "platform">): string =>
  bin ?? hookFile(state, platform)

const textBeside = (place: Place, settings: string): Effect.Effect<string | undefined> => {
  const file = fileBeside(place, settings)
  return file === undefined
    ? Effect.succeed(undefined)
    : Effect.orElseSucceed(readText(file), () => undefined)
}

/** Ours, or that of the installation whose entries stand in the file. */
const previousRecord = Effect.fn("install.previousRecord")(function* (
  state: string,
  { target, text }: Settings
) {
  const own = yield* readRecord(state, target)
  if (own !== undefined || text === undefined) return own
  const bins = (yield* findRegistrations(target, text)).map(({ bin }) => bin)
  const others = new Set(bins.filter((bin) => !isSharedHook(bin)).map(stateOf))
  for (const other of others) {
    const record = yield* readRecord(other, target)
    if (record !== undefined) return record
  }
  return undefined
})

/** The plan was made from this text: a file that someone else wrote in the meantime is not overwritten. */
const unchanged = Effect.fn("install.unchanged")(function* ({ target, text }: Settings) {
  if ((yield* readText(target)) === text) return
  return yield* new InstallError({
    op: "write",
    file: target,
    reason: "another program changed it at the same moment",
    remedy: "Run the command again; nothing was changed."
  })
})

/** The token is for this user's agents. */
const exposed = (file: string, mode: number | undefined, overHttp: readonly unknown[]): readonly Concern[] =>
  overHttp.length > 0 && mode !== undefined && process.platform !== "win32" && (mode & 0o077) !== 0
    ? [
        {
          level: "warn",
          message: `${file} holds the token of the HTTP hooks, and others can read it. Run: chmod 600 '${file}'`
        }
      ]
    : []

const privateUnlessShared = (scope: Scope): number => (scope === "project" ? 0o644 : 0o600)

/** Tells the repositories' script that this user is answered by a registration of their own; also where nothing else is to be done. */
const noteOwn = ({ agent, scope, state }: InstallRequest, target: string) =>
  scope === "user"
    ? ensureDirectory(dirname(ownRegistration(state, agent)), 0o700).pipe(
        Effect.zipRight(writeAtomically("record", ownRegistration(state, agent), `${target}\n`, 0o600))
      )
    : Effect.void

export const install = Effect.fn("install.install")(function* (request: InstallRequest) {
  const { agent, scope, state, deadlineMs, project } = request
  const shared = scope === "project"
  const file = yield* settingsFile(request)
  yield* withinProject(request, file)
  if (shared) yield* withinProject(request, sharedHookFile(project))
  const events = yield* chooseEvents(agent, { ...request, shared })
  const settings = yield* readSettings(file)
  const { target, text } = settings
  const previous = yield* previousRecord(state, settings)
  const plan = yield* planInstall({
    agent,
    scope,
    file: target,
    events,
    bin: binOf(request),
    shared,
    currentText: text,
    previousRecord: previous,
    http: request.http,
    windows: windowsNode(request.platform),
    deadlineMs
  })
  const overHttp = plan.record.http ?? []
  const script = sharedHookFile(project)
  const isPlaced = !shared || (yield* isSharedHookRight(project))
  const companion = companionOf(agent, target)
  if (companion !== undefined) yield* withinProject(request, companion.file)
  const isAccompanied = yield* isCompanionRight(companion)
  const outcome = {
    agent,
    scope,
    file,
    companion: companion?.file,
    events,
    overHttp,
    changes: plan.changes,
    changed: plan.nextText !== text || !isPlaced || !isAccompanied,
    diff:
      withoutTokens(unifiedDiff(file, text, plan.nextText)) +
      (isPlaced ? "" : unifiedDiff(script, yield* readText(script), sharedHookText)) +
      (companion === undefined || isAccompanied
        ? ""
        : unifiedDiff(companion.file, yield* readText(companion.file), companion.text)),
    concerns: [
      ...exposed(target, settings.mode, overHttp),
      ...concernsOf(request, plan.nextText, yield* textBeside(request, file)),
      ...(yield* otherScopes({ ...request, bin: binOf(request) }, file, plan.nextText))
    ]
  }
  if (request.dryRun === true) return { ...outcome, backup: undefined } satisfies Outcome
  yield* noteOwn(request, target)
  // Before the entries that call it.
  if (!isPlaced) yield* placeSharedHook(project)
  if (plan.nextText === text) {
    yield* placeCompanion(companion, scope, state)
    return { ...outcome, backup: undefined } satisfies Outcome
  }

  const backup = text === undefined ? undefined : yield* backUp(state, target, text)
  const made = yield* ensureDirectory(dirname(target), scope === "project" ? 0o755 : 0o700)
  const directory = made ?? (plan.record.existed ? undefined : previous?.directory)
  const record: InstallRecord = directory === undefined ? plan.record : { ...plan.record, directory }
  // Before the file: a record with nothing to it is harmless, entries that nobody remembers are not.
  yield* writeRecord(state, target, record)
  yield* unchanged(settings)
  yield* writeAtomically(
    "write",
    target,
    plan.nextText,
    settings.mode ?? privateUnlessShared(scope),
    settings.owner
  )
  yield* placeCompanion(companion, scope, state)
  return { ...outcome, backup } satisfies Outcome
})

export const uninstall = Effect.fn("install.uninstall")(function* (request: UninstallRequest) {
  const { agent, scope, state } = request
  const file = yield* settingsFile(request)
  const settings = yield* readSettings(file)
  const { target, text } = settings
  const record = yield* previousRecord(state, settings)
  const plan =
    text === undefined ? { nextText: text, changes: [] } : yield* planUninstall(target, text, record)
  const outcome = {
    agent,
    scope,
    file,
    events: [...new Set(plan.changes.map(({ event }) => event))],
    overHttp: [],
    changes: plan.changes,
    changed: plan.nextText !== text,
    diff: withoutTokens(unifiedDiff(file, text, plan.nextText)),
    concerns: []
  }
  if (request.dryRun === true) return { ...outcome, backup: undefined } satisfies Outcome
  yield* dropCompanion(companionOf(agent, target))
  let backup: string | undefined
  if (outcome.changed && text !== undefined) {
    backup = yield* backUp(state, target, text)
    yield* unchanged(settings)
    if (plan.nextText === undefined) {
      yield* deleteFile(target)
      if (record?.directory !== undefined) yield* removeEmptyDirectories(target, record.directory)
    } else {
      yield* writeAtomically(
        "write",
        target,
        plan.nextText,
        settings.mode ?? privateUnlessShared(scope),
        settings.owner
      )
    }
  }
  yield* deleteRecord(state, target)
  if (scope === "user") yield* deleteFile(ownRegistration(state, agent))
  if (scope === "project") yield* dropSharedHook(request)
  return { ...outcome, backup } satisfies Outcome
})

/** How things stand in one settings file, for `doctor`. */
export interface Inspection {
  readonly agent: InstallAgent
  readonly scope: Scope
  readonly file: string
  readonly exists: boolean
  /** Entries of ours; `current` where they start this state directory's command. */
  readonly registered: readonly (Pick<Registration, "event" | "bin" | "http"> & {
    readonly current: boolean
  })[]
  /** Events of the default that are not registered; all of them where nothing is installed. */
  readonly missing: readonly string[]
  readonly concerns: readonly Concern[]
}

export const inspect = Effect.fn("install.inspect")(function* (
  request: Pick<InstallRequest, keyof Place | "state" | "bin" | "handled" | "platform">
) {
  const { agent, scope } = request
  const file = yield* settingsFile(request)
  const { target, text, mode } = yield* readSettings(file)
  const found = text === undefined ? [] : yield* findRegistrations(target, text)
  const isRight = yield* isSharedHookRight(request.project)
  const companion = companionOf(agent, target)
  const unaccompanied: readonly Concern[] =
    companion === undefined || (yield* isCompanionRight(companion))
      ? []
      : [missingCompanion(request, companion.file)]
  const registered = found.map(({ under, bin, http }) => ({
    event: under,
    bin: isSharedHook(bin) ? sharedHookFile(request.project) : bin,
    current: isSharedHook(bin) ? isRight : bin === binOf(request),
    ...(http === undefined ? {} : { http })
  }))
  const overHttp = found.filter(({ http }) => http !== undefined)
  const beside = yield* textBeside(request, file)
  return {
    agent,
    scope,
    file,
    exists: text !== undefined,
    registered,
    missing: defaultEvents(agent, { handled: request.handled, shared: scope === "project" }).filter(
      (event) => !registered.some((one) => one.event === event)
    ),
    concerns:
      text === undefined || found.length === 0
        ? []
        : [...unaccompanied, ...exposed(target, mode, overHttp), ...concernsOf(request, text, beside)]
  } satisfies Inspection
})
