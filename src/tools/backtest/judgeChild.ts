/**
 * Asks hooks about calls of the past, one after the other, in a process that may read and nothing else. What it is given and what it
 * says are messages of its parent's.
 */
import * as Micro from "effect/Micro"
import type { InvocationFact, ServiceCalled } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { type InvocationCommand, invocation } from "../../../machines/invocation.ts"
import { intentsOf } from "../../../machines/replyIntents.ts"
import { wishIn } from "../../features/timeline/wish.ts"
import type { Past } from "../../history/Past.ts"
import { loadBundle } from "../../runtime/builds/loadBundle.ts"
import type { EntryOptions } from "../../runtime/builds/options.ts"
import { repeated } from "../../runtime/clip.ts"
import { drive } from "../../runtime/drive.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { isHandling, type LocalHandling, makeHandling } from "../../runtime/handling.ts"
import { isolate } from "../../runtime/isolate.ts"
import type { MakeHandlerServices } from "../../runtime/services/handlerServices.ts"
import { noPlace } from "../../runtime/services/place.ts"
import { unwatched, watched as watchedBy } from "../../runtime/watchdog.ts"
import { type Remembered, recalled } from "../replay/recalled.ts"
import { seeded, standStill } from "../replay/standStill.ts"
import type { HookRuling, Judged } from "./Case.ts"
import { closeNetwork, refusedCode } from "./confine.ts"
import { watchServices } from "./watchServices.ts"

/** One call to be judged. */
export interface Given {
  readonly nth: number
  readonly bundle: string
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly agentEvent: string
  readonly payload: string
  readonly cwd: string
  readonly project: string
  readonly isRecorded: boolean
  /** None but shipped hooks are in the bundle. */
  readonly isOurs: boolean
  readonly recorded: readonly ServiceCalled[]
  readonly planned?: Remembered | undefined
}

export interface Answered extends Judged {
  readonly nth: number
}

/** The first message of the parent: which hooks are asked, where not all are; each runs, whether it is on or not. */
export interface Start {
  readonly hooks: readonly string[] | undefined
}

/** What a bundle was found to hold. */
export interface Found {
  readonly known: readonly string[]
}

/** What answers at once in a session may take so long here. */
const deadlineMs = 5000
/** A hook that was not done in time so often is not asked any more. */
const maxLate = 3

const maxUnwatched = 4096

let now = Date.now()
let running: LocalHandling | undefined
const clock = () => now
let asked: readonly string[] | undefined
const late = new Map<string, number>()
/** The hooks that name a time of their own. */
const withDeadline = new Set<string>()
const loaded = new Map<string, EntryOptions>()
const send = process.send?.bind(process)

const silent = { take: () => [], restore: () => {} }

const load = (bundle: string): EntryOptions => {
  const known = loaded.get(bundle)
  if (known !== undefined) return known
  const options = loadBundle(bundle)
  loaded.set(bundle, options)
  for (const { hook } of options.registry) if (hook.deadline !== undefined) withDeadline.add(hook.name)
  send?.({ known: options.registry.map(({ hook }) => hook.name) } satisfies Found)
  return options
}

const pastOf = ({ planned }: Given): Past | undefined => {
  const before = planned === undefined ? undefined : recalled(planned)
  if (asked === undefined) return before
  // Who names a hook wants to know what it says.
  return {
    admit: before?.admit ?? (() => undefined),
    stops: before?.stops ?? recalled({ handlers: [], left: [] }).stops,
    complaints: () => [],
    switched: () => ({ enabled: true, reason: "" })
  }
}

type Outcome = Extract<
  InvocationFact,
  { type: "HANDLER_SUCCEEDED" | "HANDLER_FAILED" | "HANDLER_TIMED_OUT" | "HANDLER_SKIPPED" }
>

const isOutcome = (fact: InvocationFact): fact is Outcome =>
  /^HANDLER_(?:SUCCEEDED|FAILED|TIMED_OUT|SKIPPED)$/.test(fact.type)

type Late = Extract<Outcome, { type: "HANDLER_TIMED_OUT" }>

/** What it has for itself is less than what all of a call's hooks have here. */
const hasOwnDeadline = (fact: Late): boolean => withDeadline.has(fact.handler) && fact.deadlineMs < deadlineMs

const lateIn = (fact: Late): string => `was not done within ${fact.deadlineMs} ms`

const missingIn = (fact: Outcome, told: string | undefined): string | undefined => {
  if (told !== undefined) return told
  if (fact.type === "HANDLER_TIMED_OUT") return hasOwnDeadline(fact) ? undefined : lateIn(fact)
  if (fact.type !== "HANDLER_FAILED") return undefined
  const { message, name, stack = "" } = fact.error
  if (name === "UnrecordedCall" || message === noPlace) return message
  return stack.includes(refusedCode) || /^Access to .* has been restricted/.test(message)
    ? "wanted to write, to start a program or to reach the network"
    : undefined
}

const failedIn = (fact: Outcome): string | undefined =>
  fact.type === "HANDLER_FAILED"
    ? fact.error.message
    : fact.type === "HANDLER_TIMED_OUT"
      ? lateIn(fact)
      : undefined

const rulingOf = (fact: Outcome, told: string | undefined): HookRuling => {
  const wish = wishIn(intentsOf(fact))
  const missing = missingIn(fact, told)
  const failed = missing === undefined ? failedIn(fact) : undefined
  if (fact.type === "HANDLER_TIMED_OUT") late.set(fact.handler, (late.get(fact.handler) ?? 0) + 1)
  return {
    hook: fact.handler,
    ruling: wish?.decision ?? "none",
    reason: wish?.reason ?? null,
    ms: fact.type === "HANDLER_SKIPPED" ? 0 : fact.ms,
    ...(missing === undefined ? {} : { missing }),
    ...(failed === undefined ? {} : { failed })
  }
}

const judge = async (given: Given): Promise<Judged> => {
  const { agent, agentEvent, at, bundle, cwd, id, isOurs, isRecorded, payload, project, recorded } = given
  const options = load(bundle)
  const adapter = options.adapters[agent]
  if (adapter === undefined) return { hooks: [], ms: 0 }
  now = at
  Math.random = seeded(id)
  const began = monotonic()
  const elapsed = () => monotonic() - began
  const told = new Map<string, string>()
  const watched: MakeHandlerServices = (world, asking) => {
    const make = options.aid?.()
    if (make === undefined) throw new Error("this build has no services")
    const made = make(world, asking)
    const tell = (what: string): void => void told.set(asking.handler, told.get(asking.handler) ?? what)
    return {
      ...made,
      services: (...where) => watchServices(made.services(...where), tell, isRecorded ? undefined : at)
    }
  }
  const handling = makeHandling({
    recorded,
    invocation: id as InvocationId,
    adapter,
    agentEvent,
    cwd,
    project,
    timestamp: new Date(at).toISOString(),
    deadlineMs,
    handlerServices: () => watched,
    past: pastOf(given),
    registry: options.registry.filter(
      ({ hook }) => (asked === undefined || asked.includes(hook.name)) && (late.get(hook.name) ?? 0) < maxLate
    ),
    notices: [],
    noise: silent,
    isolation,
    // As in a host: shipped hooks read what is not long in steps that end.
    watch: isOurs && payload.length <= maxUnwatched ? unwatched : watchedBy,
    runEffect: options.runEffect,
    elapsed
  })
  running = handling
  const facts: InvocationFact[] = []
  const interpret = (command: InvocationCommand): Micro.Micro<readonly InvocationFact[]> => {
    if (isHandling(command)) return handling.interpret(command)
    if (command.type !== "BUFFER") return Micro.succeed([])
    return Micro.sync(() => {
      const decoded = adapter.decode(agentEvent, JSON.parse(payload) as JsonObject)
      handling.take({ text: payload, decoded })
      return [{ type: "PAYLOAD_BUFFERED", bytes: payload.length, payload: "", ...repeated(decoded) }]
    })
  }
  const opened = {
    type: "INVOCATION_OPENED",
    invocation: id as InvocationId,
    agent,
    agentEvent,
    transport: "entry",
    cwd,
    project,
    env: {},
    runtime: "",
    deadlineMs
  } satisfies InvocationFact
  const record = (fact: InvocationFact) => Micro.sync(() => void facts.push(fact))
  await Micro.runPromise(drive(invocation, { record, interpret }, opened))
  // Of several attempts, the last one counts.
  const hooks = new Map<string, HookRuling>()
  for (const fact of facts) {
    if (!isOutcome(fact)) continue
    hooks.set(`${fact.handler}\0${fact.index}`, rulingOf(fact, told.get(fact.handler)))
  }
  return { hooks: [...hooks.values()], ms: elapsed() }
}

closeNetwork()
/** Once for all calls: what is left behind by one that is over is nobody's failure. */
const isolation = isolate((error, owner) => running?.stray(error, owner))
standStill(clock)
Object.assign(process, { send: undefined })

let turn: Promise<void> = Promise.resolve()
process.on("message", (message: Start | Given) => {
  if (!("nth" in message)) {
    asked = message.hooks
    return
  }
  turn = turn.then(async () => {
    const judged = await judge(message).catch(
      ({ message: why }: Error): Judged => ({
        hooks: [{ hook: "hooktape", ruling: "none", reason: null, ms: 0, missing: why }],
        ms: 0
      })
    )
    send?.({ nth: message.nth, ...judged } satisfies Answered)
  })
})
