/** What a view asks for, while it is shown: asked again when the question changes or the log grows, never twice at once. */
import { useEffect, useRef, useState } from "preact/hooks"
import { AskError } from "./api.ts"

export interface Asked<A> {
  readonly value: A | undefined
  readonly error: AskError | undefined
  /** For longer than a moment: worth a word. */
  readonly isSlow: boolean
  readonly again: () => void
}

const failure = (cause: unknown): AskError =>
  cause instanceof AskError
    ? cause
    : new AskError("failed", cause instanceof Error ? cause.message : String(cause))

/** `question` names what is asked: another one forgets the answer before. `tick` asks the same again and keeps what is shown. */
export const useAsk = <A>(
  question: string,
  asks: (signal: AbortSignal) => Promise<A>,
  tick: unknown = 0
): Asked<A> => {
  const [state, put] = useState<{ question: string; value?: A; error?: AskError }>({ question })
  const [isSlow, putSlow] = useState(false)
  const [turn, putTurn] = useState(0)
  const latest = useRef(asks)
  latest.current = asks
  useEffect(() => {
    const gone = new AbortController()
    const slow = setTimeout(() => putSlow(true), 200)
    latest
      .current(gone.signal)
      .then((value) => put({ question, value }))
      .catch((cause) => {
        if (!gone.signal.aborted)
          put((before) => ({
            ...(before.question === question ? before : { question }),
            error: failure(cause)
          }))
      })
      .finally(() => {
        clearTimeout(slow)
        putSlow(false)
      })
    return () => {
      gone.abort()
      clearTimeout(slow)
    }
  }, [question, tick, turn])
  const isHere = state.question === question
  return {
    value: isHere ? state.value : undefined,
    error: isHere ? state.error : undefined,
    isSlow,
    again: () => putTurn((before) => before + 1)
  }
}
