/** What a hook call stands in, looked up on the log: its turn, and when its tool call, its turn and its session began. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { invocationOf } from "../../../../events/invocationOf.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { placeInSession } from "../../../agents/placeInSession.ts"
import type { EventLogError, EventLogShape, Filter } from "../../../log/EventLog.ts"
import { type HookCall, payloadOf } from "./HookCall.ts"

export interface Surroundings {
  /** What names the turn: the agent's own id, else the call that the prompt came with. None outside of turns. */
  readonly turn: string | null
  /** Milliseconds since 1970; of what ends with this call. */
  readonly toolBegan?: number
  readonly turnBegan?: number
  readonly sessionBegan?: number
}

/** Tool calls at the same time, and those of subagents, stand in between. */
const mostBetween = 200

const betweenTurns: readonly (string | null)[] = [
  "session.start",
  "session.setup",
  "session.end",
  "session.ending"
]
export const toolEnds: readonly (string | null)[] = ["tool.after", "tool.failure"]
export const turnEnds: readonly (string | null)[] = ["turn.stop", "turn.error", "turn.interrupt"]
export const sessionEnd = "session.end"

/** Agents that name their turns say with each payload which it is. */
const namesTurns: readonly string[] = ["claude-code", "codex", "cursor", "windsurf"]

export const makeLookUp = (log: EventLogShape) => {
  const found = (filter: Filter): Effect.Effect<readonly Recorded[], EventLogError> =>
    Effect.map(Stream.runCollect(log.read(filter)), Chunk.toReadonlyArray)

  /** As the calls of the turn say it themselves. */
  const nameOf = (prompt: Recorded): string => {
    const { payload } = prompt.data as { readonly payload?: string }
    return placeInSession(prompt.agent, payloadOf(payload)).turn ?? invocationOf(prompt) ?? prompt.stream
  }

  /** The newest prompt of the session so far. */
  const promptBefore = (session: string, before: number) =>
    Effect.map(
      found({
        session,
        event: "prompt.submit",
        types: ["PAYLOAD_BUFFERED"],
        before,
        limit: 1,
        reverse: true
      }),
      ([prompt]) => prompt
    )

  /** Nearly always among the newest: what lies behind it is not read. */
  const toolBefore = (session: string, toolUseId: string, before: number) =>
    Effect.map(
      Stream.runHead(
        Stream.filter(
          log.read({
            session,
            event: "tool.before",
            types: ["PAYLOAD_BUFFERED"],
            before,
            limit: mostBetween,
            reverse: true
          }),
          (fact) => fact.toolUseId === toolUseId
        )
      ),
      Option.getOrUndefined
    )

  /** When the call was opened that a fact is of: what was asked of the agent began before its payload was there. */
  const openedAt = (fact: Recorded) =>
    Effect.map(found({ stream: fact.stream, limit: 1 }), ([first]) => (first ?? fact).at)

  return Effect.fn("otlp.surroundings")(function* (call: HookCall) {
    const { agent, event, invocation, position, session, toolUseId } = call
    if (session === null) return { turn: null } satisfies Surroundings
    const isTurnEnd = turnEnds.includes(event)
    const isNamed = call.turn !== null
    const own = event === "prompt.submit" ? invocation : null
    const isWithin =
      !betweenTurns.includes(event) && own === null && !(namesTurns.includes(agent) && !isNamed)
    const prompt = isWithin && (isTurnEnd || !isNamed) ? yield* promptBefore(session, position) : undefined
    const tool =
      toolEnds.includes(event) && toolUseId !== null
        ? yield* toolBefore(session, toolUseId, position)
        : undefined
    const first = event === sessionEnd ? (yield* found({ session, limit: 1 }))[0] : undefined
    const began: Surroundings = {
      turn: betweenTurns.includes(event) ? null : (call.turn ?? own ?? (prompt ? nameOf(prompt) : null)),
      ...(tool === undefined ? {} : { toolBegan: yield* openedAt(tool) }),
      ...(isTurnEnd && prompt !== undefined ? { turnBegan: yield* openedAt(prompt) } : {}),
      ...(first === undefined ? {} : { sessionBegan: yield* openedAt(first) })
    }
    return began
  })
}
