/** What a settings file becomes when our hooks are registered or removed: text in, text out, nothing else touched. */
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import * as Either from "effect/Either"
import { getNodeValue, type Node } from "jsonc-parser"
import { commandLine } from "./command.ts"
import { dialects, type InstallAgent, type Scope, timeoutOf } from "./dialects.ts"
import * as Doc from "./document.ts"
import { isListed } from "./entries.ts"
import { type HttpTarget, httpHook } from "./httpHook.ts"
import { InstallError } from "./InstallError.ts"
import type { InstallRecord } from "./record.ts"
import { type Registration, registrationsOf, withoutOne } from "./registrations.ts"
import { sharedLine } from "./sharedHook.ts"
import { shown, type WindowsNode, windowsFields } from "./windows.ts"

export interface Change {
  readonly event: string
  readonly kind: "added" | "replaced" | "removed"
  /** The command or the address that stands there now, or stood there until now. */
  readonly command: string
}

/** Which events are called over HTTP, and where. */
export interface OverHttp {
  readonly target: HttpTarget
  readonly events: readonly string[]
}

export interface InstallInput {
  /** `undefined`: there is no such file. */
  readonly currentText: string | undefined
  /** For messages and the record. */
  readonly file: string
  readonly agent: InstallAgent
  readonly scope: Scope
  readonly events: readonly string[]
  readonly bin: string
  /** The entries call the script that the repository carries, and not `bin`. */
  readonly shared?: boolean | undefined
  readonly http?: OverHttp | undefined
  /** On Windows: what starts `bin` there. */
  readonly windows?: WindowsNode | undefined
  readonly previousRecord?: InstallRecord | undefined
  readonly deadlineMs?: number | undefined
}

export interface InstallPlan {
  readonly nextText: string
  /** Empty exactly when `nextText` is the current text. */
  readonly changes: readonly Change[]
  readonly record: InstallRecord
}

export interface UninstallPlan {
  /** `undefined`: nothing was there before us, the file is to be deleted. */
  readonly nextText: string | undefined
  readonly changes: readonly Change[]
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const unusable = (file: string, { line, column, reason }: Doc.Malformed): InstallError =>
  new InstallError({
    op: "parse",
    file,
    reason: `line ${line}, column ${column}: ${reason}`,
    remedy: "Correct the file, then run the command again; nothing was changed."
  })

const parse = (file: string, text: string): Either.Either<Doc.Document, InstallError> =>
  Either.mapLeft(Doc.parseDocument(text.slice(Doc.bomOf(text).length)), (malformed) =>
    unusable(file, malformed)
  )

/** All entries of ours in a settings file. */
export const findRegistrations = (
  file: string,
  text: string
): Either.Either<readonly Registration[], InstallError> =>
  Either.map(parse(file, text), ({ root }) => registrationsOf(root))

/** The address in place of a command; undefined for a command. */
const httpFor = ({ agent, deadlineMs, http }: InstallInput, event: string) =>
  http?.events.includes(event)
    ? httpHook(http.target, agent, event, timeoutOf(agent, event, deadlineMs))
    : undefined

/** What a repository carries names nothing of whoever wrote it. */
const startFor = ({ agent, bin, shared, windows }: InstallInput, event: string) => {
  if (shared === true) return { command: sharedLine(agent, event) }
  return windows === undefined
    ? { command: commandLine(bin, agent, event) }
    : (windowsFields(windows, { agent, bin, event }) ?? {})
}

/** On Windows not everything can be registered: a line that a shell there reads as another one must not be written. */
const unwritable = (input: InstallInput): InstallError | undefined => {
  const { agent, bin, file, shared, windows } = input
  if (windows === undefined) return undefined
  if (shared === true)
    return new InstallError({
      op: "choose",
      file,
      reason: "what a repository carries for everyone is a shell script, which Windows does not start",
      remedy: "Use --scope user."
    })
  if (windowsFields(windows, { agent, bin, event: "Event" }) !== undefined) return undefined
  return new InstallError({
    op: "choose",
    file,
    reason: `${dialects[agent].name} takes one command line, and no shell of Windows is sure to read "${windows.node}" and "${bin}" in it as they are`,
    remedy:
      "Put Node, and HOOKTAPE_HOME, where the path has a drive and no signs but letters from a to z, digits, dots, hyphens and underscores."
  })
}

const handlerFor = (input: InstallInput, event: string) => {
  const http = httpFor(input, event)
  if (http !== undefined) return http
  const timeout = timeoutOf(input.agent, event, input.deadlineMs)
  const limit = timeout === undefined ? {} : { timeout }
  const start = startFor(input, event)
  switch (dialects[input.agent].entries) {
    case "bare":
      return { ...start, ...limit }
    case "listed":
      return { name: `hooktape ${event}`, trigger: event, action: { type: "command", ...start }, ...limit }
    default:
      return { type: "command", ...start, ...limit }
  }
}

/** No matcher: all sources, all tools. */
const groupFor = (input: InstallInput, event: string) =>
  dialects[input.agent].entries === undefined
    ? { hooks: [handlerFor(input, event)] }
    : handlerFor(input, event)

const listed = ({ agent }: InstallInput): boolean => dialects[agent].entries === "listed"

const matchesAll = (group: Node): boolean => {
  const matcher = Doc.valueOf(Doc.propertyOf(group, "matcher"))
  return matcher === undefined || matcher.value === "" || matcher.value === "*"
}

/** The parser's objects have no prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const isRight = (input: InstallInput, root: Node | undefined, one: Registration): boolean =>
  // Of a name written twice only the last is in force.
  Doc.propertyOf(root, "hooks") === one.hooksProperty &&
  (isListed(one) || Doc.propertyOf(one.hooks, one.under) === one.eventProperty) &&
  matchesAll(one.group) &&
  isDeepStrictEqual(plain(getNodeValue(one.handler)), handlerFor(input, one.under))

const isInstalled = (input: InstallInput, root: Node | undefined, ours: readonly Registration[]): boolean =>
  ours.length === input.events.length &&
  input.events.every((event) => ours.some((one) => one.under === event && isRight(input, root, one)))

const addedBehind: Doc.Trace = { comma: true, lead: "", tail: "" }

interface Inserted {
  readonly text: string
  readonly created: InstallRecord["created"]
}

const notA = (input: InstallInput, text: string, node: Node, path: string, type: string): InstallError =>
  unusable(input.file, Doc.malformedAt(text, node.offset, `${path} is ${node.type}, ${type} is expected`))

/** Behind everything that is there: a foreign hook of the same event keeps its place before ours. */
const insertAll = (input: InstallInput, base: string): Either.Either<Inserted, InstallError> =>
  Either.gen(function* () {
    const created: Record<string, Doc.Trace> = {}
    const bom = Doc.bomOf(base)
    let document = yield* parse(input.file, base)
    const all = listed(input)
      ? input.events.map((event) => groupFor(input, event))
      : Object.fromEntries(input.events.map((event) => [event, [groupFor(input, event)]]))

    if (document.root === undefined) {
      const { text, trace } = Doc.insertRoot(document.text, { ...dialects[input.agent].opening, hooks: all })
      for (const event of input.events) created[`hooks.${event}`] = addedBehind
      return { text: bom + text, created: { ...created, "": trace, hooks: addedBehind } }
    }
    if (document.root.type !== "object") {
      return yield* Either.left(notA(input, document.text, document.root, "the file", "an object"))
    }
    const hooks = Doc.valueOf(Doc.propertyOf(document.root, "hooks"))
    if (hooks === undefined) {
      const { text, trace } = Doc.insertLast(document, document.root, all, "hooks")
      for (const event of input.events) created[`hooks.${event}`] = addedBehind
      return { text: bom + text, created: { ...created, hooks: trace } }
    }
    const [type, called] = listed(input) ? ["array", "an array"] : ["object", "an object"]
    if (hooks.type !== type) {
      return yield* Either.left(notA(input, document.text, hooks, '"hooks"', called))
    }
    for (const event of input.events) {
      const current: Node = Doc.valueOf(Doc.propertyOf(document.root, "hooks")) ?? hooks
      const groups = listed(input) ? current : Doc.valueOf(Doc.propertyOf(current, event))
      if (groups !== undefined && groups.type !== "array") {
        return yield* Either.left(notA(input, document.text, groups, `"hooks.${event}"`, "an array"))
      }
      const { text, trace } =
        groups === undefined
          ? Doc.insertLast(document, current, [groupFor(input, event)], event)
          : Doc.insertLast(document, groups, groupFor(input, event))
      created[groups === undefined ? `hooks.${event}` : `hooks.${event}[]`] = trace
      document = yield* parse(input.file, text)
    }
    return { text: bom + document.text, created }
  })

const changesBetween = (
  input: InstallInput,
  ours: readonly Registration[],
  root: Node | undefined
): readonly Change[] => {
  const changes: Change[] = []
  for (const event of input.events) {
    const before = ours.filter((one) => one.under === event)
    const [only] = before
    if (only !== undefined && before.length === 1 && isRight(input, root, only)) continue
    const command = httpFor(input, event)?.url ?? shown(startFor(input, event))
    changes.push({ event, kind: only === undefined ? "added" : "replaced", command })
  }
  const gone = ours.filter((one) => !input.events.includes(one.under))
  return [
    ...changes,
    ...gone.map(({ under, command }): Change => ({ event: under, kind: "removed", command }))
  ]
}

export const planUninstall = (
  file: string,
  currentText: string,
  record?: InstallRecord
): Either.Either<UninstallPlan, InstallError> =>
  Either.gen(function* () {
    const bom = Doc.bomOf(currentText)
    const exact = record !== undefined && sha256(currentText) === record.after
    let document = yield* parse(file, currentText)
    const changes: Change[] = []
    for (;;) {
      const { text, root } = document
      // From the back: what was put in last stands last, and its comma goes with it.
      const one = registrationsOf(root).at(-1)
      if (one === undefined || root === undefined) break
      changes.unshift({ event: one.under, kind: "removed", command: one.command })
      document = yield* parse(file, bom + withoutOne(text, root, one, record, exact))
    }
    const emptied = changes.length > 0 && document.root === undefined && document.text.trim() === ""
    const ours = record !== undefined && !record.existed && emptied
    return { nextText: ours ? undefined : bom + document.text, changes }
  })

export const planInstall = (input: InstallInput): Either.Either<InstallPlan, InstallError> =>
  Either.gen(function* () {
    const { agent, scope, file, bin, events, previousRecord, currentText } = input
    const obstacle = unwritable(input)
    if (obstacle !== undefined) return yield* Either.left(obstacle)
    const overHttp = events.filter((event) => input.http?.events.includes(event))
    const http = overHttp.length === 0 ? {} : { http: overHttp }
    const fresh = { version: 1, agent, scope, file, bin, events, ...http } as const
    const current = yield* parse(file, currentText ?? "")
    const ours = registrationsOf(current.root)

    if (currentText !== undefined && isInstalled(input, current.root, ours)) {
      // Nothing to do, and nothing known of what was there before if the record is lost.
      const created = Object.fromEntries(events.flatMap((event) => [[`hooks.${event}`, addedBehind]]))
      const adopted = { ...fresh, existed: true, created: { ...created, hooks: addedBehind }, after: "" }
      return { nextText: currentText, changes: [], record: previousRecord ?? adopted }
    }
    // Back to what it was without us, then in again: an update leaves exactly what a first installation would.
    const base =
      currentText === undefined
        ? undefined
        : (yield* planUninstall(file, currentText, previousRecord)).nextText
    const { text, created } = yield* insertAll(input, base ?? "")
    const record: InstallRecord = { ...fresh, existed: base !== undefined, created, after: sha256(text) }
    return { nextText: text, changes: changesBetween(input, ours, current.root), record }
  })
