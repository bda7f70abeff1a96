/** An agent that calls over HTTP finds no other way when nobody listens yet: the start of a session waits for the host. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { monotonic } from "../../runtime/elapsed.ts"
import { hostFile } from "../../state/startedFiles.ts"

/** A host takes about half a second to start; an agent is not held up for long by one that does not come. */
const longestMs = 2000
const everyMs = 20

const portOf = (state: string): number | undefined => {
  try {
    const port = Number(readFileSync(join(state, "run", "port"), "latin1"))
    return port > 0 && existsSync(hostFile(state)) ? port : undefined
  } catch {
    // No agent is told to call over HTTP.
    return undefined
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = process.getBuiltinModule("node:net").connect({ host: "127.0.0.1", port })
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Resolves when the host that was started takes HTTP, or is given up. */
export const httpReady = async (state: string): Promise<void> => {
  const port = portOf(state)
  if (port === undefined) return
  const until = monotonic() + longestMs
  while (!(await answers(port)) && monotonic() < until)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
}
