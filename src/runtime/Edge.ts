/** The only place where an intent touches the world: writes a reply's bytes once, completely, and says what became of them. */
import { writeSync } from "node:fs"
import { exitCodes } from "../../events/exitCodes.ts"
import type { Encoded } from "../agents/Adapter.ts"
import { identityOf } from "../log/identityOf.ts"
import { pause } from "./pause.ts"

/** Where the agent reads. Not always 1 and 2: a launcher may have put those out of reach of handlers. */
export interface Descriptors {
  readonly stdout: number
  readonly stderr: number
}

export interface Delivery {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** Set when the reader was gone or the write failed otherwise. */
  readonly error?: Error
}

/** What is answered where there is nothing to say, and no adapter that would say it in an agent's words. */
export const neutral: Encoded = { stdout: "", stderr: "", exitCode: exitCodes.success, carried: {} }

/** Performs one reply. A second one for the same invocation is a defect. */
export interface Edge {
  readonly deliver: (encoded: Encoded, noise: string) => Delivery
}

/** A pipe holds 64 KiB and may be non-blocking: write until everything is out. */
const writeFully = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text, "utf8")
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at, bytes.length - at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      pause(1)
    }
  }
}

/** Writes all of it, or says why not. */
export const tryWrite = (descriptor: number, text: string): Error | undefined => {
  try {
    if (text !== "") writeFully(descriptor, text)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/**
 * The bytes a reply amounts to. On a blocking exit what handlers wrote to standard error goes out before the reason; on a
 * graceful one it stays on the log.
 */
export const performed = ({ stdout, stderr, exitCode }: Encoded, noise: string): Delivery => {
  const heard =
    exitCode === exitCodes.blocking && noise !== "" ? `${noise}${noise.endsWith("\n") ? "" : "\n"}` : ""
  return { stdout, stderr: heard + stderr, exitCode }
}

/** The same where standard output is gone: a block must not depend on it. Undefined where nothing else says it. */
export const performedOtherwise = (encoded: Encoded, noise: string): Delivery | undefined =>
  encoded.otherwise && performed({ ...encoded, ...encoded.otherwise, stdout: "" }, noise)

/** Writes all of a text to one of the agent's streams, or says why not. */
export type Say = (stream: keyof Descriptors, text: string) => Error | undefined

/** By descriptor. The reply must not land in a file that a handler opened under a number it closed. */
export const sayTo = (descriptors: Descriptors): Say => {
  const before = { stdout: identityOf(descriptors.stdout), stderr: identityOf(descriptors.stderr) }
  return (stream, text) =>
    text !== "" && identityOf(descriptors[stream]) !== before[stream]
      ? new Error(`a handler closed the agent's ${stream}`)
      : tryWrite(descriptors[stream], text)
}

/** An edge for one invocation. */
export const makeEdge = (agent: Descriptors | Say): Edge => {
  let delivered = false
  const write = typeof agent === "function" ? agent : sayTo(agent)
  return {
    deliver: (encoded, noise) => {
      if (delivered) throw new Error("a reply is delivered once")
      delivered = true
      const delivery = performed(encoded, noise)
      const instead = performedOtherwise(encoded, noise)
      if (instead) {
        const gone = write("stdout", delivery.stdout)
        const unheard = write("stderr", gone ? instead.stderr : delivery.stderr)
        if (gone) return { ...instead, error: gone }
        return unheard ? { ...delivery, error: unheard } : delivery
      }
      // Standard error first: an agent that stops reading at the end of standard output has it already. One that is gone
      // does not take the other with it.
      const failed = write("stderr", delivery.stderr)
      const error = write("stdout", delivery.stdout) ?? failed
      return error ? { ...delivery, error } : delivery
    }
  }
}
