/** What delayed the agents in the time that the lanes show. */
import type { Window } from "../../../../features/inspector/contract/live.ts"
import { slowMs, span } from "../../core/format.ts"
import { addressOf } from "../../core/router.ts"

export const Delays = ({ note, window }: { readonly window: Window; readonly note: string }) => {
  const whole = window.delays.reduce((sum, { ms }) => sum + ms, 0)
  const most = Math.max(1, ...window.delays.map(({ ms }) => ms))
  if (window.delays.length === 0) return null
  return (
    <section class="delays" aria-label="What delayed the agents here" tabIndex={0}>
      <h2>
        What delayed the agents here <span class="muted sm">{`${span(whole)} in ${note}`}</span>
      </h2>
      {window.delays.slice(0, 8).map(({ hook, ms, runs, slowestMs }) => {
        const parts = (
          <>
            <span class={`ell ${hook === null ? "muted" : ""}`}>{hook ?? "hooktape itself"}</span>
            <span class="meter">
              <i
                class={hook === null ? "own" : slowestMs >= slowMs ? "slow" : ""}
                style={{ width: `${(ms / most) * 100}%` }}
              />
            </span>
            <span class={`num ${slowestMs >= slowMs && hook !== null ? "is-slow" : ""}`}>{span(ms)}</span>
            <span class="muted ell">
              {hook === null ? "start, pipe, log" : `${runs}×, slowest ${span(slowestMs)}`}
            </span>
          </>
        )
        return hook === null ? (
          <div class="delay" key="own">
            {parts}
          </div>
        ) : (
          <a class="delay" key={hook} href={addressOf(["hooks"], { hook })}>
            {parts}
          </a>
        )
      })}
    </section>
  )
}
