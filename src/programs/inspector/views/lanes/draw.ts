/** Draws lanes and their map on canvases: a hundred thousand marks as elements would take seconds. */
import type { Bins, Kind, Mark, ToolBar } from "../../../../features/inspector/contract/live.ts"
import { aimOf, clock, oneLine, projectName } from "../../core/format.ts"
import { colour } from "../../core/theme.ts"
import { isSlow } from "../../parts/outcomes.tsx"
import { type Box, type LaneBox, momentsOf, type Scale, xOf } from "./layout.ts"

type Pen = CanvasRenderingContext2D

const sans = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
const mono = "'JetBrains Mono', ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** A canvas as sharp as the screen, cleared. */
export const penOf = (canvas: HTMLCanvasElement, width: number, height: number): Pen | null => {
  const pen = canvas.getContext("2d")
  if (pen === null) return null
  const dots = devicePixelRatio || 1
  if (canvas.width !== Math.round(width * dots) || canvas.height !== Math.round(height * dots)) {
    canvas.width = Math.round(width * dots)
    canvas.height = Math.round(height * dots)
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
  }
  pen.setTransform(dots, 0, 0, dots, 0, 0)
  pen.clearRect(0, 0, width, height)
  return pen
}

const kindColour: Readonly<Record<Kind, string>> = {
  blocked: "blocked",
  failed: "failed",
  late: "slow-fill",
  slow: "slow-fill",
  spoke: "handling",
  silent: "strong"
}

const clipped = (pen: Pen, text: string, room: number): string => {
  if (pen.measureText(text).width <= room) return text
  let kept = text.slice(
    0,
    Math.max(0, Math.floor((room / Math.max(1, pen.measureText(text).width)) * text.length))
  )
  while (kept !== "" && pen.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1)
  return kept === "" ? "" : `${kept}…`
}

export const drawMap = (
  pen: Pen,
  bins: Bins,
  width: number,
  height: number,
  left: number,
  seen: { readonly from: number; readonly to: number }
): void => {
  const scale: Scale = { from: bins.from, to: bins.to, left, width: width - left - 8 }
  const most = Math.max(1, ...bins.bins.map(({ calls }) => calls))
  const each = Math.max(1.5, (bins.stepMs / Math.max(1, bins.to - bins.from)) * scale.width - 1)
  for (const { at, calls, kind } of bins.bins) {
    const h = Math.max(2, Math.sqrt(calls / most) * (height - 10))
    pen.fillStyle = colour(kindColour[kind])
    pen.fillRect(xOf(scale, at), height - 5 - h, each, h)
  }
  const a = Math.max(left, xOf(scale, seen.from))
  const b = Math.min(width - 4, xOf(scale, seen.to))
  pen.fillStyle = colour("accent")
  pen.globalAlpha = 0.14
  pen.fillRect(a, 2, Math.max(6, b - a), height - 4)
  pen.globalAlpha = 1
  pen.strokeStyle = colour("accent")
  pen.strokeRect(a + 0.5, 2.5, Math.max(6, b - a) - 1, height - 5)
}

export const drawAxis = (pen: Pen, scale: Scale, height: number, isFollowing: boolean): void => {
  pen.font = `11px ${sans}`
  pen.fillStyle = colour("muted")
  pen.textAlign = "center"
  for (const at of momentsOf(scale)) {
    const x = xOf(scale, at)
    const isUnderNow = isFollowing && x > scale.left + scale.width - 54
    if (!isUnderNow && x > scale.left + 20) pen.fillText(clock(at), x, height - 7)
  }
  if (!isFollowing) return
  pen.fillStyle = colour("accent")
  pen.font = `650 11px ${sans}`
  pen.fillText("now", scale.left + scale.width - 12, height - 7)
}

const markColour = (mark: Mark): string => {
  if (mark.outcome === "blocked") return "blocked"
  if (mark.outcome === "failed" || mark.outcome === "undelivered" || mark.outcome === "rejected")
    return "failed"
  if (mark.outcome === "late" || isSlow(mark.waitMs)) return "slow-fill"
  return mark.outcome === "silent" ? "tool-line" : "handling"
}

/** The sign of an outcome, so that colour is not alone. */
const drawSign = (
  pen: Pen,
  sign: "blocked" | "failed" | "late" | "ok" | "red" | "unknown",
  x: number,
  y: number
): void => {
  pen.save()
  pen.translate(x, y)
  pen.lineWidth = 1.8
  const name = {
    blocked: "blocked",
    failed: "failed",
    late: "slow",
    ok: "ok",
    red: "blocked",
    unknown: "unknown"
  }[sign]
  pen.strokeStyle = colour(name)
  pen.fillStyle = colour(name)
  pen.beginPath()
  if (sign === "blocked") {
    for (let nth = 0; nth < 8; nth++) {
      const angle = (Math.PI / 8) * (2 * nth + 1)
      pen.lineTo(6 * Math.cos(angle), 6 * Math.sin(angle))
    }
    pen.closePath()
    pen.fill()
    pen.fillStyle = colour("surface")
    pen.fillRect(-3, -1, 6, 2)
  } else if (sign === "ok") {
    pen.moveTo(-4, 0)
    pen.lineTo(-1.5, 3)
    pen.lineTo(4, -3.5)
    pen.stroke()
  } else if (sign === "failed" || sign === "red") {
    pen.moveTo(-3.5, -3.5)
    pen.lineTo(3.5, 3.5)
    pen.moveTo(3.5, -3.5)
    pen.lineTo(-3.5, 3.5)
    pen.stroke()
  } else {
    if (sign === "unknown") pen.setLineDash([2.4, 2])
    pen.arc(0, 0, 4.6, 0, 2 * Math.PI)
    pen.stroke()
    if (sign === "late") {
      pen.beginPath()
      pen.moveTo(0, -2.6)
      pen.lineTo(0, 0.4)
      pen.lineTo(2, 1.4)
      pen.stroke()
    }
  }
  pen.restore()
}

/** Hooks at the foot of the tool that they delayed, to scale. */
const drawHooks = (pen: Pen, { of: tool, h, w, x, y }: Box<ToolBar>, scale: Scale): void => {
  const perMs = scale.width / Math.max(1, scale.to - scale.from)
  let left = x
  for (const mark of tool.before) {
    const width = Math.max(2, Math.min(w, (mark.waitMs ?? 0) * perMs))
    pen.fillStyle = colour(markColour(mark))
    pen.fillRect(left, y + h - 6, width, 6)
    left += width + 0.5
  }
  let right = x + w
  for (const mark of tool.after) {
    const width = Math.max(2, Math.min(w, (mark.waitMs ?? 0) * perMs))
    right -= width
    pen.fillStyle = colour(markColour(mark))
    pen.fillRect(right, y + h - 6, width, 6)
    right -= 0.5
  }
}

/** Ends of the names that were written, by their height: names do not cover each other. */
type Written = Map<number, number>

const drawTool = (
  pen: Pen,
  box: Box<ToolBar>,
  {
    project,
    scale,
    written
  }: { readonly scale: Scale; readonly written: Written; readonly project: string | null }
): void => {
  const { h, of: tool, w, x, y } = box
  const marks = [...tool.before, ...tool.after]
  const blocked = marks.find(({ outcome }) => outcome === "blocked")
  const failed = marks.find(({ outcome }) => outcome === "failed")
  const late = marks.find(({ outcome }) => outcome === "late")
  const width = blocked === undefined ? w : Math.max(w, 20)
  pen.beginPath()
  pen.roundRect(x, y, width, h, 3)
  pen.fillStyle = colour(blocked === undefined ? "tool" : "blocked-bg")
  pen.fill()
  pen.lineWidth = blocked === undefined ? 1 : 1.5
  pen.strokeStyle = colour(blocked === undefined ? "tool-line" : "blocked")
  // Dashed is what no hook tells the end of, or nothing at all.
  if (tool.to === null || tool.source === "transcript") pen.setLineDash([3, 3])
  pen.stroke()
  pen.setLineDash([])
  if (blocked === undefined) drawHooks(pen, box, scale)
  if (tool.ok === false) {
    pen.fillStyle = colour("blocked")
    pen.fillRect(x, y - 1, w, 3)
  }
  // What began before the window has its name where it is seen.
  const seenFrom = Math.max(x, scale.left)
  const room = x + w - seenFrom
  if (room > 34) {
    pen.fillStyle = colour("text")
    pen.font = `11px ${mono}`
    pen.textAlign = "left"
    pen.fillText(
      clipped(pen, aimOf(tool.subject ?? tool.name, project), room - (tool.verdict === null ? 12 : 26)),
      seenFrom + 6,
      y + 23
    )
  }
  if (tool.verdict !== null && w > 16)
    drawSign(
      pen,
      tool.verdict === "green" ? "ok" : tool.verdict === "red" ? "red" : "unknown",
      x + w - 9,
      y + 9
    )
  if (failed !== undefined) drawSign(pen, "failed", x + width / 2, y - 5)
  if (late !== undefined) drawSign(pen, "late", x + Math.min(w / 2, 6), y - 4)
  if (blocked === undefined) return
  drawSign(pen, "blocked", x + width / 2, y + h / 2)
  pen.font = `650 11px ${sans}`
  pen.fillStyle = colour("blocked")
  pen.textAlign = "left"
  const name = blocked.by ?? "blocked"
  const long = pen.measureText(name).width
  const from = Math.min(x, scale.left + scale.width - long - 4)
  if (from < (written.get(y) ?? Number.NEGATIVE_INFINITY)) return
  written.set(y, from + long + 6)
  pen.fillText(name, from, y + h + 12)
}

export const drawLanes = (
  pen: Pen,
  boxes: readonly LaneBox[],
  scale: Scale,
  size: { readonly width: number; readonly height: number },
  isFollowing: boolean
): void => {
  pen.save()
  pen.beginPath()
  pen.rect(scale.left, 0, scale.width + 8, size.height)
  pen.clip()
  for (const { bins, h, lane, prompts, ticks, tools, y } of boxes) {
    pen.fillStyle = colour("line")
    pen.fillRect(scale.left, y, scale.width + 8, 1)
    for (const { h: tall, of: prompt, w, x, y: top } of prompts) {
      const from = Math.max(x, scale.left)
      const wide = x + w - from
      pen.fillStyle = colour("sunken")
      pen.fillRect(from, top, wide, tall)
      pen.fillStyle = colour("accent")
      if (x >= scale.left) pen.fillRect(x, top, 2, tall)
      pen.fillStyle = colour("muted")
      pen.font = `11.5px ${sans}`
      pen.textAlign = "left"
      if (wide > 30) pen.fillText(clipped(pen, oneLine(prompt.text ?? ""), wide - 12), from + 8, top + 12)
    }
    const written: Written = new Map()
    for (const box of tools) drawTool(pen, box, { scale, written, project: lane.project })
    for (const { h: tall, of: mark, w, x, y: top } of ticks) {
      if (mark.outcome === "failed") drawSign(pen, "failed", x + 1, top + 4)
      else {
        pen.fillStyle = colour(markColour(mark))
        pen.fillRect(x, top, Math.min(w, 8), tall)
      }
    }
    for (const { h: tall, of: bin, w, x, y: top } of bins) {
      pen.fillStyle = colour(kindColour[bin.kind])
      pen.fillRect(x, top, w, tall)
    }
    if (bins.length > 0) {
      pen.fillStyle = colour("line")
      pen.fillRect(scale.left, y + h - 11, scale.width, 1)
    }
  }
  if (isFollowing) {
    pen.fillStyle = colour("accent")
    pen.fillRect(scale.left + scale.width - 1, 0, 1.5, size.height)
  }
  pen.restore()
}

/** What the lanes show, for those who do not see them. */
export const lanesSentence = (boxes: readonly LaneBox[], from: number, to: number): string => {
  const tools = boxes.flatMap(({ lane }) => lane.tools ?? [])
  const blocked = tools.filter(({ before }) => before.some(({ outcome }) => outcome === "blocked")).length
  const names = boxes.map(({ lane }) => projectName(lane.project)).join(", ")
  return `${boxes.length} sessions (${names}) from ${clock(from)} to ${clock(to)}: ${tools.length} tool calls, ${blocked} blocked. The list beside has each call.`
}
