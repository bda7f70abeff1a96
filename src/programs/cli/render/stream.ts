/** A stream of the process as the command line writes to it: how much of a text it took, and how text is drawn on it. */
import { writeSync } from "node:fs"
import { coloured, plain, type Style } from "./style.ts"

export type Descriptor = 1 | 2

/** How a text is drawn for whoever reads. */
export interface Drawing {
  readonly style: Style
  /** Columns of the terminal; undefined where a line may be as long as it is. */
  readonly width: number | undefined
}

/** How many of the bytes from `at` on were taken: none where the reader is slow. Undefined where it has gone. */
export const taken = (descriptor: Descriptor, bytes: Buffer, at: number): number | undefined => {
  try {
    return writeSync(descriptor, bytes, at)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EPIPE" || code === "EBADF") return undefined
    if (code !== "EAGAIN") throw error
    return 0
  }
}

/** A pipe that is full holds what its reader takes a while for. */
export const waitMs = 1

export const colours = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"

export const drawingOn = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Drawing => ({
  style: colours(stream, env) ? coloured : plain,
  width: stream.isTTY ? (stream.columns ?? 80) : undefined
})
