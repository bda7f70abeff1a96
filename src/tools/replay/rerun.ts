/** Runs hooks of today on recorded payloads: in a scratch state, with nothing delivered and nothing recorded. */
import { spawn } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { InvocationFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { probeReason, probeSession } from "../../runtime/probe.ts"
import { bundleOf, eventOf, type Manifest } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import { BuildError } from "../build/BuildError.ts"
import { buildHooks } from "../build/build.ts"
import { findCore } from "../build/core.ts"
import { compareRuns } from "./compareRuns.ts"
import { formerSpeaker } from "./formerly.ts"
import { inspectorPort, usualPort } from "./inspectorPort.ts"
import { hooksIn, isDirectory, layOut, notAFolder } from "./layOut.ts"
import type { Difference } from "./Replayed.ts"
import { saidBy } from "./replyAgain.ts"
import type { RerunCall } from "./rerunChild.ts"

export class RerunError extends Data.TaggedError("RerunError")<{ readonly message: string }> {}

const attempt = <A>(act: () => A): Effect.Effect<A, RerunError> =>
  Effect.try({ try: act, catch: (cause) => new RerunError({ message: messageOf(cause) }) })

const scratchDirectory = Effect.acquireRelease(
  attempt(() => realpathSync(mkdtempSync(join(tmpdir(), "hooktape-replay-")))),
  (scratch) => Effect.sync(() => rmSync(scratch, { recursive: true, force: true }))
)

/** Starting, and being killed when it does not end by its own deadline. */
const graceMs = 10_000

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One that is stepped through is told of on the terminal, and has all the time there is. */
const spawnChild = (call: RerunCall, payload: string, env: NodeJS.ProcessEnv, cwd: string) =>
  Effect.async<Ended, RerunError>((resume) => {
    const script = join(findCore().root, "dist", "rerun.cjs")
    const told = call.inspect === undefined ? "ignore" : "inherit"
    const child = spawn(process.execPath, [script, JSON.stringify(call)], {
      cwd,
      env,
      stdio: ["pipe", told, told],
      windowsHide: true,
      ...(call.inspect === undefined ? { timeout: call.deadlineMs + graceMs } : {})
    })
    child.stdin?.on("error", () => {})
    child.stdin?.end(payload)
    child.once("error", ({ message }) => resume(Effect.fail(new RerunError({ message }))))
    child.once("close", (code, signal) => resume(Effect.succeed({ code, signal })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const takeFacts = (state: string): readonly InvocationFact[] => {
  const spool = join(state, "spool")
  if (!isDirectory(spool)) return []
  return readdirSync(spool).flatMap((name) => {
    const file = join(spool, name)
    if (!statSync(file).isFile()) return []
    const lines = readFileSync(file, "utf8").split("\n")
    rmSync(file)
    return lines
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { data: InvocationFact }).data)
  })
}

/** The recorded environment, without what would lead back to the real state. */
const environment = (recorded: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("HOOKTAPE"))
  return { ...Object.fromEntries(kept), ...recorded, HOOKTAPE_HOST: "off" }
}

const isProbe = (
  { session }: Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>,
  planned: Extract<InvocationFact, { type: "HANDLERS_PLANNED" }> | undefined
): boolean => session === probeSession || planned?.left.some(({ reason }) => reason === probeReason) === true

/** A day: no deadline of the call comes near while somebody steps through it. */
const unhurriedMs = 86_400_000

interface Prepared {
  readonly call: RerunCall
  readonly payload: string
  readonly env: NodeJS.ProcessEnv
  readonly here: string
}

/** Undefined for what was rejected, which never reached a handler, and for what was only tried. */
const prepare = Effect.fn("replay.prepare")(function* (
  state: string,
  manifest: Manifest,
  recorded: readonly Recorded[]
) {
  const facts = recorded.filter(({ known }) => known).map(({ data }) => data as InvocationFact)
  const opened = facts.find((fact) => fact.type === "INVOCATION_OPENED")
  const buffered = facts.find((fact) => fact.type === "PAYLOAD_BUFFERED")
  const planned = facts.find((fact) => fact.type === "HANDLERS_PLANNED")
  if (!opened || !buffered || isProbe(buffered, planned)) return undefined
  const { agent, agentEvent, project, cwd, deadlineMs, invocation, env } = opened
  const call: RerunCall = {
    bundle: bundleOf(manifest, eventOf(manifest, agent, agentEvent)),
    agent,
    agentEvent,
    state,
    project,
    cwd,
    build: manifest.build,
    ...(manifest.config === undefined ? {} : { config: manifest.config }),
    deadlineMs,
    at: recorded[0]?.at ?? 0,
    invocation,
    recorded: join(state, "recorded.json"),
    ...(planned === undefined ? {} : { planned }),
    late: facts
      .filter((fact) => fact.type === "HANDLER_TIMED_OUT")
      .map(({ attempt, event, handler }) => ({ handler, event, attempt })),
    hinted: facts.flatMap((fact) => ("hinted" in fact && fact.hinted === true ? [fact.handler] : []))
  }
  const called = facts.filter((fact) => fact.type === "SERVICE_CALLED")
  yield* attempt(() => writeFileSync(call.recorded, JSON.stringify(called), { mode: 0o600 }))
  const here = [cwd, project].find(isDirectory) ?? state
  return { call, payload: buffered.payload, env: environment(env), here } satisfies Prepared
})

/** A call done again: what it came to now, and where that differs. */
export interface Rerun {
  readonly facts: readonly InvocationFact[]
  readonly differences: readonly Difference[]
}

const rerunOne = Effect.fn("replay.rerun")(function* (
  state: string,
  manifest: Manifest,
  recorded: readonly Recorded[]
) {
  const prepared = yield* prepare(state, manifest, recorded)
  if (prepared === undefined) return undefined
  const { call, env, here, payload } = prepared
  yield* spawnChild(call, payload, env, here)
  const now = yield* attempt(() => takeFacts(state))
  const former = formerSpeaker(recorded, call.agent)
  const facts = former === undefined ? now : saidBy(former, now)
  return { facts, differences: compareRuns(call.invocation, recorded, facts) } satisfies Rerun
})

/** One recorded invocation with a build that is there, and so with what is trusted; undefined where no hook can run. */
export const runAgain = Effect.fn("replay.runAgain")(function* (
  manifest: Manifest,
  recorded: readonly Recorded[]
) {
  return yield* rerunOne(yield* scratchDirectory, manifest, recorded)
}, Effect.scoped)

/** Runs one recorded invocation under Node's inspector, with a build that is there; ends with it. False where no hook can run. */
export const stepThrough = Effect.fn("replay.stepThrough")(function* (
  manifest: Manifest,
  recorded: readonly Recorded[]
) {
  const state = yield* scratchDirectory
  const prepared = yield* prepare(state, manifest, recorded)
  if (prepared === undefined) return false
  const { call, env, here, payload } = prepared
  const port = yield* Effect.promise(() => inspectorPort(usualPort))
  const { code, signal } = yield* spawnChild(
    { ...call, deadlineMs: unhurriedMs, inspect: port },
    payload,
    env,
    here
  )
  const facts = yield* attempt(() => takeFacts(state))
  // Its exit code is the reply's: a call that came to its end may have any.
  if (!facts.some(({ type }) => type === "EXITED"))
    return yield* new RerunError({
      message: `the call did not come to its end: its process ended with ${signal ?? `exit code ${code}`}.`
    })
  return true
})

/** Builds the hooks of a directory once; what comes back compares one recorded invocation after the other with them. */
export const makeRerun = Effect.fn("replay.makeRerun")(function* (
  directory: string,
  { userFolder }: { readonly userFolder: string }
) {
  const hooks = hooksIn(resolve(directory))
  if (!isDirectory(hooks)) return yield* new RerunError({ message: `--with: ${notAFolder(directory)}` })
  const scratch = yield* scratchDirectory
  const state = join(scratch, "state")
  const laidOut = yield* attempt(() => {
    mkdirSync(state, { mode: 0o700 })
    return layOut(scratch, hooks, userFolder)
  })
  const { manifest, problems } = yield* buildHooks({ state, ...laidOut })
  // A difference to hooks that are not all there says nothing.
  if (problems.length > 0) return yield* new BuildError({ op: "check", problems })
  /** Undefined where no hook can run: for what was rejected, or only tried. */
  return (recorded: readonly Recorded[]): Effect.Effect<Rerun | undefined, RerunError> =>
    rerunOne(state, manifest, recorded)
})
