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
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { InvocationFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { discoverUser } from "../../runtime/builds/discover.ts"
import { probeReason, probeSession } from "../../runtime/probe.ts"
import { mergeConfigs, readConfig } from "../../state/config.ts"
import { bundleOf, eventOf, type Manifest } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import { BuildError } from "../build/BuildError.ts"
import { buildHooks } from "../build/build.ts"
import { findCore } from "../build/core.ts"
import { compareRuns } from "./compareRuns.ts"
import { formerSpeaker } from "./formerly.ts"
import type { Difference } from "./Replayed.ts"
import { saidBy } from "./replyAgain.ts"
import type { RerunCall } from "./rerunChild.ts"

export class RerunError extends Data.TaggedError("RerunError")<{ readonly message: string }> {}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A folder of hook files, or what holds one: a project, or a `.hooktape` folder. */
const hooksIn = (directory: string): string =>
  [join(directory, ".hooktape", "hooks"), join(directory, "hooks")].find(isDirectory) ?? directory

/**
 * The user's hooks and those of the directory, laid out as one user's hooks: links, so that what they import is found where
 * they really lie. The order is that of a real build, the user's first.
 */
const layOut = (scratch: string, hooks: string, userFolder: string): string => {
  const folder = join(scratch, "user")
  mkdirSync(join(folder, "hooks"), { recursive: true, mode: 0o700 })
  const own = realpathSync(hooks)
  const users = isDirectory(join(userFolder, "hooks")) && realpathSync(join(userFolder, "hooks")) !== own
  const files = [
    ...(users ? discoverUser(userFolder).files.map(({ file }) => ["0", file] as const) : []),
    ...readdirSync(own).map((name) => ["1", join(own, name)] as const)
  ]
  for (const [order, file] of files) {
    // Helpers beside the hooks begin with `_` or `.`; they are reached through the real files.
    if (/^[._]/.test(basename(file))) continue
    symlinkSync(realpathSync(file), join(folder, "hooks", `${order}-${basename(file)}`))
  }
  const configs = [join(userFolder, "config.json"), join(dirname(own), "config.json")].map((file) =>
    Either.getOrElse(readConfig(file), () => ({}))
  )
  writeFileSync(join(folder, "config.json"), JSON.stringify(mergeConfigs(configs[0] ?? {}, configs[1] ?? {})))
  return folder
}

const attempt = <A>(act: () => A): Effect.Effect<A, RerunError> =>
  Effect.try({ try: act, catch: (cause) => new RerunError({ message: messageOf(cause) }) })

const scratchDirectory = Effect.acquireRelease(
  attempt(() => realpathSync(mkdtempSync(join(tmpdir(), "hooktape-replay-")))),
  (scratch) => Effect.sync(() => rmSync(scratch, { recursive: true, force: true }))
)

/** Starting, and being killed when it does not end by its own deadline. */
const graceMs = 10_000

const spawnChild = (call: RerunCall, payload: string, env: NodeJS.ProcessEnv, cwd: string) =>
  Effect.async<void, RerunError>((resume) => {
    const script = join(findCore().root, "dist", "rerun.cjs")
    const child = spawn(process.execPath, [script, JSON.stringify(call)], {
      cwd,
      env,
      stdio: ["pipe", "ignore", "ignore"],
      timeout: call.deadlineMs + graceMs
    })
    child.stdin.on("error", () => {})
    child.stdin.end(payload)
    child.once("error", ({ message }) => resume(Effect.fail(new RerunError({ message }))))
    child.once("close", () => resume(Effect.void))
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

const rerunOne = Effect.fn("replay.rerun")(function* (
  state: string,
  manifest: Manifest,
  recorded: readonly Recorded[]
) {
  const facts = recorded.filter(({ known }) => known).map(({ data }) => data as InvocationFact)
  const opened = facts.find((fact) => fact.type === "INVOCATION_OPENED")
  const buffered = facts.find((fact) => fact.type === "PAYLOAD_BUFFERED")
  const planned = facts.find((fact) => fact.type === "HANDLERS_PLANNED")
  // What was rejected never reached a handler, and neither did what was only tried.
  if (!opened || !buffered || isProbe(buffered, planned)) return []
  const { agent, agentEvent, project, cwd, deadlineMs, invocation, env } = opened
  const call: RerunCall = {
    bundle: bundleOf(manifest, eventOf(manifest, agent, agentEvent)),
    agent,
    agentEvent,
    state,
    project,
    cwd,
    deadlineMs,
    at: recorded[0]?.at ?? 0,
    invocation,
    recorded: join(state, "recorded.json"),
    ...(planned === undefined ? {} : { planned })
  }
  const called = facts.filter((fact) => fact.type === "SERVICE_CALLED")
  yield* attempt(() => writeFileSync(call.recorded, JSON.stringify(called), { mode: 0o600 }))
  const here = [cwd, project].find(isDirectory) ?? state
  yield* spawnChild(call, buffered.payload, environment(env), here)
  const now = yield* attempt(() => takeFacts(state))
  const former = formerSpeaker(recorded, agent)
  return compareRuns(invocation, recorded, former === undefined ? now : saidBy(former, now))
})

/** Builds the hooks of a directory once; what comes back compares one recorded invocation after the other with them. */
export const makeRerun = Effect.fn("replay.makeRerun")(function* (
  directory: string,
  { userFolder }: { readonly userFolder: string }
) {
  const hooks = hooksIn(resolve(directory))
  if (!isDirectory(hooks))
    return yield* new RerunError({ message: `--with: ${hooks} is no directory. Name one with hook files.` })
  const scratch = yield* scratchDirectory
  const state = join(scratch, "state")
  const folder = yield* attempt(() => {
    mkdirSync(state, { mode: 0o700 })
    return layOut(scratch, hooks, userFolder)
  })
  const { manifest, problems } = yield* buildHooks({ state, userFolder: folder })
  // A difference to hooks that are not all there says nothing.
  if (problems.length > 0) return yield* new BuildError({ op: "check", problems })
  return (recorded: readonly Recorded[]): Effect.Effect<readonly Difference[], RerunError> =>
    rerunOne(state, manifest, recorded)
})
