/** Where the recording is played: a home of its own with a project in it, and the hooks of the demo installed for every agent. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { cliFor } from "../support/cli.ts"

/** One hook call as an agent made it. */
export interface Call {
  readonly agent: string
  readonly event: string
  /** The payload as the agent sent it, with `{{project}}` and `{{home}}` where it named directories. */
  readonly payload: string
}

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Stage {
  readonly project: string
  readonly state: string
  /** The command, on the log of this stage; `shown` sends what it says straight to the terminal. */
  readonly hooktape: (args: readonly string[], shown?: boolean) => Ended
  /** Standard output of a command that has to succeed. */
  readonly must: (args: readonly string[]) => string
  /** Does what the agent did: runs the registered command line with the payload on standard input. */
  readonly play: (call: Call) => Ended
}

const here = import.meta.dirname

export const readRecording = (): readonly Call[] =>
  JSON.parse(readFileSync(join(here, "recording.json"), "utf8")) as readonly Call[]

export const hooksOfTheDemo = join(here, "hooks")

/** A command that failed where it must not. */
export class StageError extends Error {}

export const setStage = (home: string, state = join(home, "state")): Stage => {
  const project = join(home, "project")
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    HOOKTAPE_HOME: state,
    HOOKTAPE_HOST: "off",
    HOOKTAPE_DEFAULTS: "off",
    XDG_CONFIG_HOME: join(home, "config"),
    ...(process.env["NO_COLOR"] === undefined ? {} : { NO_COLOR: process.env["NO_COLOR"] })
  } as NodeJS.ProcessEnv
  const options = { cwd: project, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 } as const

  const hooktape: Stage["hooktape"] = (args, shown = false) => {
    const stdio = shown ? "inherit" : "pipe"
    const { status, stdout, stderr } = spawnSync(process.execPath, [cliFor(args), ...args], {
      ...options,
      stdio: ["ignore", stdio, stdio]
    })
    return { status, stdout: stdout ?? "", stderr: stderr ?? "" }
  }
  const must: Stage["must"] = (args) => {
    const { status, stdout, stderr } = hooktape(args)
    if (status === 0) return stdout
    throw new StageError(`"hooktape ${args.join(" ")}" ended with ${status}\n${stderr}${stdout}`)
  }
  const play: Stage["play"] = ({ agent, event, payload }) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", `exec '${state}/bin/hook' ${agent} ${event}`], {
      ...options,
      input: payload.replaceAll("{{project}}", project).replaceAll("{{home}}", home)
    })
    return { status, stdout, stderr }
  }
  return { project, state, hooktape, must, play }
}

/** Installs the demo's hooks in the stage's project, for all three agents. */
export const install = ({ project, must }: Stage): void => {
  mkdirSync(join(project, ".hooktape"), { recursive: true })
  cpSync(hooksOfTheDemo, join(project, ".hooktape", "hooks"), { recursive: true })
  must(["trust", "--yes"])
  for (const agent of ["claude-code", "codex", "gemini-cli"])
    must(["install", "--agent", agent, "--scope", "user"])
}
