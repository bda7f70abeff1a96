/** The command line as a process of its own, in a station. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { type Fired, outcomeOf, type Station } from "./entrypoint.ts"

const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js")

/** Nobody ends it but the test. */
export const startCommand = ({ env, project }: Station, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [cli, ...args], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })

export const command = (place: Station, ...args: readonly string[]): Promise<Fired> =>
  outcomeOf(startCommand(place, args))
