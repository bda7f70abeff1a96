/** Takes what the page wants done: one thing at a time, and only what the contract knows. */
import type { IncomingMessage } from "node:http"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Acts } from "../acts/Acts.ts"
import { BadAct, callNamed, runAgain } from "../acts/runAgain.ts"
import { RunAgain, SaveFixture } from "../contract/acts.ts"
import { NotThere } from "../read/Source.ts"
import { apiPrefix } from "./door.ts"
import type { Routed } from "./route.ts"
import type { World } from "./World.ts"
import { whatIsWrong } from "./whatIsWrong.ts"

/** More than any payload that was ever recorded. */
const largestBody = 16_000_000

const refused = (
  status: number,
  code: "bad-request" | "not-found" | "busy" | "failed",
  message: string
): Routed => ({
  refused: { status, code, message }
})

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) throw new BadAct("That is more than can be taken.")
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"))
  } catch {
    throw new BadAct("That is no JSON.")
  }
}

const taken = <A, I>(schema: Schema.Schema<A, I>, body: unknown): A => {
  const read = Schema.decodeUnknownEither(schema)(body)
  if (Either.isLeft(read)) throw new BadAct(whatIsWrong(read.left))
  return read.right
}

export const makeActing = (world: World) => {
  let isAtWork = false

  const done = async (
    acts: Acts,
    path: string,
    body: unknown,
    request: IncomingMessage
  ): Promise<unknown> => {
    if (path === `${apiPrefix}/fixtures`) {
      const { invocation } = taken(SaveFixture, body)
      world.ask((source) => callNamed(source, invocation))
      return { file: await acts.fixture(invocation) }
    }
    return runAgain(world.ask, acts, taken(RunAgain, body), () => request.socket.destroyed)
  }

  return async (acts: Acts, path: string, request: IncomingMessage): Promise<Routed> => {
    let isMine = false
    try {
      // Whoever is slow to say what is wanted keeps nobody else from it.
      const body = await bodyOf(request)
      if (isAtWork) return refused(409, "busy", "Another run goes on.")
      isAtWork = true
      isMine = true
      return { answer: await done(acts, path, body, request) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (error instanceof BadAct) return refused(400, "bad-request", message)
      if (error instanceof NotThere) return refused(404, "not-found", message)
      return refused(500, "failed", message)
    } finally {
      if (isMine) isAtWork = false
    }
  }
}
