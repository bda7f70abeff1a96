/** How runs of handlers ended, whichever attempt it took: one that succeeds at last has not failed. */

interface Told {
  readonly stream: string
  readonly type: string
  readonly data: unknown
}

/** Facts of a log may lack what their schema wants: they count as the first attempt. */
interface Run {
  readonly handler?: string
  readonly event?: string
  readonly index?: number
  readonly attempt?: number
}

const ended = new Set(["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT"])

const keyOf = (stream: string, { event, handler, index }: Run): string =>
  JSON.stringify([stream, handler, event, index])

/** The facts without the outcomes of attempts that another attempt came after. */
export const settled = <A extends Told>(facts: readonly A[]): readonly A[] => {
  const last = new Map<string, number>()
  for (const { data, stream, type } of facts) {
    if (!ended.has(type)) continue
    const run = data as Run
    const key = keyOf(stream, run)
    last.set(key, Math.max(last.get(key) ?? 1, run.attempt ?? 1))
  }
  return facts.filter(({ data, stream, type }) => {
    if (!ended.has(type)) return true
    const run = data as Run
    return last.get(keyOf(stream, run)) === (run.attempt ?? 1)
  })
}
