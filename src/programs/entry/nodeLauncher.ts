/**
 * The script at `<state>/bin/hook.cjs`, which agents on Windows start with Node: what `bin/entry` is to a shell elsewhere, and answers as
 * that does (src/tools/install/launcher.ts). It cannot become what it starts, so it waits for it.
 *
 * What Node itself reads as it starts has been read by then: a variable that loads code is kept from what this starts, not from this.
 */
import { spawnSync } from "node:child_process"
import { accessSync, closeSync, constants, openSync, readSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { exitCodes } from "../../../events/exitCodes.ts"
import { startVariables } from "../../trust/startVariables.ts"
import { offMessage } from "./offMessage.ts"

const [node = "", script = "", ...call] = process.argv
const [agent = "", event = ""] = call
const state = dirname(dirname(script))
const loader = join(state, "bin", "load.cjs")

/** An agent that is still writing takes a reader that went for a failure. */
const drain = (): void => {
  const some = Buffer.alloc(65_536)
  try {
    while (readSync(0, some) > 0);
  } catch {
    // Closed, or there never was one.
  }
}

const say = (descriptor: number, text: string): void => {
  try {
    writeSync(descriptor, text)
  } catch {
    // Nobody reads: the exit code says it.
  }
}

const canRead = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Files for what is written to standard output and error by whoever is not to reach the agent; undefined where none can be made. */
const noiseFiles = (prefix: string): readonly [number, number] | undefined => {
  try {
    return [openSync(`${prefix}.1`, "w", 0o600), openSync(`${prefix}.2`, "w", 0o600)]
  } catch {
    return undefined
  }
}

const run = (): void => {
  for (const name of [...startVariables, "HOOKTAPE_HOLD"]) delete process.env[name]
  const prefix = join(state, "run", `noise.${process.pid}`)
  const noise = noiseFiles(prefix)
  const { error, signal, status } = spawnSync(node, [loader, ...call], {
    // The agent's own streams follow, out of the reach of a handler that writes to 1 and 2.
    stdio: [0, ...(noise ?? (["ignore", "ignore"] as const)), 1, 2],
    env: {
      ...process.env,
      HOOKTAPE_LAUNCHER: String(process.pid),
      HOOKTAPE_NOISE: noise === undefined ? "/dev/null" : prefix
    },
    windowsHide: true
  })
  for (const file of noise ?? []) closeSync(file)
  if (signal !== null) return void process.kill(process.pid, signal)
  if (error !== undefined) say(2, `hooktape: ${node} cannot be started: ${error.message}\n`)
  // 1 is for a hook that could not run at all.
  process.exitCode = status ?? exitCodes.failure
}

if (process.env["HOOKTAPE"] === "0") {
  drain()
  say(1, offMessage(agent, event, process.env, process.cwd))
} else if (canRead(loader)) run()
// Everything about the agents is loaded only where it is needed.
else
  void import("./goneReply.ts").then(({ goneReply }) => {
    const reply = goneReply({ agent, event, state, gone: loader, env: process.env })
    say(1, reply.stdout)
    say(2, reply.stderr)
    process.exitCode = reply.exitCode
  })
