/** What a view says where it has nothing, waits, or was refused. */
import type { ComponentChildren } from "preact"
import type { AskError } from "../core/AskError.ts"

export const Empty = ({
  children,
  title
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <b>{title}</b>
    {children}
  </div>
)

export const Waiting = ({ say }: { readonly say: string }) => (
  <div class="skeleton" role="status" aria-label={say}>
    <span class="muted">{say}</span>
    {Array.from({ length: 9 }, (_, at) => (
      <i key={at} />
    ))}
  </div>
)

export const Failed = ({ again, error }: { readonly error: AskError; readonly again: () => void }) => (
  <div class="empty" role="alert">
    <b>{error.message}</b>
    {error.remedy !== undefined && <code>{error.remedy}</code>}
    <button type="button" class="btn" onClick={again}>
      Try again
    </button>
  </div>
)

/** What was asked for, as soon as it is there. */
export const Shown = <A,>({
  asked,
  children,
  waiting
}: {
  readonly asked: {
    readonly value: A | undefined
    readonly error: AskError | undefined
    readonly isSlow: boolean
    readonly again: () => void
  }
  readonly waiting: string
  readonly children: (value: A) => ComponentChildren
}) => {
  if (asked.value !== undefined) return <>{children(asked.value)}</>
  if (asked.error !== undefined) return <Failed error={asked.error} again={asked.again} />
  return asked.isSlow ? <Waiting say={waiting} /> : <div aria-busy="true" />
}
