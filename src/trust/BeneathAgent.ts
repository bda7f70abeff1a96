/** Whether this process was started by an agent: asked before anything that weakens a guard. Tests supply their own answer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isAgent, markIn, type Seen } from "./agentPrograms.ts"
import { ancestors } from "./ancestors.ts"

export interface BeneathAgentShape {
  /** How the agent was recognised, in words; undefined where there is none. */
  readonly sign: Effect.Effect<string | undefined>
}

export class BeneathAgent extends Context.Tag("hooktape/BeneathAgent")<BeneathAgent, BeneathAgentShape>() {}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The nearest first. */
  readonly above: readonly Seen[]
  /** Whether somebody sits at a terminal. */
  readonly terminal: boolean
}

/**
 * A variable that was taken away here still stands in the environment that a process further up was started with, and the agent
 * is an ancestor whatever the variables say. Where not even the parent can be looked at, only a terminal speaks for a person.
 */
export const signOf = ({ above, env, terminal }: Surroundings): string | undefined => {
  const own = markIn(env)
  if (own !== undefined) return `${own} is set`
  for (const one of above) {
    if (isAgent(one)) return `process ${one.pid} above it is ${one.name}`
    const mark = markIn(one.env ?? {})
    if (mark !== undefined) return `${mark} was set for process ${one.pid} above it`
  }
  if (above.length === 0 && !terminal && process.platform !== "win32")
    return "the process that started it cannot be looked at, and there is no terminal"
  return undefined
}

/** Asked last, and seldom: `node:tty` is loaded for it. */
const sitsAtTerminal = (): boolean => {
  const { isatty } = process.getBuiltinModule("node:tty")
  return isatty(0) && isatty(2)
}

/** No variable and no argument supplies this answer. */
export const beneathAgent: Layer.Layer<BeneathAgent> = Layer.succeed(BeneathAgent, {
  sign: Effect.sync(() =>
    signOf({
      env: process.env,
      above: process.platform === "win32" ? [] : ancestors(),
      get terminal() {
        return sitsAtTerminal()
      }
    })
  )
})
