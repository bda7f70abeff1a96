/** Writes the source of each event's bundle: our entrypoint, the hooks that event can reach, and nothing else. */
import { canonicalEvents, ownEvents } from "../../../events/agentEvents.ts"
import { eventsIn } from "../../runtime/builds/reach.ts"
import { heldHint, trustHint } from "../../runtime/builds/trustHint.ts"
import { defaultPriority } from "../../runtime/registry.ts"
import type { HookSettings } from "../../state/configShape.ts"
import type { WithheldFile } from "../../state/manifest.ts"
import type { FoundHook } from "./check.ts"
import type { Core } from "./core.ts"
import { coreFile } from "./coreFile.ts"
import type { Described } from "./report.ts"

export interface Plan {
  readonly core: Core
  /** In registration order, names already unique. */
  readonly hooks: readonly FoundHook[]
  /** Real paths of what the project's hooks are made of. */
  readonly projectFiles: readonly string[]
  /** Of all settings: other settings are another build, whatever of them stands in its bundles. */
  readonly configHash: string
  /** A project's hooks bring those of their own level. */
  readonly settings: Readonly<Record<"user" | "hooktape", Readonly<Record<string, HookSettings>>>>
  readonly withheld: readonly WithheldFile[]
  /** Files that are not as they were trusted: what was trusted runs. */
  readonly held: readonly WithheldFile[]
  readonly stopBlocks?: number | undefined
  /** Files whose hooks return Effects: their bundles bring a way to run them. */
  readonly effectFiles: ReadonlySet<string>
}

/** A hook whose place a later one of its owner took. */
export interface Replaced {
  readonly hook: string
  readonly file: string
  /** The file of the one that counts. */
  readonly by: string
}

const isFinal = ({ fields, owner }: FoundHook): boolean => owner === "project" && fields["final"] === true

/**
 * The later of two hooks of one owner with one name, at the later place: of nested projects the nearest. A final one stays where it
 * is, save for another in its own folder.
 */
export const replaceByName = (
  hooks: readonly FoundHook[]
): {
  readonly hooks: readonly FoundHook[]
  readonly replaced: readonly Replaced[]
  /** Those that a final one kept from taking its place. */
  readonly kept: readonly FoundHook[]
} => {
  const byName = new Map<string, FoundHook>()
  const replaced: Replaced[] = []
  const kept: FoundHook[] = []
  for (const hook of hooks) {
    const key = `${hook.owner} ${hook.hook}`
    const before = byName.get(key)
    if (before !== undefined && isFinal(before) && before.level !== hook.level) {
      kept.push(hook)
      continue
    }
    if (before !== undefined) replaced.push({ hook: hook.hook, file: sourceOf(before), by: sourceOf(hook) })
    byName.delete(key)
    byName.set(key, hook)
  }
  return { hooks: [...byName.values()], replaced, kept }
}

/** For each event its hooks in the order in which they run: by priority, then as they were found. */
export const orderOf = (
  hooks: readonly FoundHook[],
  settings: Plan["settings"]
): Readonly<Record<string, readonly string[]>> => {
  const order: Record<string, string[]> = {}
  const priority = (hook: FoundHook): number =>
    settingsOf(settings, hook)?.priority ?? hook.priority ?? defaultPriority
  for (const hook of [...hooks].sort((a, b) => priority(a) - priority(b))) {
    if (!(settingsOf(settings, hook)?.enabled ?? hook.enabled)) continue
    for (const event of new Set(hook.on)) order[event] = [...(order[event] ?? []), hook.hook]
  }
  return order
}

/** A project must not take the place of a guard that the user has everywhere. */
export const apartFromUser = (
  hooks: readonly FoundHook[]
): { readonly hooks: readonly FoundHook[]; readonly taken: readonly FoundHook[] } => {
  const users = new Set(hooks.filter(({ owner }) => owner === "user").map(({ hook }) => hook))
  const taken = hooks.filter(({ hook, owner }) => owner === "project" && users.has(hook))
  return { hooks: hooks.filter((hook) => !taken.includes(hook)), taken }
}

/** Where the human is told of files that are left out: besides the call that notices it first. */
export const hinted: readonly string[] = ["session.start", "prompt.submit"]

const json = JSON.stringify

const subscribed = (hooks: readonly FoundHook[], event: string): readonly FoundHook[] => {
  const reach = eventsIn(event)
  return hooks.filter(({ on }) => on.some((name) => reach.includes(name)))
}

/** Left out of the run but named in the plan, so that its absence can be explained. */
const absent = (name: string, on: readonly string[], source: string, withheld: string): string =>
  `{ hook: { name: ${json(name)}, on: ${json(on)}, run() {} }, source: ${json(source)}, withheld: ${json(withheld)} }`

const literal = (value: Described): string => {
  if (typeof value !== "object" || value === null) return json(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  const record = value as { readonly [key: string]: Described }
  if (record["kind"] === "pattern") return `new RegExp(${json(record["source"])}, ${json(record["flags"])})`
  const fields = Object.entries(record).map(([key, item]) => `[${json(key)}]: ${literal(item)}`)
  return `{ ${fields.join(", ")} }`
}

/** What a hook is without its functions: enough to fail in its place where its file does not load. */
const remembered = ({ run: _, onError: __, ...fields }: FoundHook["fields"]): string => literal(fields)

/** Where a person looks for a hook. */
export const sourceOf = ({ file, hook, origin, owner }: FoundHook): string =>
  owner === "hooktape" ? `hooktape:${hook}` : (origin ?? file)

/** Where a bundle finds it: our own are in what all bundles share. */
const moduleOf = (hook: FoundHook): string => (hook.owner === "hooktape" ? sourceOf(hook) : hook.file)

const registered = (hook: FoundHook, at: number, settings: HookSettings | undefined): string => {
  const name = hook.owner === "hooktape" ? hook.name : `h${at}`
  const pick = `(file) => file.${name}${hook.path.map((index) => `[${index}]`).join("")}`
  const changed = settings === undefined ? "" : `, ${json(settings)}`
  const made = `hook(${json(moduleOf(hook))}, ${pick}, () => (${remembered(hook.fields)})${changed})`
  return `{ hook: ${made}, source: ${json(sourceOf(hook))} }`
}

/** The hooks of one file that a bundle needs, in a module of their own: loaded by itself, it fails by itself. */
export const partName = (event: string | undefined, file: string): string => `${bundleName(event)}?${file}`

/** File → source of the module with that file's part of a bundle. */
export const parts = (plan: Plan, event: string | undefined): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const hooks = event === undefined ? [] : subscribed(plan.hooks, event)
  hooks.forEach((hook, at) => {
    if (hook.owner === "hooktape" || hidden(hook, settingsOf(plan.settings, hook))) return
    const line = `export { ${hook.name} as h${at} } from ${json(hook.file)}\n`
    found.set(hook.file, (found.get(hook.file) ?? "") + line)
  })
  return found
}

/** A file that throws or ends the process as it loads must not take the other guards with it. */
const loading = (
  event: string | undefined,
  files: Iterable<string>,
  own: readonly FoundHook[]
): string => `const own = {
  ${own.map((hook) => `${json(moduleOf(hook))}: core.hooks[${json(hook.hook)}]`).join(",\n  ")}
}
const loaded = core.loadFiles({
  ${[...files].map((file) => `${json(file)}: () => require(${json(`entry:${partName(event, file)}`)})`).join(",\n  ")}
})
const hook = (file, pick, known, settings) => {
  const { module, thrown } = loaded[file] ??= core.loadFile(file, own[file])
  let found
  let why = thrown
  if (module) try { found = pick(module) } catch (error) { why = error }
  const over = (one) => settings ? { ...one, ...settings, ...(settings.settings ? { settings: { ...one.settings, ...settings.settings } } : {}) } : one
  if (found && found.run) return over(found)
  const failed = () => { throw why instanceof Error ? why : new Error(why === undefined ? file + " exports another hook than when it was built" : String(why)) }
  return { ...over(known()), run: failed }
}`

export const settingsOf = (
  settings: Plan["settings"],
  { hook, owner, settings: own }: FoundHook
): HookSettings | undefined =>
  owner === "project" ? own : Object.hasOwn(settings[owner], hook) ? settings[owner][hook] : undefined

const hidden = (hook: FoundHook, settings: HookSettings | undefined): boolean =>
  settings?.enabled === false && hook.enabled

/** Shipped hooks that change nothing and start nothing for a harmless command: they run as the code cache is made, so that it holds them compiled. */
const harmless: readonly string[] = ["hooktape:guard-destructive", "hooktape:own-guards"]

/** When the code cache is made, the way to a handler is walked, and no handler is but those. */
const warming = (
  event: string | undefined
): string => `const rest = (registry) => globalThis[Symbol.for("hooktape/warm")]
  ? [...registry.map((one) => ${json(harmless)}.includes(one.source) ? one : ({ ...one, hook: { ...one.hook, when: { ...one.hook.when, matches: undefined }, run() {} } })),
     { hook: { name: "warm", on: ${json(event ?? "agent.hooktape.warm")}, run: () => ({ type: "USER_HINT", text: "warm" }) }, source: "warm" }]
  : registry`

/** From here on somebody may want to know where an error came from. */
const loaded = `globalThis[Symbol.for("hooktape/loaded")]?.()`

export const entrySource = (plan: Plan, event: string | undefined): string => {
  const { held, settings, withheld } = plan
  const hooks = event === undefined ? [] : subscribed(plan.hooks, event)
  const lines = [`const core = require("./${coreFile}")`, loaded]
  const registry = withheld.map(({ file, reason }) =>
    absent(file, event === undefined ? canonicalEvents : [event], file, reason)
  )
  hooks.forEach((hook, at) => {
    const own = settingsOf(settings, hook)
    if (hidden(hook, own)) {
      registry.push(absent(hook.hook, hook.on, sourceOf(hook), "disabled in the configuration"))
      return
    }
    registry.push(registered(hook, at, own))
  })
  const options = [
    "adapters: core.adapters",
    `registry: rest([\n    ${registry.join(",\n    ")}\n  ])`,
    "retain: core.retain",
    ...(hooks.length === 0 ? [] : ["aid: core.aid", "recall: core.recall"]),
    ...(plan.stopBlocks === undefined ? [] : [`stopBlocks: ${plan.stopBlocks}`])
  ]
  const hints = [
    hinted.includes(event ?? "") ? trustHint(withheld) : undefined,
    // Nothing is lost by it: once in a session is enough.
    event === hinted[0] ? heldHint(held) : undefined
  ].filter((hint) => hint !== undefined)
  if (hints.length > 0) {
    options.push(
      `notices: ${json([
        ...hints.map((text) => ({ type: "USER_HINT", text })),
        {
          type: "DIAGNOSTIC",
          level: "warn",
          message: [...withheld, ...held].map(({ file, reason }) => `${file}: ${reason}`).join("; ")
        }
      ])}`
    )
  }
  if (hooks.some((hook) => plan.effectFiles.has(hook.file) && !hidden(hook, settingsOf(settings, hook)))) {
    lines.push(`import { runEffect } from ${json(plan.core.runEffect)}`)
    options.push("runEffect")
  }
  const needed = parts(plan, event)
  const own = hooks.filter((hook) => hook.owner === "hooktape" && !hidden(hook, settingsOf(settings, hook)))
  if (needed.size + own.length > 0) lines.push(loading(event, needed.keys(), own))
  lines.push(warming(event))
  return `${lines.join("\n")}\ncore.main({\n  ${options.join(",\n  ")}\n})\n`
}

/** The events that need a bundle of their own; all others share the default one. */
export const eventsToBundle = ({
  held,
  hooks,
  withheld
}: Pick<Plan, "hooks" | "withheld" | "held">): readonly string[] => {
  const passed = hooks.flatMap(({ on }) => on).filter((event) => event.startsWith("agent."))
  const known = [...canonicalEvents, ...ownEvents].filter(
    (event) =>
      subscribed(hooks, event).length > 0 ||
      (hinted.includes(event) && withheld.length > 0) ||
      (event === hinted[0] && held.length > 0)
  )
  return [...known, ...new Set(passed)]
}

/** Those of them whose bundle holds nobody else's code: shipped hooks, and commands, which run in processes of their own. */
export const oursAmong = (events: readonly string[], hooks: readonly FoundHook[]): readonly string[] =>
  events.filter((event) =>
    subscribed(hooks, event).every(({ isCommand, owner }) => owner === "hooktape" || isCommand === true)
  )

/** A file name of the event's own letters. */
export const bundleName = (event: string | undefined): string =>
  `${(event ?? "default").replace(/[^A-Za-z0-9_.-]/g, (char) => `_${char.charCodeAt(0).toString(16)}`)}.cjs`
