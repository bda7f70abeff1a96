/** Starts a hook call the way an agent does: the launcher, in a process of its own. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { CliError } from "./CliError.ts"
import { hookOf, launcherText } from "./prepare.ts"

export interface Launched {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export interface Launch {
  readonly state: string
  readonly agent: string
  readonly agentEvent: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * The launcher is POSIX shell; handing it over as text keeps it the same whatever stands at `bin/hook`. On Windows it is what agents start.
 */
export const commandOf = (
  { state, agent, agentEvent }: Pick<Launch, "state" | "agent" | "agentEvent">,
  platform: NodeJS.Platform = process.platform
): readonly [program: string, args: readonly string[]] =>
  platform === "win32"
    ? [process.execPath, [hookOf(state, platform), agent, agentEvent]]
    : ["/bin/sh", ["-c", launcherText(state), "hooktape", agent, agentEvent]]

const cannotStart = (cause: Error) =>
  new CliError({
    what: "the hook cannot be started",
    reason: cause.message,
    remedy: 'Run "hooktape doctor".',
    cause
  })

/** What a shell answers for a process that a signal ended. */
const codeOf = (code: number | null): number => code ?? 128

/** With our own streams: standard input is read by the hook, and its reply is written by it. */
export const launchThrough = (launch: Launch): Effect.Effect<number, CliError> =>
  Effect.async((resume) => {
    const child = spawn(...commandOf(launch), {
      cwd: launch.cwd,
      env: launch.env,
      // stream-bypass: the hook that is started writes its own reply to them
      stdio: "inherit",
      windowsHide: true
    })
    child.once("error", (cause) => resume(Effect.fail(cannotStart(cause))))
    child.once("exit", (code) => resume(Effect.succeed(codeOf(code))))
    return Effect.sync(() => child.kill())
  })

export const collect = (
  command: string,
  args: readonly string[],
  input: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs?: number }
): Effect.Effect<Launched, CliError> =>
  Effect.async((resume) => {
    const { cwd, env, timeoutMs } = options
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: "pipe",
      windowsHide: true,
      ...(timeoutMs ? { timeout: timeoutMs } : {})
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
    // A hook that does not read its payload is not a failure of ours.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    child.once("error", (cause) => resume(Effect.fail(cannotStart(cause))))
    child.once("close", (code) =>
      resume(
        Effect.succeed({
          stdout: Buffer.concat(stdout).toString("utf8"),
          stderr: Buffer.concat(stderr).toString("utf8"),
          exitCode: codeOf(code)
        })
      )
    )
    return Effect.sync(() => child.kill())
  })

/** With a payload given, and the reply taken in. */
export const launchWith = (launch: Launch, payload: string): Effect.Effect<Launched, CliError> =>
  collect(...commandOf(launch), payload, launch)
