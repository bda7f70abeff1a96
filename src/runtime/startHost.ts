/** Starts the host for the work that is left when the agent has its answer. Loaded only where there is some. */
import { accessSync, constants } from "node:fs"
import { hostFile, hostStart } from "../state/startedFiles.ts"

/** By name: a bundle has its own copy of this module. */
const slot = Symbol.for("hooktape/within-host")
const realm = globalThis as unknown as Record<symbol, boolean | undefined>

/** From now on none is started here: this is a part of one, which takes in what is left. */
export const withinHost = (): void => {
  realm[slot] = true
}

/** Detached and with closed streams: the agent waits for nothing of it. One too many finds the lock taken and ends. */
export const startHost = (state: string): void => {
  if (realm[slot] === true) return
  try {
    accessSync(hostFile(state), constants.X_OK)
    const [program, args] = hostStart(state)
    const { spawn } = process.getBuiltinModule("node:child_process")
    const child = spawn(program, args, { stdio: "ignore", detached: true, cwd: "/", windowsHide: true })
    child.on("error", () => undefined)
    child.unref()
  } catch {
    // The work is on its way to the log: whoever starts a host next does it.
  }
}
