/** Where a hook failed, in its author's own source. */
import type { CallDetail, CallError, StackFrame } from "../../../features/inspector/contract/call.ts"

const Source = ({ source }: { readonly source: NonNullable<StackFrame["source"]> }) => (
  <div class="src" tabIndex={0} role="group" aria-label={`Source, line ${source.hit}`}>
    {source.lines.map((line, at) => {
      const number = source.first + at
      const look = number === source.hit ? "threw" : ""
      return (
        <>
          <span class={`n ${look}`}>{number}</span>
          <span class={look}>{line === "" ? " " : line}</span>
        </>
      )
    })}
  </div>
)

interface Failure {
  readonly hook: string
  readonly error: CallError | null
  readonly note: string | null
}

/** Of its hooks, then of what went on after the reply. */
const failuresOf = ({ handlers, jobs }: CallDetail): readonly Failure[] => [
  ...handlers.map(({ error, hook, policy }) => ({
    hook,
    error,
    note: policy === null ? null : `a failure of it means: ${policy}`
  })),
  ...jobs.map(({ failure, hook }) => ({
    hook,
    error: failure,
    note: failure === null ? null : `after the reply, attempt ${failure.attempt}`
  }))
]

export const Stack = ({ detail }: { readonly detail: CallDetail }) => (
  <>
    {failuresOf(detail).map(({ error, hook, note }, nth) => {
      if (error === null) return null
      const frames = error.stack
      const own = frames.filter(({ isAuthors }) => isAuthors)
      const source = own.find((frame) => frame.source !== undefined)?.source
      return (
        <section class="card" key={nth}>
          <div class="hd">
            <h2>
              {hook}: {error.name}
            </h2>
            {note !== null && <span class="note">{note}</span>}
          </div>
          <div class="io">
            <p class="b">{error.message}</p>
            {source !== undefined && <Source source={source} />}
            <ul class="mono">
              {(own.length > 0 ? own : frames).map(({ text }) => (
                <li key={text}>at {text}</li>
              ))}
            </ul>
            {own.length > 0 && own.length < frames.length && (
              <details>
                <summary class="note">{frames.length - own.length} frames of hooktape and Node</summary>
                <ul class="mono">
                  {frames
                    .filter(({ isAuthors }) => !isAuthors)
                    .map(({ text }) => (
                      <li key={text}>at {text}</li>
                    ))}
                </ul>
              </details>
            )}
          </div>
        </section>
      )
    })}
  </>
)
