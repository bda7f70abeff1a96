/** Processes of `hooktape collect`, as somebody runs them, so that they can be killed as somebody else's are. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { cliFor } from "../cli.ts"

const environmentFor = (database: string) => ({ ...process.env, HOOKTAPE_DATABASE_URL: database })

export const collect = (database: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [cliFor(["collect"]), "collect", ...args], {
    encoding: "utf8",
    env: environmentFor(database)
  })

export interface Running {
  /** The first line that it wrote to standard output, or, of one that writes none, to standard error. */
  readonly line: string
  /** It does nothing, and holds what it has, until it thaws. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly kill: (signal: "SIGKILL" | "SIGTERM") => Promise<unknown>
}

/** Resolves once it says that it works. */
export const startCollect = async (database: string, ...args: readonly string[]): Promise<Running> => {
  const child: ChildProcess = spawn(process.execPath, [cliFor(["collect"]), "collect", ...args], {
    env: environmentFor(database),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = once(child, "exit")
  const { stderr, stdout } = child
  if (stdout === null || stderr === null) throw new Error("a process without pipes")
  const line = await Promise.race([
    once(createInterface(stdout), "line"),
    ...(args[0] === "run" ? [once(createInterface(stderr), "line")] : []),
    ended.then(([code]) => Promise.reject(new Error(`collect ${args.join(" ")} ended with ${code}`)))
  ])
  stderr.resume()
  return {
    line: String(line[0]),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    kill: (signal) => {
      child.kill(signal)
      return ended
    }
  }
}
