/** The hooks of a call: those of its build, and the guards that its session began with and the build does not have. */
import type { Decoded } from "../agents/Adapter.ts"
import type { Registered } from "../hooks/Registered.ts"
import type { Guard } from "../state/manifest.ts"
import { messageOf } from "../state/messageOf.ts"
import type { RetainGuards } from "../trust/retain.ts"
import {
  dropSession,
  endSession,
  missingFrom,
  readSession,
  type SessionGuards,
  writeSession
} from "../trust/sessionGuards.ts"

export interface SessionRegistry {
  readonly registry: readonly Registered[]
  /** For the human, once in a session. */
  readonly hints: readonly string[]
  /** For the operator. */
  readonly warnings: readonly string[]
}

export interface Retaining {
  readonly state: string | undefined
  /** Of the build. */
  readonly guards: readonly Guard[] | undefined
  /** Those of them that are not in the registry, because their build is gone. */
  readonly lost?: readonly Guard[] | undefined
  readonly retain: (() => RetainGuards) | undefined
  readonly now?: () => number
}

/** What the session began with; one that was over and begins again has what there is now. */
const runningSession = (state: string, session: string, { events }: Decoded): SessionGuards | undefined => {
  const there = readSession(state, session)
  const isNew = there?.ended !== undefined && events.some(({ event }) => event === "session.start")
  return isNew ? undefined : there
}

/** `there`: what the session began with, looked up once a call. */
const enter = (
  { guards = [], now = Date.now, state }: Omit<Retaining, "retain">,
  { events, session }: Decoded,
  there: SessionGuards | undefined
): void => {
  if (state === undefined || session === null) return
  // What stands for others would outlast the moment at which they are known again.
  const known = guards.filter((guard) => guard.unknown === undefined)
  if (events.some(({ event }) => event === "session.end")) endSession(state, session, now())
  else if (there !== undefined) return
  else if (known.length > 0) writeSession(state, { version: 1, session, began: now(), guards: known })
  else if (events.some(({ event }) => event === "session.start")) dropSession(state, session)
}

/** Most calls neither begin nor end a session: where there are no guards either, there is nothing to enter, and no file is asked for. */
const hasWord = ({ guards = [] }: Pick<Retaining, "guards">, { events }: Decoded): boolean =>
  guards.length > 0 || events.some(({ event }) => event === "session.start" || event === "session.end")

/** Enters a session's first guarded call; and its end. */
export const enterSession = (retaining: Omit<Retaining, "retain">, decoded: Decoded): void => {
  const { state } = retaining
  const { session } = decoded
  if (state !== undefined && session !== null && hasWord(retaining, decoded))
    enter(retaining, decoded, runningSession(state, session, decoded))
}

/** One of the same place and name makes room for the one that the session began with. */
const beside = (registry: readonly Registered[], kept: readonly Registered[]): readonly Registered[] => [
  ...registry.filter(
    ({ hook, source }) => !kept.some((one) => one.hook.name === hook.name && one.source === source)
  ),
  ...kept
]

const hintOf = (names: readonly string[]): string => {
  const [verb, guards] = names.length === 1 ? ["is", "a guard"] : ["are", "guards"]
  return `hooktape: ${names.join(", ")} ${verb} gone or changed here, and ${names.length === 1 ? "runs" : "run"} on until this session ends: it began with ${guards === "a guard" ? "it" : "them"}. "hooktape hooks disable" switches ${guards} off.`
}

/** With what was kept of guards whose build is gone: each answers, or stops the action in its place. */
const withLost = (
  { lost = [], retain, state }: Retaining,
  registry: readonly Registered[]
): Omit<SessionRegistry, "hints"> => {
  if (state === undefined || retain === undefined || lost.length === 0) return { registry, warnings: [] }
  const { complaints, registered } = retain()(state, lost, "gone")
  return { registry: beside(registry, registered), warnings: complaints }
}

export const sessionRegistry = (
  retaining: Retaining,
  bundled: readonly Registered[],
  decoded: Decoded
): SessionRegistry => {
  const { guards, retain, state } = retaining
  const { session } = decoded
  const { registry, warnings } = withLost(retaining, bundled)
  // A call without a build's word on its guards is a replay's.
  if (state === undefined || guards === undefined || session === null)
    return { registry, hints: [], warnings }
  try {
    const began = runningSession(state, session, decoded)
    enter(retaining, decoded, began)
    const missing = began === undefined ? [] : missingFrom(guards, began)
    if (began === undefined || missing.length === 0 || retain === undefined)
      return { registry, hints: [], warnings }
    const { complaints, registered } = retain()(state, missing)
    const told = began.told ?? []
    const untold = registered.map(({ hook }) => hook.name).filter((name) => !told.includes(name))
    const isOver = decoded.events.some(({ event }) => event === "session.end")
    if (untold.length > 0 && !isOver) writeSession(state, { ...began, told: [...told, ...untold] })
    return {
      registry: beside(registry, registered),
      hints: untold.length === 0 ? [] : [hintOf(untold)],
      warnings: [...warnings, ...complaints]
    }
  } catch (error) {
    return {
      registry,
      hints: [],
      warnings: [...warnings, `this session's guards cannot be looked up: ${messageOf(error)}`]
    }
  }
}
