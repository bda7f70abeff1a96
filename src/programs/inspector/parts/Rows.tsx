/** A list of any length: rows of one height, or of two, of which only those in sight are in the document, each in a node that is used again. */
import type { ComponentChildren, VNode } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Heights, makeHeights } from "../core/heights.ts"

/** Browsers draw nothing taller than some 30 million pixels: longer lists scroll in larger steps. */
const tallest = 15_000_000
const spare = 4
const noneTall: readonly number[] = []

interface Props {
  readonly label: string
  readonly total: number
  readonly height: number
  /** Rows that are taller, in order, as far as they are known; and by how much. */
  readonly tall?: readonly number[]
  readonly more?: number
  /** What stands in a row; `undefined` where it is not there yet. */
  readonly row: (at: number) => VNode
  /** The rows in sight, for whoever fetches them. */
  readonly onSight?: (from: number, to: number) => void
  readonly selected: number | null
  readonly onSelect: (at: number) => void
  readonly onOpen: (at: number) => void
  /** Where the person scrolled to: 0 at the top. */
  readonly onScroll?: (top: number) => void
  readonly children?: ComponentChildren
}

export const Rows = ({
  children,
  height,
  label,
  more = 0,
  onOpen,
  onScroll,
  onSelect,
  onSight,
  row,
  selected,
  tall: tallRows = noneTall,
  total
}: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const [top, putTop] = useState(0)
  const [room, putRoom] = useState(600)
  const heights = useMemo(() => makeHeights(total, height, tallRows, more), [total, height, tallRows, more])
  const { heightOf, rowAt, topOf, whole } = heights
  const tall = Math.min(whole, tallest)
  const scale = tall <= room ? 1 : (whole - room) / (tall - room)

  useLayoutEffect(() => {
    const node = box.current
    if (node === null) return
    const watch = new ResizeObserver(() => putRoom(node.clientHeight))
    watch.observe(node)
    putRoom(node.clientHeight)
    return () => watch.disconnect()
  }, [])

  const virtualTop = Math.min(top * scale, Math.max(0, whole - room))
  const first = Math.max(0, rowAt(virtualTop) - spare)
  const last = Math.min(total, first + Math.min(Math.ceil(room / height) + 2 * spare, 58))
  const shift = top - virtualTop

  // What is in sight stays there as rows above it turn out to be taller.
  const before = useRef<Heights>(heights)
  useLayoutEffect(() => {
    const seen = before.current.rowAt(virtualTop)
    const moved = topOf(seen) - before.current.topOf(seen)
    before.current = heights
    if (moved !== 0 && box.current !== null) box.current.scrollTop += moved / scale
  }, [heights])

  useEffect(() => onSight?.(first, last), [first, last, total, onSight])

  useEffect(() => {
    const node = box.current
    if (node === null || selected === null) return
    const at = topOf(selected)
    const end = at + heightOf(selected)
    if (at >= virtualTop && end <= virtualTop + room) return
    node.scrollTop = (at < virtualTop ? at : end - room) / scale
    // Only when another row is selected: scrolling away from it is allowed.
  }, [selected])

  const move = (to: number): void => onSelect(Math.max(0, Math.min(total - 1, to)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = selected ?? -1
    const at = topOf(Math.max(0, here))
    const below = Math.max(1, rowAt(at + room) - Math.max(0, here) - 1)
    const above = Math.max(1, Math.max(0, here) - rowAt(Math.max(0, at - room)) - 1)
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(here + 1),
      ArrowUp: () => move(here - 1),
      PageDown: () => move(here + below),
      PageUp: () => move(here - above),
      Home: () => move(0),
      End: () => move(total - 1),
      Enter: () => here >= 0 && onOpen(here)
    }
    const step = steps[event.key]
    if (step === undefined || total === 0) return
    event.preventDefault()
    step()
  }

  const count = last - first
  const rows = Array.from({ length: count }, (_, nth) => first + nth)
  const ring = Math.max(count, 1)
  return (
    <div
      class="rows"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={
        selected !== null && selected >= first && selected < last
          ? `${label}-${selected}`.replaceAll(" ", "-")
          : undefined
      }
      onScroll={(event) => {
        putTop(event.currentTarget.scrollTop)
        onScroll?.(event.currentTarget.scrollTop)
      }}
      onKeyDown={onKeyDown}
    >
      {children}
      <div role="presentation" style={{ height: `${tall}px` }} />
      {rows
        .map((at) => ({ at, key: at % ring }))
        .sort((a, b) => a.key - b.key)
        .map(({ at, key }) => (
          <div
            key={key}
            class="at"
            role="presentation"
            style={{ height: `${heightOf(at)}px`, top: "0", transform: `translateY(${topOf(at) + shift}px)` }}
            onClick={() => (selected === at ? onOpen(at) : onSelect(at))}
            onDblClick={() => onOpen(at)}
          >
            {row(at)}
          </div>
        ))}
    </div>
  )
}

export const rowId = (label: string, at: number): string => `${label}-${at}`.replaceAll(" ", "-")
