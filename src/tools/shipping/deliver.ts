/** Hands events to a sink: lines of a file, or one batch over HTTP. */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { CloudEvent } from "./cloudEvent.ts"
import { asking, failure, refusal, request, type ShipError, unfit } from "./request.ts"
import { isUrl, type Sink, targetProblem } from "./Sink.ts"

/** Whoever was killed amid a line left it without its end: the next one begins on its own. */
const isAtLineStart = async (file: FileHandle): Promise<boolean> => {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] === 10
}

/** Off the thread that answers calls: a disk may take its time until it has it. */
const toFile = async (path: string, events: readonly CloudEvent[]): Promise<void> => {
  // A pipe that nobody reads would not be opened before somebody does.
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDWR } = constants
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("")
    await file.writeFile((await isAtLineStart(file)) ? lines : `\n${lines}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const post = async (
  { to, tokenFile }: Sink,
  events: readonly CloudEvent[],
  signal: AbortSignal
): Promise<void> => {
  const type = "application/cloudevents-batch+json"
  const answer = await request({ to, tokenFile, type, body: JSON.stringify(events) }, signal)
  await answer.body?.cancel()
  if (!answer.ok) throw refusal(answer, "the receiver")
}

/** Fails after `timeoutMs` at the latest. That it was taken is known only when this succeeds. */
export const deliver = (
  sink: Sink,
  events: readonly CloudEvent[],
  timeoutMs: number
): Effect.Effect<void, ShipError> => {
  const problem = targetProblem(sink.to)
  if (problem !== undefined) return unfit(sink, problem)
  if (!isUrl(sink.to)) return Effect.tryPromise({ try: () => toFile(sink.to, events), catch: failure })
  return asking((signal) => post(sink, events, signal), timeoutMs)
}
