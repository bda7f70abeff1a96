/** The hooks that come with the package, as a build sees hooks, and what a configuration makes of them. */
import { defaults, servants } from "../../features/defaults.ts"
import type { Shipped } from "../../features/Shipped.ts"
import { mergeHook } from "../../state/config.ts"
import type { Config, HookSettings } from "../../state/configShape.ts"
import type { FoundHook } from "./check.ts"
import { type Replaced, sourceOf } from "./generate.ts"
import { describeHook, metadataOf } from "./report.ts"

const texts = (value: string | readonly string[]): readonly string[] =>
  typeof value === "string" ? [value] : value

const found = ({ hook, isGuard, module, part, serves }: Shipped, file: string): FoundHook => ({
  file,
  owner: "hooktape",
  name: module.slice(module.lastIndexOf("/") + 1),
  path: [],
  hook: hook.name,
  on: texts(hook.on),
  priority: hook.priority,
  enabled: hook.enabled !== false,
  deadline: hook.deadline,
  fields: describeHook(hook),
  ...metadataOf(hook),
  ...(isGuard ? { guards: true } : {}),
  ...(part === undefined ? {} : { part }),
  ...(serves === undefined ? {} : { serves })
})

export const findShipped = (at: (module: string) => string): readonly FoundHook[] =>
  [...defaults, ...servants].map((shipped) => found(shipped, at(shipped.module)))

/** Names that no hook of a project can have: it would never run. */
export const reservedNames: readonly string[] = [
  ...defaults.filter(({ isGuard }) => isGuard),
  ...servants
].map(({ hook }) => hook.name)

/** Those that the hooks of others need: whether hooktape's own are wanted does not count. */
export const serving = (shipped: readonly FoundHook[], others: readonly FoundHook[]): readonly FoundHook[] =>
  shipped.filter(
    ({ serves }) => serves !== undefined && others.some(({ fields }) => fields[serves] !== undefined)
  )

/** What is asked for, beside what the user's settings say: `"settings"` leaves it to them alone. */
export type AskedDefaults = boolean | "settings" | undefined

type Env = Readonly<Record<string, string | undefined>>

/** Whether this build leaves them out whatever the settings say. */
export const withoutDefaults = (asked: AskedDefaults, env: Env = process.env): boolean =>
  asked === undefined ? env["HOOKTAPE_DEFAULTS"] === "off" : asked === false

/** The environment is asked here and nowhere later: what is built is built. */
export const defaultsWanted = (
  { user }: Readonly<Record<"user" | "project", Config>>,
  asked: AskedDefaults,
  env: Env = process.env
): boolean => asked === true || (!withoutDefaults(asked, env) && user.defaults !== false)

/** For whoever wants to know without building: which of them run, of those that anybody chooses. */
export const shippedStates = (
  hooks: readonly FoundHook[],
  settings: Readonly<Record<string, HookSettings>>
): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    hooks
      .filter(({ owner, serves }) => owner === "hooktape" && serves === undefined)
      .map(({ enabled, hook }) => [hook, settings[hook]?.enabled ?? enabled])
  )

const unchosen: ReadonlySet<string> = new Set(
  [...defaults, ...servants].flatMap(({ hook, isGuard, serves }) =>
    isGuard || serves !== undefined ? [hook.name] : []
  )
)

/** What the set that the user has chosen says of a hook; nothing of a guard or of one that serves others: their own names switch them off, or nothing. */
const inChosenSet = ({ shipped }: Config, hook: string): boolean | undefined =>
  shipped === undefined || unchosen.has(hook) ? undefined : shipped.includes(hook)

/** As the next build will have them: what the user's settings say by now counts, not what they said then. */
export const shippedNow = (
  built: Readonly<Record<string, boolean>>,
  config: Config
): Readonly<Record<string, boolean>> => {
  const { defaults: wanted, hooks = {} } = config
  return Object.fromEntries(
    Object.entries(built).map(([hook, on]) => {
      const own = Object.hasOwn(hooks, hook) ? hooks[hook]?.enabled : undefined
      return [hook, wanted !== false && (own ?? inChosenSet(config, hook) ?? on)]
    })
  )
}

/** The user's settings of shipped hooks, and over them, save for guards, the project's. */
export const shippedSettings = (
  shipped: readonly FoundHook[],
  { project, user }: Readonly<Record<"user" | "project", Config>>
): Readonly<Record<string, HookSettings>> => {
  const off = { learning: user.learning === false || project.learning === false }
  return Object.fromEntries(
    shipped.flatMap(({ guards, hook, part }) => {
      const of = ({ hooks = {} }: Config) => (Object.hasOwn(hooks, hook) ? hooks[hook] : undefined)
      const own = guards ? undefined : of(project)
      const chosen = inChosenSet(user, hook)
      const set = chosen === undefined ? of(user) : mergeHook({ enabled: chosen }, of(user) ?? {})
      const merged = own === undefined ? set : mergeHook(set, own)
      if (part !== undefined && off[part]) return [[hook, { ...merged, enabled: false }]]
      return merged === undefined ? [] : [[hook, merged]]
    })
  )
}

/** The shipped hooks whose place nobody took, and those whose place somebody did. */
export const besideOthers = (
  shipped: readonly FoundHook[],
  others: readonly FoundHook[]
): { readonly shipped: readonly FoundHook[]; readonly replaced: readonly Replaced[] } => {
  const replaced = shipped.flatMap((one): Replaced[] => {
    const { guards, hook } = one
    const by = others.findLast((other) => other.hook === hook && (other.owner === "user" || !guards))
    return by === undefined ? [] : [{ hook, file: sourceOf(one), by: by.file }]
  })
  const gone = new Set(replaced.map(({ hook }) => hook))
  return { shipped: shipped.filter(({ hook }) => !gone.has(hook)), replaced }
}
