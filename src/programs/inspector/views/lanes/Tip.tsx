/** What the pointer is over. */
import type { Mark, ToolBar } from "../../../../features/inspector/contract/live.ts"
import { exactClock, oneLine, span } from "../../core/format.ts"
import { lookOf } from "../../parts/outcomes.tsx"
import type { Box, LaneBox } from "./layout.ts"

export interface Target {
  readonly x: number
  readonly y: number
  readonly lines: readonly string[]
  /** What opens on a click. */
  readonly invocation?: string
}

const isOn = ({ h, w, x, y }: Box<unknown>, px: number, py: number): boolean =>
  px >= x - 2 && px <= x + Math.max(w, 6) + 2 && py >= y && py <= y + h

const markLine = ({ by, outcome, waitMs }: Mark, where: string): string =>
  `${where}: ${by ?? "hooks"} ${lookOf(outcome).word}${waitMs === null ? "" : `, ${span(waitMs)}`}`

const lengthOf = ({ from, to, until }: ToolBar): string =>
  to !== null ? span(to - from) : until === undefined ? "still running" : "no hook told its end"

const toolLines = (tool: ToolBar): readonly string[] => [
  `${tool.name} ${oneLine(tool.subject ?? "").slice(0, 160)}`,
  `${exactClock(tool.from)}, ${lengthOf(tool)}${tool.ok === false ? ", the tool failed" : ""}`,
  ...tool.before.map((mark) => markLine(mark, "before")),
  ...tool.after.map((mark) => markLine(mark, "after"))
]

const worst = (marks: readonly Mark[]): Mark | undefined =>
  marks.find(({ outcome }) => outcome === "blocked") ??
  marks.find(({ outcome }) => outcome === "failed" || outcome === "late") ??
  marks.reduce<Mark | undefined>(
    (most, one) => ((one.waitMs ?? 0) > (most?.waitMs ?? -1) ? one : most),
    undefined
  )

export const targetAt = (
  boxes: readonly LaneBox[],
  px: number,
  py: number
): Omit<Target, "x" | "y"> | null => {
  const lane = boxes.find(({ h, y }) => py >= y && py < y + h)
  if (lane === undefined) return null
  const tool = lane.tools.findLast((box) => isOn(box, px, py))?.of
  if (tool !== undefined) {
    const opens = worst([...tool.before, ...tool.after])
    return { lines: toolLines(tool), ...(opens === undefined ? {} : { invocation: opens.invocation }) }
  }
  const tick = lane.ticks.find((box) => isOn(box, px, py))?.of
  if (tick !== undefined)
    return {
      lines: [tick.event ?? "call", exactClock(tick.at), markLine(tick, "hooks")],
      invocation: tick.invocation
    }
  const bin = lane.bins.find((box) => px >= box.x && px <= box.x + box.w)?.of
  if (bin !== undefined)
    return {
      lines: [
        `${bin.calls} calls from ${exactClock(bin.at)}`,
        `worst: ${bin.kind}, longest ${span(bin.longestMs)}`
      ]
    }
  const prompt = lane.prompts.find((box) => isOn(box, px, py))?.of
  return prompt === undefined ? null : { lines: [oneLine(prompt.text ?? "a prompt").slice(0, 400)] }
}

export const Tip = ({ target }: { readonly target: Target }) => (
  <div
    class="tip"
    style={{
      left: `${Math.min(target.x + 12, innerWidth - 300)}px`,
      top: `${Math.min(target.y + 14, innerHeight - 130)}px`
    }}
  >
    {target.lines.map((line, at) => (
      <div key={line} class={at === 0 ? "b" : "muted sm"}>
        {line}
      </div>
    ))}
  </div>
)
