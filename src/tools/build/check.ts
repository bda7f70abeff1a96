/** Checks what a hook file exports, with the line where each mistake stands. */
import { agents, canonicalEvents, derivedEvents } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { lifecycle, type Moment } from "../../../events/lifecycle.ts"
import { deliveryProblem } from "../../hooks/delivery.ts"
import { durationProblem } from "../../hooks/duration.ts"
import { limitProblems } from "../../hooks/limitProblems.ts"
import { didYouMean, type Problem } from "../../hooks/Problem.ts"
import type { HookFile } from "../../runtime/builds/discover.ts"
import type { HookSettings } from "../../state/configShape.ts"
import type { Described, DescribedExport } from "./report.ts"

/** A checked hook: where it is and what it subscribes to. */
export interface FoundHook {
  readonly file: string
  /** Whose it is; `hooktape` ships some itself. */
  readonly owner: HookFile["owner"] | "hooktape"
  /** The export, and the place in it if it is a list. */
  readonly name: string
  readonly path: readonly number[]
  readonly hook: string
  readonly on: readonly string[]
  readonly priority: number | undefined
  readonly enabled: boolean
  readonly deadline: Described | undefined
  /** Of those that are shipped: a project can neither replace it nor change its settings. */
  readonly guards?: true
  /** It is a command with conditions that need no code of anybody's: what stands for it in a bundle is ours. */
  readonly isCommand?: true
  /** Of hooktape's own: the key of the configuration that switches it off together with others. */
  readonly part?: "learning"
  /** Of hooktape's own: the option of others' hooks for whose sake a build has it. */
  readonly serves?: "deliver"
  /** As it was when it was built. */
  readonly fields: DescribedExport["fields"]
  readonly metadata?: JsonObject
  /** Where a person looks for it, where `file` is what was kept of it. */
  readonly origin?: string
  /** Of what a project or the user brings: the digest of its content. */
  readonly digest?: string
  /** The directory whose hook it is. */
  readonly level?: string
  /** Of a project's: what its own level's configuration says of it. */
  readonly settings?: HookSettings
  /** When its content was trusted, milliseconds since 1970. */
  readonly trustedAt?: number
}

const hookKeys = [
  "name",
  "on",
  "when",
  "priority",
  "deadline",
  "onFailure",
  "ifCannotAsk",
  "agents",
  "enabled",
  "background",
  "whenFull",
  "deliver",
  "once",
  "cooldown",
  "rateLimit",
  "retry",
  "metadata",
  "settings",
  "needsDirectory",
  "final",
  "run",
  "onError"
]
const whenKeys = ["tool", "toolName", "command", "path", "project", "agent", "matches"]
const toolKinds = ["shell", "read", "edit", "search", "web", "mcp", "task", "other"]
const known: readonly string[] = [...canonicalEvents, ...derivedEvents]

type Complaint = Pick<Problem, "reason" | "remedy"> & {
  /** What to look for in the source. */
  readonly near: string
}

const isRecord = (value: Described | undefined): value is { readonly [key: string]: Described } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const kindOf = (value: Described | undefined): string | undefined =>
  isRecord(value) && typeof value["kind"] === "string" ? value["kind"] : undefined

const texts = (value: Described | undefined): readonly string[] | undefined => {
  const list = Array.isArray(value) ? (value as readonly Described[]) : [value]
  return list.every((item): item is string => typeof item === "string") ? list : undefined
}

/** Whoever comes from another hook manager knows the event by the name it has there. */
const remedyFor = (event: string): string => {
  const moments: Readonly<Record<string, Moment>> = lifecycle
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined
  return moment === undefined ? didYouMean(event, known) : `Here it is called "${moment.event}".`
}

const checkOn = (value: Described | undefined): readonly Complaint[] => {
  const events = texts(value)
  if (events === undefined || events.length === 0) {
    return [
      {
        near: "on",
        reason: "`on` must be an event or a list of events",
        remedy: 'For example: on: "tool.before"'
      }
    ]
  }
  return events.flatMap((event) =>
    known.includes(event) || /^agent\.[A-Za-z0-9_.:-]+$/.test(event)
      ? []
      : [{ near: event, reason: `there is no event "${event}"`, remedy: remedyFor(event) }]
  )
}

const checkOneOf = (
  key: string,
  value: Described | undefined,
  options: readonly string[]
): readonly Complaint[] => {
  if (value === undefined) return []
  const chosen = texts(value)
  if (chosen === undefined) return [{ near: key, reason: `\`${key}\` must be one of ${options.join(", ")}` }]
  return chosen.flatMap((word) =>
    options.includes(word)
      ? []
      : [{ near: word, reason: `\`${key}\` cannot be "${word}"`, remedy: didYouMean(word, options) }]
  )
}

const checkKeys = (what: string, value: object, keys: readonly string[]): readonly Complaint[] =>
  Object.keys(value).flatMap((key) =>
    keys.includes(key)
      ? []
      : [{ near: key, reason: `${what} has no \`${key}\``, remedy: didYouMean(key, keys) }]
  )

const checkWhen = (when: Described | undefined): readonly Complaint[] => {
  if (when === undefined) return []
  if (!isRecord(when) || kindOf(when) !== undefined) {
    return [
      { near: "when", reason: "`when` must be an object", remedy: 'For example: when: { tool: "shell" }' }
    ]
  }
  const patterns = ["toolName", "command"].flatMap((key) => {
    const value = when[key]
    const isList = key === "toolName" && texts(value) !== undefined
    return value === undefined || typeof value === "string" || isList || kindOf(value) === "pattern"
      ? []
      : [{ near: key, reason: `\`when.${key}\` must be a text or a regular expression` }]
  })
  const globs = ["path", "project"].flatMap((key) =>
    when[key] === undefined || texts(when[key]) !== undefined
      ? []
      : [{ near: key, reason: `\`when.${key}\` must be a glob or a list of globs` }]
  )
  const predicate =
    when["matches"] === undefined || kindOf(when["matches"]) === "function"
      ? []
      : [
          {
            near: "matches",
            reason: "`when.matches` must be a function",
            remedy: 'For example: matches: ({ tool }) => tool.name.startsWith("mcp__")'
          }
        ]
  return [
    ...checkKeys("`when`", when, whenKeys),
    ...checkOneOf("tool", when["tool"], toolKinds),
    ...checkOneOf("agent", when["agent"], agents),
    ...predicate,
    ...patterns,
    ...globs
  ]
}

const checkFields = (fields: DescribedExport["fields"]): readonly Complaint[] => {
  const { background, deadline, enabled, name, onFailure, priority, run, settings } = fields
  const complaints: Complaint[] = []
  if (typeof name !== "string" || !/^\S(.{0,98}\S)?$/.test(name)) {
    complaints.push({ near: "name", reason: "a hook needs a `name` of 1 to 100 characters on one line" })
  }
  complaints.push(
    ...checkKeys("a hook", fields, hookKeys),
    ...checkOn(fields["on"]),
    ...checkWhen(fields["when"])
  )
  if (
    priority !== undefined &&
    !(Number.isInteger(priority) && Number(priority) >= 0 && Number(priority) <= 1000)
  ) {
    complaints.push({
      near: "priority",
      reason: "`priority` must be a whole number from 0 to 1000",
      remedy: "Lower runs first."
    })
  }
  const late = deadline === undefined ? undefined : durationProblem(deadline)
  if (late !== undefined) complaints.push({ near: "deadline", reason: `\`deadline\` ${late}` })
  complaints.push(...checkOneOf("onFailure", onFailure, ["allow", "block", "ask"]))
  complaints.push(...checkOneOf("ifCannotAsk", fields["ifCannotAsk"], ["block", "allow"]))
  complaints.push(...checkOneOf("whenFull", fields["whenFull"], ["supersede", "refuse"]))
  complaints.push(...checkOneOf("agents", fields["agents"], agents))
  if (enabled !== undefined && typeof enabled !== "boolean") {
    complaints.push({ near: "enabled", reason: "`enabled` must be true or false" })
  }
  for (const name of ["final", "needsDirectory"]) {
    if (fields[name] !== undefined && typeof fields[name] !== "boolean")
      complaints.push({ near: name, reason: `\`${name}\` must be true or false` })
  }
  if (background !== undefined && typeof background !== "boolean") {
    complaints.push({ near: "background", reason: "`background` must be true or false" })
  }
  if (background === true && (onFailure === "block" || onFailure === "ask")) {
    complaints.push({
      near: "onFailure",
      reason: `\`onFailure\` cannot be "${onFailure}" for a hook in the background`,
      remedy: "Its run comes after the reply: leave one of the two out."
    })
  }
  const undelivered = fields["deliver"] === undefined ? undefined : deliveryProblem(fields["deliver"])
  if (undelivered !== undefined) complaints.push({ near: "deliver", reason: `\`deliver\` ${undelivered}` })
  if (fields["deliver"] !== undefined && background !== true) {
    complaints.push({
      near: "deliver",
      reason: "`deliver` is for a hook in the background",
      remedy: "Without `background: true` what it says goes into the reply at hand."
    })
  }
  if (settings !== undefined && (!isRecord(settings) || kindOf(settings) !== undefined)) {
    complaints.push({
      near: "settings",
      reason: "`settings` must be a plain object",
      remedy: 'For example: settings: { limit: 3 }, to be changed by "hooks" in config.json'
    })
  }
  for (const [key, problem] of limitProblems(fields))
    complaints.push({ near: key, reason: `\`${key}\` ${problem}` })
  if (fields["onError"] !== undefined && kindOf(fields["onError"]) !== "function")
    complaints.push({ near: "onError", reason: "`onError` must be a function" })
  if (kindOf(run) !== "function") complaints.push({ near: "run", reason: "`run` must be a function" })
  return complaints
}

/** Where a word first stands as code would have it, quoted or as a key, at or after a line. */
const lineOf = (text: string, near: string, from: number): number | undefined => {
  const escaped = near.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const shape = new RegExp(`["'\`]${escaped}["'\`]|(?<![\\w.])${escaped}\\s*[:(,]`)
  const lines = text.split("\n")
  for (let at = from; at < lines.length; at++) if (shape.test(lines[at] ?? "")) return at + 1
  return undefined
}

/** Where a file exports a name, however it says so. */
const exportOf = (name: string): RegExp => {
  if (name === "default") return /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b|\bmodule\.exports\b/
  const word = `(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`
  return new RegExp(
    `\\bexport\\s+(?:const|let|var)\\s+${word}|\\bexport\\s*\\{[^}]*${word}|\\bexports\\.${word}`
  )
}

/** Exports in the order in which they stand in the file: bundling has sorted them by name. */
const inSourceOrder = (text: string, found: readonly DescribedExport[]): readonly DescribedExport[] => {
  const position = (name: string): number => {
    const at = text.search(exportOf(name))
    return at === -1 ? text.length : at
  }
  return [...found].sort((a, b) => position(a.name) - position(b.name))
}

const describeExport = ({ name, path }: DescribedExport): string =>
  (name === "default" ? "the default export" : `export "${name}"`) + path.map((at) => `[${at}]`).join("")

/** The hooks of a file in the order in which it exports them, or everything that is wrong with them. */
export const checkHooks = (
  { file, owner }: HookFile,
  text: string,
  exports: readonly DescribedExport[]
): { readonly hooks: readonly FoundHook[]; readonly problems: readonly Problem[] } => {
  const problems: Problem[] = []
  const hooks: FoundHook[] = []
  const names = new Set<string>()
  const add = ({ near, ...problem }: Complaint, from = 0): void => {
    const line = lineOf(text, near, from) ?? lineOf(text, near, 0)
    problems.push({ file, ...(line === undefined ? {} : { line }), ...problem })
  }
  for (const one of inSourceOrder(text, exports)) {
    const { fields } = one
    const name = typeof fields["name"] === "string" ? fields["name"] : ""
    const from = name === "" ? 0 : Math.max(0, (lineOf(text, name, 0) ?? 1) - 1)
    if (!one.isHook) {
      add(
        {
          near: name,
          reason: `${describeExport(one)} reads like a hook but was not made by defineHook`,
          remedy: 'Wrap it: import { defineHook } from "hooktape", then defineHook({ … })'
        },
        from
      )
      continue
    }
    const complaints = checkFields(fields)
    for (const complaint of complaints) {
      add(
        { ...complaint, reason: name === "" ? complaint.reason : `hook "${name}": ${complaint.reason}` },
        from
      )
    }
    if (name !== "" && names.has(name)) {
      const line = lineOf(text, name, from + 1)
      problems.push({
        file,
        ...(line === undefined ? {} : { line }),
        reason: `two hooks of this file are called "${name}"`,
        remedy: "A name is how settings, the log and a later file refer to a hook: give each its own."
      })
      continue
    }
    names.add(name)
    if (complaints.length > 0) continue
    hooks.push({
      file,
      owner,
      name: one.name,
      path: one.path,
      hook: name,
      on: texts(fields["on"]) ?? [],
      priority: fields["priority"] as number | undefined,
      enabled: fields["enabled"] !== false,
      deadline: fields["deadline"],
      fields,
      ...(one.metadata === undefined ? {} : { metadata: one.metadata })
    })
  }
  if (exports.length === 0) {
    problems.push({
      file,
      reason: "exports no hook",
      remedy: "Export one: export default defineHook({ … }). A helper's file name begins with an underscore."
    })
  }
  return { hooks, problems }
}
