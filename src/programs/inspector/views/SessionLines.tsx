/** The turns and tools of a session, as the lines of one list: what stopped them, and how long their hooks took. */
import type { Mark as CallMark } from "../../../features/inspector/contract/live.ts"
import type { SessionDetail, SessionTool, Turn } from "../../../features/inspector/contract/session.ts"
import { aimOf, clock, counted, oneLine, span } from "../core/format.ts"
import { Mark } from "../parts/icons.tsx"
import { GivenUpTag, isSlow, type Look } from "../parts/outcomes.tsx"

type Line = { readonly turn: Turn; readonly nth: number } | { readonly tool: SessionTool }

/** Turns with their tools, as the rows of one list. */
export const linesOf = ({ tools, turns }: SessionDetail): readonly Line[] => {
  const without = tools.filter(({ turn }) => !turns.some((one) => one.turn === turn))
  return [
    ...without.map((tool) => ({ tool })),
    ...turns.flatMap((turn, at): readonly Line[] => [
      { turn, nth: at + 1 },
      ...tools.filter((tool) => tool.turn === turn.turn).map((tool) => ({ tool }))
    ])
  ]
}

export const TurnLine = ({
  id,
  isSelected,
  nth,
  turn
}: {
  readonly turn: Turn
  readonly nth: number
  readonly id: string
  readonly isSelected: boolean
}) => (
  <div class="tl turn" id={id} role="option" aria-selected={isSelected}>
    <span class="muted">{nth}</span>
    <span class="num muted">{clock(turn.began)}</span>
    <span class="ell" title={turn.prompt ?? undefined}>
      {turn.givenUp !== undefined && <GivenUpTag {...turn.givenUp} />}{" "}
      {oneLine(turn.prompt ?? "A turn without a prompt")}
    </span>
    <span class="muted sm">
      {counted(turn.tools, "tool")}, {span(Math.max(0, turn.last - turn.began))}, waited {span(turn.waitedMs)}
    </span>
  </div>
)

const givenUpIn = (marks: readonly CallMark[]) => marks.find(({ givenUp }) => givenUp !== undefined)

/** Its length as the square root of the time, so that short and long ones are both seen. */
const barsOf = ({ from, to, until, waitedMs }: SessionTool) => {
  const ms = Math.max(0, (to ?? until ?? from) - from)
  const width = Math.min(96, Math.max(2, Math.sqrt(ms / 1000) * 22))
  return { width, hook: ms === 0 ? width : Math.max(2, width * Math.min(1, waitedMs / ms)) }
}

interface ToolTag {
  readonly look: Exclude<Look, "slow">
  readonly text: string
  readonly why?: string | null
}

const verdictTag = (tool: SessionTool): ToolTag | null => {
  const marks = [...tool.before, ...tool.after]
  const blocked = marks.find(({ outcome }) => outcome === "blocked")
  if (blocked !== undefined)
    return { look: "blocked", text: `${blocked.by ?? "hooktape"} blocked it` } as const
  const trouble = marks.find(({ outcome }) => outcome === "failed" || outcome === "late")
  if (trouble !== undefined)
    return trouble.outcome === "failed"
      ? ({ look: "failed", text: trouble.by ?? "a hook failed" } as const)
      : ({ look: "late", text: trouble.by ?? "a hook was late" } as const)
  const asked = marks.find(({ outcome }) => outcome === "asked")
  if (asked !== undefined) return { look: "late", text: `${asked.by ?? "hooktape"} asked you` } as const
  const givenUp = givenUpIn(marks)?.givenUp
  if (givenUp !== undefined)
    return { look: "failed", text: `${givenUp.by} failed after the reply`, why: givenUp.reason } as const
  if (tool.verdict === "green") return { look: "ok", text: "green" } as const
  if (tool.verdict === "red") return { look: "blocked", text: "red" } as const
  if (tool.ok === false) return { look: "unknown", text: "tool failed" } as const
  return null
}

export const ToolLine = ({
  id,
  isSelected,
  project,
  tool
}: {
  readonly tool: SessionTool
  readonly project: string | null
  readonly id: string
  readonly isSelected: boolean
}) => {
  const tag = verdictTag(tool)
  const isBlocked = tool.before.some(({ outcome }) => outcome === "blocked")
  const { hook, width } = barsOf(tool)
  const chain = tool.chains?.[0]
  const look = { problem: "is-blocked", attempt: "is-slow", fix: "is-ok" }
  return (
    <div class={`tl ${isBlocked ? "blocked" : ""}`} id={id} role="option" aria-selected={isSelected}>
      <span class={chain === undefined ? "" : look[chain.part]} title={chain?.part}>
        {chain === undefined ? "" : "●"}
      </span>
      <span class="num muted">{clock(tool.from)}</span>
      <span class="ell">{tool.name}</span>
      <code class="ell" title={tool.subject ?? undefined}>
        {tool.subagent === null ? "" : "↳ "}
        {aimOf(tool.subject, project)}
      </code>
      <span class="ell">
        {tag !== null && (
          <span class={`tag ${tag.look}`} title={tag.why ?? undefined}>
            <Mark sign={tag.look === "ok" ? "ok" : tag.text === "red" ? "failed" : tag.look} />
            <span class="ell">{tag.text}</span>
          </span>
        )}
      </span>
      <span
        class="bars"
        title={
          tool.to !== null
            ? span(tool.to - tool.from)
            : tool.until === undefined
              ? "it has not ended"
              : "no hook told its end"
        }
      >
        <i style={{ left: "0", width: `${width}px` }} />
        <i
          class={tool.source === "transcript" ? "none" : isSlow(tool.waitedMs) ? "slow" : "hook"}
          style={{ left: `${width - hook}px`, width: `${hook}px` }}
        />
      </span>
      {tool.source === "transcript" ? (
        <span class="muted sm r" title="Told by the transcript; no hook saw it">
          transcript
        </span>
      ) : (
        <span class={`num r ${isSlow(tool.waitedMs) ? "is-slow b" : "muted"}`}>+{span(tool.waitedMs)}</span>
      )}
    </div>
  )
}

export const opens = (tool: SessionTool): string | undefined => {
  const marks = [...tool.before, ...tool.after]
  const worst =
    marks.find(({ outcome }) => outcome === "blocked") ??
    marks.find(({ outcome }) => outcome === "failed" || outcome === "late") ??
    givenUpIn(marks)
  return (worst ?? marks[0])?.invocation
}
