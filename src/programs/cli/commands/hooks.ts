/** `hooktape hooks list|enable|disable`: which hooks there are, how they do, and whether they are on. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { OperatorFact } from "../../../../events/facts.ts"
import { type HookRuns, hookRuns } from "../../../features/timeline/hookRuns.ts"
import { type HookHealth, type HookTrend, healthOf, trendsOf } from "../../../features/timeline/standing.ts"
import { readSwitches, type Switch, type SwitchScope, switchedBy } from "../../../history/switches.ts"
import { didYouMean } from "../../../hooks/Problem.ts"
import { type DescribedHook, readDescribed } from "../../../runtime/builds/described.ts"
import { realPath } from "../../../runtime/builds/discover.ts"
import { findBuild } from "../../../runtime/builds/refresh.ts"
import { readConfig } from "../../../state/config.ts"
import type { Config } from "../../../state/configShape.ts"
import type { Manifest } from "../../../state/manifest.ts"
import { printable } from "../../../state/terminalText.ts"
import { shippedNow } from "../../../tools/build/shipped.ts"
import { appendOperatorFact } from "../appendOperatorFact.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { neededVariable } from "../neededVariable.ts"
import { findPlaces, type Places } from "../places.ts"
import { drawHooks } from "../render/hooks.ts"
import type { HooksHere } from "../render/overview.ts"
import { paged } from "../render/pager.ts"
import { Screen } from "../Screen.ts"
import { fullSession } from "../sessions.ts"
import { syncSwitches } from "../switchHooks.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { argument, choiceWithDefault, text } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption } from "../syntax/shared.ts"

/** One hook as `hooks list --json` has it. */
export interface ListedHook extends Omit<DescribedHook, "enabled" | "removed">, HookRuns {
  /** How often it wanted an action blocked. */
  readonly blocked: number
  /** 0–1: what of the time that agents waited in this project was spent in it. Null where nobody waited for it. */
  readonly share: number | null
  /** How often it ran on each of the last seven days, the last of them today; days are those of UTC. */
  readonly trend: HookTrend
  /** Whether it runs in this project. */
  readonly enabled: boolean
  /** Why it does, or does not. */
  readonly why: string
  /** Where it is otherwise. */
  readonly sessions: readonly { readonly session: string; readonly enabled: boolean }[]
}

const noRuns: HookRuns = { runs: 0, failures: 0, p50: null, p95: null, last: null }

interface Built {
  readonly manifest: Manifest
  readonly hooks: readonly DescribedHook[]
  readonly project: string
}

/** What the user's settings switched off since the build is off from the next call on: that one builds first. */
const withSettings = (hooks: readonly DescribedHook[], userFolder: string): readonly DescribedHook[] => {
  const config = Either.getOrElse(readConfig(join(userFolder, "config.json")), (): Config => ({}))
  const now = shippedNow(
    Object.fromEntries(
      hooks.filter(({ owner }) => owner === "hooktape").map(({ enabled, name }) => [name, enabled])
    ),
    config
  )
  return hooks.map((hook) =>
    hook.enabled && now[hook.name] === false ? { ...hook, removed: true, enabled: false } : hook
  )
}

const built = ({ project, state, userFolder }: Places): Effect.Effect<Built, CliError> =>
  Effect.suspend(() => {
    const real = realPath(project) ?? project
    const found = findBuild(state, real)
    const hooks = found && readDescribed(found.current.dir)
    if (found && hooks)
      return Effect.succeed({
        manifest: found.current,
        hooks: withSettings(hooks, userFolder),
        project: real
      })
    return new CliError({
      what: "hooks",
      reason: `nothing is built for ${real}`,
      remedy: 'Run "hooktape build".'
    })
  })

/** Why it does not run though it is on, as far as the environment here tells. */
const waits = ({ name, owner }: DescribedHook): string | undefined => {
  const variable = owner === "hooktape" ? neededVariable(name, process.env) : undefined
  return variable === undefined ? undefined : `needs ${variable}=true, which is not set here`
}

const listed = (
  hook: DescribedHook,
  switches: readonly Switch[],
  project: string,
  runs: HookRuns = noRuns,
  health?: HookHealth,
  trend: HookTrend = []
): ListedHook => {
  const { enabled, removed, ...told } = hook
  const said = removed ? undefined : switchedBy(switches, hook.name, { project, session: null })
  const isOn = said?.enabled ?? enabled
  const waiting = isOn ? waits(hook) : undefined
  const own = enabled ? "on unless somebody says otherwise" : "off unless somebody says otherwise"
  return {
    ...told,
    enabled: isOn && waiting === undefined,
    why: removed ? "disabled in the configuration" : (waiting ?? said?.reason ?? own),
    sessions: switches.flatMap((one) =>
      one.hook === hook.name && one.session !== undefined
        ? [{ session: one.session, enabled: one.enabled }]
        : []
    ),
    ...runs,
    blocked: health?.blocked ?? 0,
    share: health?.share ?? null,
    trend
  }
}

/** How many hooks of this directory are on and off, as far as files tell. Undefined where nothing is built. */
export const hooksHere = ({ project, state, userFolder }: Places): HooksHere | undefined => {
  const real = realPath(project) ?? project
  const found = findBuild(state, real)
  const hooks = found && readDescribed(found.current.dir)
  if (found === undefined || hooks === undefined) return undefined
  const switches = readSwitches(state)
  const now = withSettings(hooks, userFolder).map((hook) => listed(hook, switches, real))
  const on = now.filter(({ enabled }) => enabled).length
  return { on, off: now.length - on, withheld: found.current.withheld }
}

const withheldOf = ({ manifest }: Built) =>
  manifest.withheld.map(({ file, reason }) => ({ source: file, why: reason }))

/** Those of which the last version that was trusted, or worked, runs. */
const heldOf = ({ manifest: { held = [] } }: Built) =>
  held.map(({ file, reason }) => ({ source: file, why: reason }))

export interface ListOptions {
  readonly event: string | undefined
  readonly project: string | undefined
  readonly json: boolean
}

const list = ({ event, json, project }: ListOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const places = findPlaces(project)
    const there = yield* built(places)
    const switches = yield* syncSwitches(places.state)
    const { timeline } = yield* Logbook
    const runs = yield* timeline((db) => hookRuns(db, there.project))
    const health = yield* timeline((db) => healthOf(db, { project: there.project, since: 0 }))
    const healthByName = new Map(health.map((one) => [one.hook, one]))
    const now = yield* Clock.currentTimeMillis
    const trendFor = yield* timeline((db) => trendsOf(db, { project: there.project, now }))
    const hooks = there.hooks
      .filter(({ events }) => event === undefined || events.includes(event))
      .map((hook) => {
        const { name } = hook
        return listed(hook, switches, there.project, runs.get(name), healthByName.get(name), trendFor(name))
      })
      .sort((a, b) => a.priority - b.priority)
    const withheld = withheldOf(there)
    const held = heldOf(there)
    if (json) return yield* screen.out(`${JSON.stringify({ hooks, withheld, held }, null, 2)}\n`)
    if (hooks.length === 0)
      yield* screen.note(event === undefined ? "there is no hook yet.\n" : `no hook is on ${event}.\n`)
    else yield* screen.out(drawHooks(hooks, there.project, now, screen))
    for (const one of withheld)
      yield* screen.note(`${screen.style.warn("!")} ${printable(`${one.source}: ${one.why}`)}\n`)
    for (const { source, why } of held)
      yield* screen.note(
        `${screen.style.warn("!")} ${printable(`${source}: ${why}; the last version in force runs on`)}\n`
      )
  }).pipe((work) => (json ? work : paged(work)), withLogbook)

export interface SwitchOptions {
  readonly name: string
  readonly scope: SwitchScope
  readonly session: string | undefined
  readonly project: string | undefined
}

const names =
  '"--session S" names it: its id, the beginning or end of one as "hooktape log" shows it, or last.'

const whereOf = Effect.fn("cli.hooks.where")(function* (
  what: string,
  { scope, session }: SwitchOptions,
  project: string
) {
  if (scope === "session" && (session === undefined || session.trim() === ""))
    return yield* new CliError({ what, reason: "no session was named", remedy: names })
  if (scope !== "session" && session !== undefined)
    return yield* new CliError({
      what,
      reason: `a session was named for the scope ${scope}`,
      remedy: 'Say "--scope session" too.'
    })
  if (session === undefined) return scope === "project" ? { project } : {}
  const full = (yield* fullSession(session)) ?? session
  const { hasSession } = yield* Logbook
  // What is said of a session that nobody knows would hold for none.
  if (!(yield* hasSession(full)))
    return yield* new CliError({ what, reason: `there is no session "${printable(session)}"`, remedy: names })
  return { session: full }
})

const known = (what: string, name: string, { hooks, project }: Built): Effect.Effect<void, CliError> => {
  const hook = hooks.find((one) => one.name === name)
  if (hook === undefined) {
    const remedy = didYouMean(
      name,
      hooks.map((one) => one.name)
    )
    return new CliError({ what, reason: `no hook of ${project} is called "${name}"`, remedy: remedy ?? "" })
  }
  return hook.removed
    ? new CliError({
        what,
        reason: `"${name}" is disabled in the configuration, and so in no bundle`,
        remedy: `Set "hooks": { "${name}": { "enabled": true } } in config.json.`
      })
    : Effect.void
}

const words: Readonly<Record<SwitchScope, string>> = {
  user: "everywhere",
  project: "in this project",
  session: "in that session"
}

const turn =
  (enabled: boolean) =>
  (options: SwitchOptions): Effect.Effect<void, unknown, Screen> =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const what = enabled ? "hooks enable" : "hooks disable"
      const places = findPlaces(options.project)
      const there = yield* built(places)
      yield* known(what, options.name, there)
      const switches = yield* withLogbook(
        Effect.gen(function* () {
          const fact: OperatorFact = {
            type: enabled ? "HOOK_ENABLED" : "HOOK_DISABLED",
            hook: options.name,
            scope: options.scope,
            ...(yield* whereOf(what, options, there.project))
          }
          // First as things are: what cannot be read or written is refused before anything is said, and not done later on.
          yield* syncSwitches(places.state)
          yield* appendOperatorFact(places.state, fact)
          return yield* syncSwitches(places.state)
        })
      )
      yield* screen.out(
        `${screen.style.good("✔")} ${printable(options.name)} is ${enabled ? "on" : "off"} ${words[options.scope]}, from the next call on.\n`
      )
      const hook = there.hooks.find(({ name }) => name === options.name) as DescribedHook
      if (hook.background && !enabled)
        yield* screen.note(
          'Jobs of it that are queued are dropped in their turn; "hooktape jobs retry" brings one back.\n'
        )
      const now = listed(hook, switches, there.project)
      if (options.scope === "user" && now.enabled !== enabled)
        yield* screen.note(`In this project it is ${now.enabled ? "on" : "off"} all the same: ${now.why}.\n`)
    })

const switching = {
  arguments: { name: argument("<name>", "The name it was given in defineHook.") },
  options: {
    scope: choiceWithDefault(
      "SCOPE",
      ["user", "project", "session"],
      "user",
      "user (default), project or session.",
      {
        details: "`user` (everywhere, the default), `project`, `session`",
        sample: "project"
      }
    ),
    session: text("S", "The session, for that scope: its id, the beginning or end of one, or last.", {
      sample: "0a1b --scope session"
    }),
    project: projectOption
  }
}

export const command = defineGroup({
  group: "Look after",
  summary: "List the hooks and how they do, switch one on or off.",
  heading: "list|enable|…",
  examples: ["hooktape hooks list --event tool.before", "hooktape hooks disable slow-check --scope project"],
  subcommands: {
    list: defineAction({
      summary: "The hooks of this project: events, priority, state, last outcome, latency, failures.",
      options: {
        event: text("E", "Only the hooks on this event.", { sample: "tool.before" }),
        project: projectOption,
        json: jsonOption()
      },
      examples: ["hooktape hooks list"],
      guards: "keeps",
      run: list
    }),
    enable: defineAction({
      summary: "Switch a hook on, from the next call on.",
      ...switching,
      examples: ["hooktape hooks enable house-rules"],
      guards: "weakens",
      run: turn(true)
    }),
    disable: defineAction({
      summary: "Switch it off.",
      ...switching,
      examples: ["hooktape hooks disable slow-check"],
      guards: "weakens",
      run: turn(false)
    })
  }
})
