/** The way a call took, fact by fact: the statechart, the slider, and what each fact changed. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { CallDetail, CallFrame } from "../../../features/inspector/contract/call.ts"
import { count, span } from "../core/format.ts"
import { addressOf } from "../core/router.ts"
import { labelOf, valueWords } from "../core/valueWords.ts"
import { Statechart } from "../parts/Statechart.tsx"

/** Lying in less than this, its smallest words could not be read any more. */
const narrow = 900

const bad = (frame: CallFrame, detail: CallDetail): string => {
  if (
    frame.type === "HANDLER_FAILED" ||
    frame.type === "DELIVERY_FAILED" ||
    frame.type === "PAYLOAD_REJECTED"
  )
    return "is-failed"
  if (frame.type === "HANDLER_TIMED_OUT") return "is-late"
  return detail.call.decision === "block" && isBlock(frame) ? "is-blocked" : ""
}

const isBlock = ({ data, type }: CallFrame): boolean =>
  type === "HANDLER_SUCCEEDED" && JSON.stringify(data).includes('"BLOCKING_FEEDBACK"')

/** The fact that decided it: a block, a failure, else the reply. */
export const decidingFact = (detail: CallDetail): number => {
  const { call, frames } = detail
  const find = (test: (frame: CallFrame) => boolean): number | undefined => {
    const at = frames.findIndex(test)
    return at < 0 ? undefined : at
  }
  const block = call.decision === "block" ? find(isBlock) : undefined
  const trouble = find(({ type }) =>
    /^(HANDLER_FAILED|HANDLER_TIMED_OUT|PAYLOAD_REJECTED|DELIVERY_FAILED)$/.test(type)
  )
  return block ?? trouble ?? find(({ type }) => type === "REPLY_DELIVERED") ?? frames.length - 1
}

const Says = ({ data }: { readonly data: unknown }) => {
  const entries =
    data === null || typeof data !== "object" ? [] : Object.entries(data).filter(([name]) => name !== "type")
  return (
    <dl class="pairs">
      {entries.slice(0, 6).map(([name, value]) => (
        <>
          <dt>{labelOf(name)}</dt>
          <dd>{valueWords(name, value)}</dd>
        </>
      ))}
    </dl>
  )
}

const Trio = ({ at, detail }: { readonly detail: CallDetail; readonly at: number }) => {
  const { frames } = detail
  const frame = frames[at]
  if (frame === undefined) return null
  const { after, before, changed, command, data, effect, ms, position, refused, type } = frame
  return (
    <div class="trio">
      <div>
        <h2>
          Fact {at + 1} of {frames.length}, at {span(ms)},{" "}
          <a class="link" href={addressOf(["log"], { p: position })}>
            position {count(position)}
          </a>
        </h2>
        <p class={`mono b ${bad(frame, detail)}`}>{type}</p>
        <Says data={data} />
      </div>
      <div>
        <h2>State and context</h2>
        <p>
          <span class={`pill ${before}`}>{before}</span>
          {before !== after && (
            <>
              {" → "}
              <span class={`pill ${after}`}>{after}</span>
            </>
          )}
          {refused && <span class="is-failed"> refused: this state does not take it</span>}
        </p>
        <dl class="pairs">
          {changed.length === 0 && !refused && <dd class="muted">Nothing in the context changed.</dd>}
          {changed.map(({ after: to, before: from, path }) => (
            <>
              <dt class="mono">{path}</dt>
              <dd>
                <del>{valueWords(path, from)}</del> → <ins>{valueWords(path, to)}</ins>
              </dd>
            </>
          ))}
        </dl>
      </div>
      <div>
        <h2>Command asked for, and what was done</h2>
        {command === null ? (
          <p class="muted">The machine asked for nothing.</p>
        ) : (
          <p>
            <b class="mono">{command.type}</b> {command.says}
          </p>
        )}
        {command !== null && <p>{effect ?? <span class="muted">No fact says that it was done.</span>}</p>}
      </div>
    </div>
  )
}

export const StepPanel = ({
  at,
  detail,
  onStep
}: {
  readonly detail: CallDetail
  readonly at: number
  readonly onStep: (to: number) => void
}) => {
  const { frames } = detail
  const box = useRef<HTMLElement>(null)
  const [width, put] = useState(1000)
  useLayoutEffect(() => {
    if (box.current === null) return
    const watch = new ResizeObserver(([entry]) => put(entry?.contentRect.width ?? 1000))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const last = Math.max(1, frames.length - 1)
  const frame = frames[at]
  return (
    <section class="card" ref={box} aria-label="The way it took">
      <div class="chart" tabIndex={0} role="group" aria-label="Statechart">
        <Statechart frames={frames} at={at} isUpright={width < narrow} />
      </div>
      <div class="ticks">
        <span class="line">
          <b style={{ width: `${(at / last) * 100}%` }} />
        </span>
        {frames.map((one, nth) => {
          const isSparse = frames.length < 120 || nth === at || bad(one, detail) !== ""
          if (!isSparse) return null
          const look = bad(one, detail)
          return (
            <span
              key={one.position}
              class={`tk ${look === "" ? `c-${one.after}` : look} ${nth === at ? "now" : nth < at ? "past" : ""}`}
              style={{ left: `${(nth / last) * 100}%` }}
            />
          )
        })}
        <input
          type="range"
          min={1}
          max={frames.length}
          value={at + 1}
          aria-label="Fact"
          aria-valuetext={
            frame === undefined
              ? ""
              : `fact ${at + 1} of ${frames.length}: ${frame.type}, then ${frame.after}`
          }
          onInput={(event) => onStep(Number(event.currentTarget.value) - 1)}
        />
      </div>
      <Trio detail={detail} at={at} />
    </section>
  )
}
