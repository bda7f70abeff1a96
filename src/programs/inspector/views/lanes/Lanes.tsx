/** Sessions as lanes over time; their map; what delayed the agents in that time. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Window } from "../../../../features/inspector/contract/live.ts"
import { ask } from "../../core/api.ts"
import { clock, counted, projectName, shortSession, span } from "../../core/format.ts"
import { useKeys } from "../../core/keys.ts"
import { addressOf, go, query, select } from "../../core/router.ts"
import { tick } from "../../core/stream.ts"
import { theme } from "../../core/theme.ts"
import { useAsk } from "../../core/useAsk.ts"
import { Mark } from "../../parts/icons.tsx"
import { AgentChip, isSlow } from "../../parts/outcomes.tsx"
import { Delays } from "./Delays.tsx"
import { drawAxis, drawLanes, drawMap, lanesSentence, penOf } from "./draw.ts"
import { layLanes, type Scale, timeAt } from "./layout.ts"
import { type Target, Tip, targetAt } from "./Tip.tsx"

const spans: readonly (readonly [string, number])[] = [
  ["1 m", 60_000],
  ["3 m", 180_000],
  ["15 m", 900_000],
  ["1 h", 3_600_000]
]
const shortest = 2_000
const mapHeight = 40
const axisHeight = 24

interface Props {
  readonly isFollowing: boolean
  readonly follow: (on: boolean) => void
  readonly session: string | undefined
}

const useWidth = () => {
  const node = useRef<HTMLDivElement>(null)
  const [width, put] = useState(0)
  useLayoutEffect(() => {
    if (node.current === null) return
    const watch = new ResizeObserver(([entry]) => put(Math.floor(entry?.contentRect.width ?? 0)))
    watch.observe(node.current)
    return () => watch.disconnect()
  }, [])
  return { node, width }
}

const Legend = () => (
  <div class="legend">
    <span>
      <i /> tool
    </span>
    <span>
      <i class="in" /> hooks in it, before and after
    </span>
    <span>
      <i class="sl" /> over 250 ms
    </span>
    <span class="is-blocked">
      <Mark sign="blocked" /> blocked
    </span>
    <span class="is-failed">
      <Mark sign="failed" /> hook failed
    </span>
    <span class="is-late">
      <Mark sign="late" /> too late
    </span>
    <span class="is-blocked">
      <i class="tf" /> tool failed
    </span>
  </div>
)

export const Lanes = ({ follow, isFollowing, session }: Props) => {
  const { node, width } = useWidth()
  const asked = query.value
  const length = Number(asked["span"] ?? 180_000)
  const fixed =
    asked["from"] === undefined || asked["to"] === undefined
      ? null
      : { from: Number(asked["from"]), to: Number(asked["to"]) }
  const question =
    fixed === null ? `window ${length} ${session ?? ""}` : `window ${fixed.from} ${fixed.to} ${session ?? ""}`
  const { value } = useAsk<Window>(
    question,
    (signal) => {
      const when =
        fixed === null ? { span: String(length) } : { from: String(fixed.from), to: String(fixed.to) }
      return ask("window", { ...when, session }, "", signal)
    },
    isFollowing ? tick.value : 0
  )
  const window = value
  const left = width < 560 ? 64 : 132
  const scale: Scale = {
    from: window?.from ?? 0,
    to: window?.to ?? 1,
    left,
    width: Math.max(1, width - left - 8)
  }
  const laid = useMemo(
    () =>
      window === undefined
        ? { boxes: [], height: 0 }
        : layLanes(window.lanes, scale, window.stepMs, window.to),
    [window, width]
  )
  const map = useRef<HTMLCanvasElement>(null)
  const axis = useRef<HTMLCanvasElement>(null)
  const lanes = useRef<HTMLCanvasElement>(null)
  const shade = theme.value
  useLayoutEffect(() => {
    if (window === undefined || width === 0) return
    const pens = {
      map: map.current && penOf(map.current, width, mapHeight),
      axis: axis.current && penOf(axis.current, width, axisHeight),
      lanes: lanes.current && penOf(lanes.current, width, Math.max(1, laid.height))
    }
    if (pens.map) drawMap(pens.map, window.map, width, mapHeight, left, window)
    if (pens.axis) drawAxis(pens.axis, scale, axisHeight, isFollowing)
    if (pens.lanes) drawLanes(pens.lanes, laid.boxes, scale, { width, height: laid.height }, isFollowing)
  }, [window, width, shade, isFollowing, laid])

  const show = (from: number, to: number): void => {
    follow(false)
    const middle = (from + to) / 2
    const half = Math.max(shortest, to - from) / 2
    // Nothing is before the first call, and nothing after the last.
    const { map: all } = window ?? {}
    const shift =
      all === undefined ? 0 : Math.max(0, all.from - (middle - half)) - Math.max(0, middle + half - all.to)
    select({ from: Math.round(middle - half + shift), to: Math.round(middle + half + shift) })
  }
  const followAgain = (): void => {
    follow(true)
    select({ from: null, to: null })
  }
  const zoom = (factor: number): void => {
    if (window === undefined) return
    const middle = (window.from + window.to) / 2
    const half = ((window.to - window.from) / 2) * factor
    show(middle - half, middle + half)
  }
  const pan = (part: number): void => {
    if (window === undefined) return
    const by = (window.to - window.from) * part
    show(window.from + by, window.to + by)
  }
  useKeys({
    w: () => zoom(0.5),
    s: () => zoom(2),
    a: () => pan(-0.25),
    d: () => pan(0.25),
    f: () => window !== undefined && show(window.map.from, window.map.to),
    " ": () => (isFollowing ? window !== undefined && show(window.from, window.to) : followAgain())
  })

  const [target, aim] = useState<Target | null>(null)
  const drag = useRef<number | null>(null)
  const [band, putBand] = useState<readonly [number, number] | null>(null)
  const pointAt = (event: PointerEvent) => {
    const { left: x, top: y } = (event.currentTarget as Element).getBoundingClientRect()
    return { x: event.clientX - x, y: event.clientY - y }
  }
  const onMove = (event: PointerEvent): void => {
    const { x, y } = pointAt(event)
    if (drag.current !== null && Math.abs(x - drag.current) > 4) {
      putBand([Math.min(x, drag.current), Math.max(x, drag.current)])
      return aim(null)
    }
    const found = targetAt(laid.boxes, x, y)
    aim(found === null ? null : { ...found, x: event.clientX, y: event.clientY })
  }
  const onUp = (event: PointerEvent): void => {
    drag.current = null
    if (band !== null) {
      show(timeAt(scale, Math.max(left, band[0])), timeAt(scale, band[1]))
      return putBand(null)
    }
    const { x, y } = pointAt(event)
    const found = targetAt(laid.boxes, x, y)
    if (found?.invocation !== undefined) go(addressOf(["call", found.invocation]))
  }
  const mapScale: Scale = {
    from: window?.map.from ?? 0,
    to: window?.map.to ?? 1,
    left,
    width: Math.max(1, width - left - 8)
  }
  const onMap = (event: PointerEvent): void => {
    if (window === undefined || (event.type === "pointermove" && event.buttons === 0)) return
    const at = timeAt(mapScale, pointAt(event).x)
    const half = (window.to - window.from) / 2
    show(at - half, at + half)
  }
  const isQuiet = window !== undefined && window.lanes.length === 0
  // Whoever comes for a session of yesterday means that time, and not the last three minutes.
  const framed = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (window === undefined || session === framed.current) return
    framed.current = session
    if (session !== undefined && isFollowing && isQuiet && window.map.bins.length > 0)
      show(window.map.from, window.map.to)
  }, [window, session])
  return (
    <section class="lanes" aria-label="Sessions over time">
      <div class="tbar">
        <button
          type="button"
          class="btn"
          aria-pressed={isFollowing}
          onClick={() => (isFollowing && window ? show(window.from, window.to) : followAgain())}
        >
          {isFollowing && <span class="dot" />}
          {isFollowing ? "Following" : "Follow"} <kbd>space</kbd>
        </button>
        <span class="muted num">
          {window === undefined ? "" : `${clock(window.from)} – ${clock(window.to)}`}
        </span>
        <span class="sp" />
        <div class="seg" role="group" aria-label="How much time">
          {spans.map(([name, ms]) => (
            <button
              type="button"
              key={name}
              aria-pressed={fixed === null && length === ms}
              onClick={() => {
                follow(true)
                select({ span: ms, from: null, to: null })
              }}
            >
              {name}
            </button>
          ))}
          <button type="button" onClick={() => window !== undefined && show(window.map.from, window.map.to)}>
            All
          </button>
        </div>
      </div>
      <div ref={node} class="map">
        <canvas
          ref={map}
          role="img"
          aria-label={
            window === undefined
              ? "No map yet"
              : `All calls from ${clock(window.map.from)} to ${clock(window.map.to)}`
          }
          onPointerDown={onMap}
          onPointerMove={onMap}
        />
      </div>
      <canvas ref={axis} aria-hidden="true" />
      <div class="lscroll" tabIndex={0} role="group" aria-label="Lanes">
        {laid.boxes.map(({ h, lane, y }) => (
          <div
            class="lname"
            key={lane.session}
            style={{ top: `${y}px`, height: `${h}px`, width: `${left}px` }}
          >
            <AgentChip agent={lane.agent} />
            <a class="ell" href={addressOf(["session", lane.session])}>
              <b>{width < 560 ? shortSession(lane.session) : projectName(lane.project)}</b>
            </a>
            <span>
              {shortSession(lane.session)} · {lane.state}
            </span>
            {lane.waitedMs > 0 && (
              <span class={isSlow(lane.waitedMs) ? "is-slow" : ""}>waited {span(lane.waitedMs)}</span>
            )}
          </div>
        ))}
        <canvas
          ref={lanes}
          role="img"
          aria-label={
            window === undefined ? "No lanes yet" : lanesSentence(laid.boxes, window.from, window.to)
          }
          onPointerDown={(event) => {
            drag.current = pointAt(event).x
          }}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerLeave={() => {
            aim(null)
            drag.current = null
            putBand(null)
          }}
        />
        {band !== null && (
          <div
            class="band"
            style={{ left: `${band[0]}px`, width: `${band[1] - band[0]}px`, height: `${laid.height}px` }}
          />
        )}
        {isQuiet && (
          <div class="empty">
            <b>Nothing happened in this stretch.</b>
            {window.map.bins.length > 0 && (
              <button type="button" class="btn" onClick={() => show(window.map.from, window.map.to)}>
                Show all the time there is
              </button>
            )}
          </div>
        )}
      </div>
      <Legend />
      {window !== undefined && <Delays window={window} note={counted(window.delayedCalls, "call")} />}
      {target !== null && <Tip target={target} />}
    </section>
  )
}
