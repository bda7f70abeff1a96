/** Where the time went: the invocation's states, its hooks, what they asked for, jobs; and the time between, which is hooktape's own. */
import type { CallDetail, CallHandler } from "../../../features/inspector/contract/call.ts"
import { span } from "../core/format.ts"
import { Mark, type Sign } from "./icons.tsx"
import { isSlow } from "./outcomes.tsx"

interface Bar {
  readonly from: number
  readonly ms: number
  readonly look: string
  readonly title?: string
}

const handlerLook = ({ decision, ms, outcome }: CallHandler): string => {
  if (decision === "block") return "blocked"
  if (outcome === "failed") return "failed"
  if (outcome === "timed-out") return "late"
  return isSlow(ms) ? "slow" : "hook"
}

const handlerSign: Readonly<Record<string, Sign>> = { blocked: "blocked", failed: "failed", late: "late" }

/** Stretches of [0, whole] that no bar covers. */
export const gapsBetween = (
  bars: readonly { readonly from: number; readonly ms: number }[],
  whole: number
): readonly Bar[] => {
  const gaps: Bar[] = []
  let end = 0
  for (const { from, ms } of [...bars].sort((a, b) => a.from - b.from)) {
    if (from > end) gaps.push({ from: end, ms: from - end, look: "hatch" })
    end = Math.max(end, from + ms)
  }
  if (whole > end) gaps.push({ from: end, ms: whole - end, look: "hatch" })
  return gaps
}

const Line = ({
  bars,
  isSub = false,
  name,
  note,
  sign,
  value,
  whole
}: {
  readonly name: string
  readonly note?: string
  readonly sign?: Sign | undefined
  readonly bars: readonly Bar[]
  readonly value: string
  readonly whole: number
  readonly isSub?: boolean
}) => (
  <div class={`ln ${isSub ? "sub" : ""}`}>
    <span class="what" title={note === undefined ? name : `${name} ${note}`}>
      {sign !== undefined && <Mark sign={sign} />} {isSub ? name : <b>{name}</b>}{" "}
      {note !== undefined && <span class="muted">{note}</span>}
    </span>
    <span class="tr">
      {bars.map(({ from, look, ms, title }, at) => (
        <i
          key={at}
          class={`bar ${look}`}
          title={title}
          style={{
            left: `${Math.min(99.5, (from / whole) * 100)}%`,
            width: `${Math.min(100 - (from / whole) * 100, (ms / whole) * 100)}%`
          }}
        />
      ))}
    </span>
    <span class="v">{value}</span>
  </div>
)

export const Waterfall = ({ at, detail }: { readonly detail: CallDetail; readonly at: number }) => {
  const { call, frames, handlers, jobs, states } = detail
  const last = frames.at(-1)?.ms ?? 0
  const lengths = states.map(({ ms }) => ms ?? 0)
  const whole = Math.max(
    0.5,
    last,
    lengths.reduce((sum, ms) => sum + ms, 0),
    ...handlers.map(({ ms, startMs }) => (startMs ?? 0) + (ms ?? 0))
  )
  let begun = 0
  const stateBars = states.flatMap(({ ms, state }): Bar[] => {
    if (ms === null || ms === 0) return []
    const bar = { from: begun, ms, look: state, title: `${state} ${span(ms)}` }
    begun += ms
    return [bar]
  })
  const ran = handlers.filter(({ startMs }) => startMs !== null)
  const gaps = gapsBetween(
    ran.map(({ ms, startMs }) => ({ from: startMs ?? 0, ms: ms ?? whole - (startMs ?? 0) })),
    whole
  )
  const own = gaps.reduce((sum, { ms }) => sum + ms, 0)
  const jobsEnd = Math.max(
    1,
    ...jobs.flatMap(({ runs }) => runs.map(({ ms, startMs }) => startMs - whole + (ms ?? 0)))
  )
  const moment = Math.min(100, ((frames[at]?.ms ?? 0) / whole) * 100)
  return (
    <section class="card">
      <div class="hd">
        <h2>Where the time went</h2>
        <span class="note">
          {states
            .filter(({ ms }) => ms !== null && ms > 0)
            .map(({ ms, state }) => `${state} ${span(ms ?? 0)}`)
            .join(", ")}
        </span>
      </div>
      <div class="wf">
        <div class="ln ax">
          <span />
          <span>
            <span>0</span>
            <span>{span(whole)}</span>
          </span>
          <span />
        </div>
        <div class="stretch">
          <div class="ln momentline" aria-hidden="true">
            <span />
            <span class="tr">
              <i class="moment" style={{ left: `${moment}%` }} />
            </span>
            <span />
          </div>
          <Line name="invocation" bars={stateBars} value={span(whole)} whole={whole} />
          {ran.map((one) => {
            const look = handlerLook(one)
            const ms = one.ms ?? whole - (one.startMs ?? 0)
            return (
              <>
                <Line
                  key={one.index}
                  name={one.hook}
                  note={`${one.event}${one.attempts > 1 ? `, attempt ${one.attempts}` : ""}`}
                  sign={handlerSign[look]}
                  bars={[{ from: one.startMs ?? 0, ms, look: one.ms === null ? `${look} hatch` : look }]}
                  value={one.ms === null ? "no end" : span(one.ms)}
                  whole={whole}
                />
                {one.services.map((service, nth) => (
                  <Line
                    key={nth}
                    isSub
                    name={`└ ${service.service}`}
                    note={service.subject}
                    bars={
                      service.at === undefined
                        ? []
                        : [
                            {
                              from: service.at - (frames[0]?.at ?? 0),
                              ms: service.ms,
                              look: service.error === undefined ? "service" : "failed"
                            }
                          ]
                    }
                    value={span(service.ms)}
                    whole={whole}
                  />
                ))}
              </>
            )
          })}
          <Line isSub name="hooktape itself, between" bars={gaps} value={span(own)} whole={whole} />
        </div>
        {call.clientMs !== undefined && (
          <Line
            isSub
            name="start and pipe of the client"
            bars={[]}
            value={span(call.clientMs)}
            whole={whole}
          />
        )}
        {jobs.length > 0 && (
          <>
            <div class="ln ax">
              <span>after the reply</span>
              <span>
                <span>0</span>
                <span>{span(jobsEnd)}</span>
              </span>
              <span />
            </div>
            {jobs.map(({ attempts, error, hook, job, runs, state }) => (
              <Line
                key={job}
                name={hook}
                note={`${state}${attempts > 1 ? `, attempt ${attempts}` : ""}${error === null ? "" : `: ${error}`}`}
                sign={state === "dead" ? "failed" : undefined}
                bars={runs.map(({ ms, startMs, state: one }) => ({
                  from: Math.max(0, startMs - whole),
                  ms: ms ?? Math.max(0, jobsEnd - (startMs - whole)),
                  look: one === "running" ? (state === "dead" ? "failed" : "job") : "waiting",
                  title: one
                }))}
                value={
                  runs.length === 0
                    ? ""
                    : span(
                        runs.reduce((sum, { ms, state: one }) => sum + (one === "running" ? (ms ?? 0) : 0), 0)
                      )
                }
                whole={jobsEnd}
              />
            ))}
          </>
        )}
      </div>
    </section>
  )
}
