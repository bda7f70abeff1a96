/** Asks a build's hooks about cases, in a process of its own that is started again where a hook ends it. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { bundleOf, eventOf, isOurs, type Manifest } from "../../state/manifest.ts"
import { findCore } from "../build/core.ts"
import { BacktestError } from "./BacktestError.ts"
import type { Case, Judged } from "./Case.ts"
import { permissionFlags } from "./confine.ts"
import type { Answered, Found, Given, Start } from "./judgeChild.ts"

export interface Judge {
  /** In the order of the cases. */
  readonly judge: (cases: readonly Case[]) => Effect.Effect<readonly Judged[], BacktestError>
  /** The hooks that were found so far. */
  readonly known: ReadonlySet<string>
}

export interface JudgeOptions {
  readonly manifest: Manifest
  /** Only these, whether they are on or not. */
  readonly hooks?: readonly string[] | undefined
  /** Where the process stands. */
  readonly directory: string
}

const nobody: Judged = { hooks: [], ms: 0 }
const ended: Judged = {
  hooks: [{ hook: "hooktape", ruling: "none", reason: null, ms: 0, missing: "a hook ended the process" }],
  ms: 0
}

/** Somebody may end the process at every call. */
const maxStarts = 20

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("HOOKTAPE") && name !== "NODE_OPTIONS")
  ),
  HOOKTAPE_HOST: "off"
})

const start = ({ directory, hooks }: JudgeOptions): ChildProcess => {
  const script = join(findCore().root, "dist", "backtest.cjs")
  const child = spawn(process.execPath, [...permissionFlags(), script], {
    cwd: directory,
    env: environment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    windowsHide: true
  })
  // What is sent to a process that is gone is told by its end.
  child.on("error", () => {})
  child.send({ hooks } satisfies Start, () => {})
  return child
}

const givenOf = (one: Case, nth: number, manifest: Manifest, event: string): Given => ({
  nth,
  bundle: bundleOf(manifest, event),
  isOurs: isOurs(manifest, [event]),
  id: one.id,
  at: one.at,
  agent: one.agent,
  agentEvent: one.agentEvent,
  payload: one.payload,
  cwd: one.cwd,
  project: one.project,
  isRecorded: one.source === "hooks",
  recorded: one.recorded,
  planned: one.planned
})

export const makeJudge = Effect.fn("backtest.makeJudge")(function* (options: JudgeOptions) {
  const { manifest } = options
  const known = new Set<string>()
  let child: ChildProcess | undefined
  let starts = 0
  yield* Effect.addFinalizer(() => Effect.sync(() => child?.kill("SIGKILL")))

  /** Those that are left when the process ends are asked of the next one, without the one that it ended at. */
  const ask = (left: Map<number, Given>, found: Map<number, Judged>): Effect.Effect<void, BacktestError> =>
    Effect.async<"done" | "ended">((resume) => {
      if (child === undefined) starts++
      const mine = child ?? start(options)
      child = mine
      const end = (how: "done" | "ended"): void => {
        mine.off("message", hear)
        mine.off("exit", gone)
        resume(Effect.succeed(how))
      }
      const hear = (message: Answered | Found): void => {
        if ("known" in message) {
          for (const name of message.known) known.add(name)
          return
        }
        const { nth, ...judged } = message
        found.set(nth, judged)
        left.delete(nth)
        if (left.size === 0) end("done")
      }
      const gone = (): void => {
        child = undefined
        end("ended")
      }
      mine.on("message", hear)
      mine.once("exit", gone)
      for (const one of left.values()) mine.send(one, () => {})
      return Effect.sync(() => end("done"))
    }).pipe(
      Effect.flatMap((how) => {
        if (how === "done") return Effect.void
        const [first] = left.keys()
        if (starts >= maxStarts)
          return new BacktestError({ message: `the process in which hooks are tried ended ${starts} times` })
        if (first !== undefined) {
          found.set(first, ended)
          left.delete(first)
        }
        return left.size === 0 ? Effect.void : ask(left, found)
      })
    )

  const judge = Effect.fn("backtest.judge")(function* (cases: readonly Case[]) {
    const found = new Map<number, Judged>()
    const left = new Map<number, Given>()
    for (const [nth, one] of cases.entries()) {
      const event = eventOf(manifest, one.agent, one.agentEvent)
      // Of an event that no hook wants nobody needs to be asked.
      if (Object.hasOwn(manifest.events, event)) left.set(nth, givenOf(one, nth, manifest, event))
    }
    if (left.size > 0) yield* ask(left, found)
    return cases.map((_, nth) => found.get(nth) ?? nobody)
  })
  return { judge, known } satisfies Judge
})
