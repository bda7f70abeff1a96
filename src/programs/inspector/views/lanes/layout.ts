/** Where each mark of the lanes stands. Pure: a window of time and a width in, boxes out. */
import type { Bin, Lane, Mark, ToolBar } from "../../../../features/inspector/contract/live.ts"

export interface Scale {
  readonly from: number
  readonly to: number
  /** Pixels at which the time begins, and how many there are for it. */
  readonly left: number
  readonly width: number
}

export const xOf = ({ from, left, to, width }: Scale, at: number): number =>
  left + ((at - from) / Math.max(1, to - from)) * width

export const timeAt = ({ from, left, to, width }: Scale, x: number): number =>
  from + ((x - left) / Math.max(1, width)) * (to - from)

export interface Box<A> {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly of: A
}

export interface LaneBox {
  readonly lane: Lane
  readonly y: number
  readonly h: number
  readonly prompts: readonly Box<Lane["prompts"][number]>[]
  readonly tools: readonly Box<ToolBar>[]
  readonly ticks: readonly Box<Mark>[]
  readonly bins: readonly Box<Bin>[]
}

export const toolHeight = 42
const promptTop = 6
const toolTop = 26
const rowGap = 6
const tickHeight = 8
const smallest = 4
const mostRows = 4

/** Bars that overlap lie below each other. */
const inRows = (tools: readonly ToolBar[], scale: Scale, now: number) => {
  const ends: number[] = []
  return tools.map((tool) => {
    const x = xOf(scale, tool.from)
    const w = Math.max(smallest, xOf(scale, tool.to ?? tool.until ?? now) - x)
    const free = ends.findIndex((end) => end + 1 < x)
    const row = Math.min(free === -1 ? ends.length : free, mostRows - 1)
    ends[row] = Math.max(ends[row] ?? 0, x + w)
    return { tool, x, w, row }
  })
}

const inSight = ({ left, width }: Scale, x: number, w: number): boolean => x + w >= left && x <= left + width

const tallestBin = 40

export const layLanes = (
  lanes: readonly Lane[],
  scale: Scale,
  stepMs: number,
  now: number
): { readonly boxes: readonly LaneBox[]; readonly height: number } => {
  let y = 0
  const boxes = lanes.map((lane): LaneBox => {
    const top = y
    const prompts = lane.prompts
      .map((prompt) => {
        const x = xOf(scale, prompt.from)
        return { x, y: top + promptTop, w: Math.max(2, xOf(scale, prompt.to ?? now) - x), h: 16, of: prompt }
      })
      .filter(({ w, x }) => inSight(scale, x, w))
    if (lane.tools === null) {
      const width = Math.max(1, (stepMs / Math.max(1, scale.to - scale.from)) * scale.width - 1)
      const most = Math.max(1, ...(lane.bins ?? []).map(({ calls }) => calls))
      const bins = (lane.bins ?? []).map((bin) => {
        const h = Math.max(3, (bin.calls / most) * tallestBin)
        return { x: xOf(scale, bin.at), y: top + toolTop + tallestBin - h, w: width, h, of: bin }
      })
      y += toolTop + tallestBin + 12
      return { lane, y: top, h: y - top, prompts, tools: [], ticks: [], bins }
    }
    const rows = inRows(lane.tools, scale, now)
    const deepest = Math.max(1, ...rows.map(({ row }) => row + 1))
    const tools = rows
      .map(({ row, tool, w, x }) => ({
        x,
        y: top + toolTop + row * (toolHeight + rowGap),
        w,
        h: toolHeight,
        of: tool
      }))
      .filter(({ w, x }) => inSight(scale, x, w))
    const tickTop = top + toolTop + deepest * (toolHeight + rowGap) + 4
    const ticks = (lane.calls ?? [])
      .map((mark) => {
        const x = xOf(scale, mark.at)
        return {
          x: x - 1,
          y: tickTop,
          w: Math.max(2, xOf(scale, mark.at + (mark.waitMs ?? 0)) - x),
          h: tickHeight,
          of: mark
        }
      })
      .filter(({ w, x }) => inSight(scale, x, w))
    y = tickTop + tickHeight + 10
    return { lane, y: top, h: y - top, prompts, tools, ticks, bins: [] }
  })
  return { boxes, height: y }
}

/** Round moments for the axis, some eighty pixels apart. */
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800
].map((seconds) => seconds * 1000)

export const momentsOf = ({ from, to, width }: Scale): readonly number[] => {
  const wanted = ((to - from) / Math.max(1, width)) * 84
  const step = steps.find((one) => one >= wanted) ?? (steps.at(-1) as number)
  const first = Math.ceil(from / step) * step
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / step) + 1) },
    (_, nth) => first + nth * step
  )
}
