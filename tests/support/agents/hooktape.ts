/** The `hooktape` command in an agent's workspace: installing as a user would, and reading back what the agent's hooks did. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { InvocationFact } from "../../../events/facts.ts"
import { cliFor } from "../cli.ts"
import type { Agent, Exercised } from "./agents.ts"
import { settingsFile, toolPath, type Workspace } from "./workspace.ts"

const root = join(import.meta.dirname, "..", "..", "..")

/** The hooks of the demo: context, a guard, noise, a crash. */
export const demoHooks = join(root, "tests", "demo", "hooks")

/** One line of `hooktape log --json`. */
export interface LogLine {
  readonly position: number
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  readonly agent: string | null
  readonly agentEvent: string | null
  readonly session: string | null
  readonly invocation: string | null
  readonly data: unknown
}

/** One hook call as the log tells it. */
export interface LoggedCall {
  readonly invocation: string
  readonly agent: string
  readonly event: string
  /** When it was opened, ISO 8601. */
  readonly at: string
  /** The agent's payload, or undefined where none was accepted. */
  readonly payload: string | undefined
  readonly facts: readonly InvocationFact[]
}

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Hooktape {
  readonly state: string
  readonly run: (...args: readonly string[]) => Ended
  /** Its standard output; throws where it does not end with 0. */
  readonly must: (...args: readonly string[]) => string
  readonly log: () => readonly LogLine[]
  /** The hook calls of one agent, in the order of the log. */
  readonly calls: (agent: Exercised) => readonly LoggedCall[]
}

/**
 * `hooks`: file name → text, as hooks of the user; `project`: a directory of hooks for the project, which is then trusted;
 * `shipped`: whether the hooks that come with hooktape are there as well.
 */
export const hooktapeIn = (
  { home, cwd, tmp }: Workspace,
  hooks: Readonly<Record<string, string>> = {},
  project?: string,
  shipped: "on" | "off" = "off"
): Hooktape => {
  const state = join(home, "state")
  const own = join(home, ".config", "hooktape", "hooks")
  mkdirSync(own, { recursive: true })
  for (const [name, text] of Object.entries(hooks)) writeFileSync(join(own, name), text)
  const run = (...args: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cliFor(args), ...args], {
      cwd,
      env: {
        PATH: toolPath(),
        HOME: home,
        TMPDIR: tmp,
        HOOKTAPE_HOME: state,
        HOOKTAPE_HOST: "off",
        HOOKTAPE_DEFAULTS: shipped
      } as NodeJS.ProcessEnv,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 256 * 1024 * 1024
    })
    return { status, stdout, stderr }
  }
  const must = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(...args)
    if (status !== 0) throw new Error(`"hooktape ${args.join(" ")}" ended with ${status}\n${stderr}${stdout}`)
    return stdout
  }
  const log = (): readonly LogLine[] =>
    must("log", "--json")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as LogLine)
  if (project !== undefined) {
    cpSync(project, join(cwd, ".hooktape", "hooks"), { recursive: true })
    must("trust", "--yes")
  }
  return { state, run, must, log, calls: (agent) => callsOf(log(), agent) }
}

/** Gathers the facts of each hook call; the order is that of their first facts. */
export const callsOf = (lines: readonly LogLine[], agent: Exercised): readonly LoggedCall[] => {
  const calls = new Map<string, { readonly line: LogLine; readonly facts: InvocationFact[] }>()
  for (const line of lines) {
    if (line.invocation === null || line.agent !== agent) continue
    const call = calls.get(line.invocation) ?? { line, facts: [] }
    call.facts.push(line.data as InvocationFact)
    calls.set(line.invocation, call)
  }
  return [...calls].map(([invocation, { line, facts }]) => ({
    invocation,
    agent,
    event: line.agentEvent ?? "",
    at: line.at,
    payload: facts.flatMap((fact) => (fact.type === "PAYLOAD_BUFFERED" ? [fact.payload] : []))[0],
    facts
  }))
}

/** The user's settings file of each agent: where `hooktape install --scope user` registers. */
export const userSettings = (agent: Agent, workspace: Workspace): string =>
  agent === "claude-code" ? join(workspace.home, ".claude", "settings.json") : settingsFile(agent, workspace)

/** Whether a path exists in the project: the evidence that a command ran. */
export const inProject = ({ cwd }: Workspace, path: string): boolean => existsSync(join(cwd, path))
