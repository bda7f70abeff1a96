/** What a view asks for, while it is shown: asked again when the question changes or the log grows. */
import { useState } from "preact/hooks"
import type { AskError } from "./AskError.ts"
import { useAsker } from "./useAsker.ts"

export interface Asked<A> {
  readonly value: A | undefined
  readonly error: AskError | undefined
  /** For longer than a moment: worth a word. */
  readonly isSlow: boolean
  readonly again: () => void
}

/** `question` names what is asked: another one forgets the answer before. `tick` asks the same again and keeps what is shown. */
export const useAsk = <A>(
  question: string,
  asks: (signal: AbortSignal) => Promise<A>,
  tick: unknown = 0
): Asked<A> => {
  const [state, put] = useState<{ question: string; value?: A; error?: AskError }>({ question })
  const [isSlow, putSlow] = useState(false)
  const [turn, putTurn] = useState(0)
  useAsker<A>(`${turn} ${question}`, tick, {
    ask: asks,
    slow: putSlow,
    heard: (outcome) =>
      put((before) =>
        "value" in outcome
          ? { question, value: outcome.value }
          : { ...(before.question === question ? before : { question }), error: outcome.error }
      )
  })
  const isHere = state.question === question
  return {
    value: isHere ? state.value : undefined,
    error: isHere ? state.error : undefined,
    isSlow,
    again: () => putTurn((before) => before + 1)
  }
}
