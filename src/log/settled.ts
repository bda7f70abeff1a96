/** How runs of handlers ended, whichever attempt it took: one that succeeds at last has not failed. */

interface Told {
  readonly stream: string
  readonly type: string
  readonly data: unknown
}

interface Attempt {
  readonly handler: string
  readonly event: string
  readonly index: number
  readonly attempt: number
}

const ended = new Set(["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT"])

const runOf = (stream: string, { event, handler, index }: Attempt): string =>
  JSON.stringify([stream, handler, event, index])

/** The facts without the outcomes of attempts that another attempt came after. */
export const settled = <A extends Told>(facts: readonly A[]): readonly A[] => {
  const last = new Map<string, number>()
  for (const { data, stream, type } of facts) {
    if (!ended.has(type)) continue
    const attempt = data as Attempt
    const run = runOf(stream, attempt)
    last.set(run, Math.max(last.get(run) ?? 0, attempt.attempt))
  }
  return facts.filter(({ data, stream, type }) => {
    if (!ended.has(type)) return true
    const attempt = data as Attempt
    return last.get(runOf(stream, attempt)) === attempt.attempt
  })
}
