/** One asker for as long as the question stays the same, told that there may be more to know when `tick` moves. */
import { useEffect, useRef } from "preact/hooks"
import { type Asker, type AskerOptions, makeAsker } from "./asker.ts"

export const useAsker = <A>(question: string, tick: unknown, options: AskerOptions<A>): void => {
  const latest = useRef(options)
  latest.current = options
  const asker = useRef<Asker | null>(null)
  const told = useRef(tick)
  useEffect(() => {
    // It asks at once: what moved together with the question is in the answer.
    told.current = tick
    const { heard, slow } = options
    const one = makeAsker<A>({ ask: (signal) => latest.current.ask(signal), heard, slow })
    asker.current = one
    return one.end
  }, [question])
  useEffect(() => {
    if (told.current === tick) return
    told.current = tick
    asker.current?.again()
  }, [tick])
}
