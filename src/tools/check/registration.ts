/** What a repository's agent settings are for everyone who clones it, beside the hooks that it has. */
import { relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import type { Manifest } from "../../state/manifest.ts"
import { dialects, type InstallAgent, installAgents, settingsFile } from "../install/dialects.ts"
import { handledBy } from "../install/events.ts"
import { readText } from "../install/files.ts"
import { findRegistrations } from "../install/plan.ts"
import { isSharedHook, sharedHookFile } from "../install/sharedHook.ts"
import { isSharedHookRight } from "../install/sharing.ts"
import type { Checked, Finding } from "./Finding.ts"

export interface RegistrationPlace {
  readonly project: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

interface Shared {
  readonly agent: InstallAgent
  readonly file: string
  /** Of the agent, those that call the script. */
  readonly events: readonly string[]
}

/** Undefined where the repository registers nothing for everyone. What is no settings file is for `doctor` to say. */
const sharedBy = (place: RegistrationPlace, agent: InstallAgent) =>
  Effect.gen(function* () {
    const file = yield* settingsFile({ ...place, agent, scope: "project" })
    const text = yield* readText(file)
    const ours = text === undefined ? [] : yield* findRegistrations(file, text)
    const events = ours.filter(({ bin }) => isSharedHook(bin)).map(({ under }) => under)
    return events.length === 0 ? undefined : ({ agent, file, events } satisfies Shared)
  }).pipe(Effect.orElseSucceed(() => undefined))

/** Of an agent, the events that hooks are on and that it is not told to call, and how that is mended for everyone. */
export interface Unregistered {
  readonly agent: InstallAgent
  /** The settings for everyone. */
  readonly file: string
  readonly events: readonly string[]
  readonly remedy: string
}

const missingFrom = ({ agent, events, file }: Shared, manifest: Manifest): Unregistered => {
  const missing = handledBy(agent, [manifest]).filter((event) => !events.includes(event))
  const wanted = missing.map((event) => `+${event}`).join(",")
  const remedy = `hooktape install --agent ${agent} --scope project --events ${wanted}`
  return { agent, file, events: missing, remedy }
}

/** Whoever has an event in settings of their own as well misses nothing. */
const ownEvents = (place: RegistrationPlace, agent: InstallAgent) =>
  Effect.gen(function* () {
    const file = yield* settingsFile({ ...place, agent, scope: "user" })
    const text = yield* readText(file)
    return text === undefined ? [] : (yield* findRegistrations(file, text)).map(({ under }) => under)
  }).pipe(Effect.orElseSucceed((): readonly string[] => []))

/** For who sits here: what a repository's settings lack of the events that this build's hooks are on. */
export const unregistered = Effect.fn("check.unregistered")(function* (
  place: RegistrationPlace,
  manifest: Manifest
) {
  const found: Unregistered[] = []
  for (const agent of installAgents) {
    const shared = yield* sharedBy(place, agent)
    if (shared === undefined) continue
    const own = yield* ownEvents(place, agent)
    const missing = missingFrom({ ...shared, events: [...shared.events, ...own] }, manifest)
    if (missing.events.length > 0) found.push(missing)
  }
  return found as readonly Unregistered[]
})

export const unregisteredText = ({ agent, events, file }: Unregistered): string =>
  `hooks are on ${events.join(", ")}, which ${dialects[agent].name} is not told to call: ${file}`

const findingsOf = ({ agent, events, file, remedy }: Unregistered): readonly Finding[] =>
  events.map((event) => ({
    rule: "event-not-registered",
    level: "warning",
    file,
    message: `a hook is on ${event}, which ${dialects[agent].name} is not told to call`,
    remedy
  }))

export const checkRegistration = Effect.fn("check.registration")(function* (
  place: RegistrationPlace,
  manifest: Manifest
) {
  const near = (file: string): string => relative(place.project, file).replaceAll(sep, "/")
  const found = yield* Effect.forEach(installAgents, (agent) => sharedBy(place, agent))
  const shared = found.flatMap((one) => (one === undefined ? [] : [{ ...one, file: near(one.file) }]))
  if (shared.length === 0)
    return {
      check: "registration",
      looked: [],
      findings: [],
      skipped:
        "nothing is registered for everyone: hooktape install --agent claude-code --scope project, or another agent"
    } satisfies Checked
  const script = near(sharedHookFile(place.project))
  const findings: readonly Finding[] = [
    ...((yield* isSharedHookRight(place.project))
      ? []
      : [
          {
            rule: "script-changed",
            level: "error",
            file: script,
            message: "it is missing, cannot be started, or is not what this version writes",
            remedy: `hooktape install --agent ${shared[0]?.agent} --scope project`
          } as const
        ]),
    ...shared.flatMap((one) => findingsOf(missingFrom(one, manifest)))
  ]
  return {
    check: "registration",
    looked: [script, ...shared.map(({ file }) => file)],
    findings
  } satisfies Checked
})
