/** The command line as a process of its own, in a station. */
import { type ChildProcess, spawn } from "node:child_process"
import { cliFor } from "./cli.ts"
import { type Fired, outcomeOf, type Station } from "./entrypoint.ts"

/** Nobody ends it but the test. */
export const startCommand = ({ env, project }: Station, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [cliFor(args), ...args], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })

export const command = (place: Station, ...args: readonly string[]): Promise<Fired> =>
  outcomeOf(startCommand(place, args))
