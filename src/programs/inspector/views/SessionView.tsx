/** Sessions; and one of them: its turns and tools in order, what stopped it, what each hook cost. */
import type { Mark as CallMark } from "../../../features/inspector/contract/live.ts"
import type {
  SessionDetail,
  SessionRow,
  Sessions,
  SessionTool,
  Turn
} from "../../../features/inspector/contract/session.ts"
import { ask } from "../core/api.ts"
import {
  agentName,
  aimOf,
  clock,
  count,
  counted,
  dayed,
  oneLine,
  projectName,
  share,
  shortSession,
  span
} from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, go, query, select, subject } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { usePages } from "../core/usePages.ts"
import { Mark } from "../parts/icons.tsx"
import { AgentChip, GivenUpTag, isSlow, type Look, TranscriptTag } from "../parts/outcomes.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Failed, Shown, Waiting } from "../parts/say.tsx"
import { SessionSide } from "./SessionSide.tsx"

type Line = { readonly turn: Turn; readonly nth: number } | { readonly tool: SessionTool }

/** Turns with their tools, as the rows of one list. */
const linesOf = ({ tools, turns }: SessionDetail): readonly Line[] => {
  const without = tools.filter(({ turn }) => !turns.some((one) => one.turn === turn))
  return [
    ...without.map((tool) => ({ tool })),
    ...turns.flatMap((turn, at): readonly Line[] => [
      { turn, nth: at + 1 },
      ...tools.filter((tool) => tool.turn === turn.turn).map((tool) => ({ tool }))
    ])
  ]
}

const TurnLine = ({
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

const ToolLine = ({
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

const opens = (tool: SessionTool): string | undefined => {
  const marks = [...tool.before, ...tool.after]
  const worst =
    marks.find(({ outcome }) => outcome === "blocked") ??
    marks.find(({ outcome }) => outcome === "failed" || outcome === "late") ??
    givenUpIn(marks)
  return (worst ?? marks[0])?.invocation
}

const Strip = ({ detail }: { readonly detail: SessionDetail }) => {
  const { checks, session, tokens, waitedShare } = detail
  const { agent, began, blocked, failed, last, project, source, state, tools, turns, waitedMs } = session
  return (
    <section class="stats" aria-label="The session in numbers" tabIndex={0}>
      <div class="stat">
        <span class="v">
          <AgentChip agent={agent} /> {projectName(project)} · {shortSession(session.session)}{" "}
          {source === "transcript" && <TranscriptTag />}
        </span>
        <span class="l">
          {agentName(agent)}, {dayed(began)} to{" "}
          {source === "transcript" ? dayed(last) : state === "ended" ? clock(last) : "now"}
        </span>
      </div>
      <div class="stat">
        <span class="v">{counted(turns, "turn")}</span>
        <span class="l">{counted(tools, "tool call")}</span>
      </div>
      <div class="stat">
        <span class="v">
          <span class={checks.green > 0 ? "is-ok" : ""}>{checks.green} green</span>{" "}
          <span class={checks.red > 0 ? "is-blocked" : ""}>{checks.red} red</span>
        </span>
        <span class="l">checks, {checks.unknown} unknown</span>
      </div>
      <div class="stat">
        <span class={`v ${blocked > 0 ? "is-blocked" : ""}`}>{blocked} blocked</span>
        <span class="l">{counted(failed, "hook failure")}</span>
      </div>
      <div class="stat">
        <span class={`v ${waitedMs >= 1000 ? "is-slow" : ""}`}>{span(waitedMs)} waited</span>
        <span class="l">
          {waitedShare === null
            ? `${count(session.calls)} calls`
            : `${share(waitedShare)} of the agent’s time`}
        </span>
      </div>
      {tokens !== undefined && (
        <div class="stat">
          <span class="v">
            {count(tokens.input)} in, {count(tokens.output)} out
          </span>
          <span class="l">tokens from the transcript</span>
        </div>
      )}
    </section>
  )
}

const label = "Turns and tools"

const One = ({ detail }: { readonly detail: SessionDetail }) => {
  const lines = linesOf(detail)
  const { sel } = query.value
  const found = lines.findIndex((line) => ("tool" in line ? line.tool.use : line.turn.turn) === sel)
  const at = found < 0 ? null : found
  const pick = (to: number): void => {
    const line = lines[to]
    if (line !== undefined) select({ sel: "tool" in line ? line.tool.use : line.turn.turn })
  }
  const open = (to: number): void => {
    const line = lines[to]
    if (line === undefined) return
    const invocation = "tool" in line ? opens(line.tool) : line.turn.givenUp?.invocation
    if (invocation !== undefined) go(addressOf(["call", invocation]))
  }
  useKeys({
    j: () => pick(Math.min((at ?? -1) + 1, lines.length - 1)),
    k: () => pick(Math.max((at ?? 1) - 1, 0)),
    Enter: () => at !== null && open(at)
  })
  return (
    <>
      <Strip detail={detail} />
      <div class="sess">
        <div>
          {detail.omitted > 0 && (
            <p class="note tbar">
              {count(detail.omitted)} older tool calls are on the log and not shown here.
            </p>
          )}
          {lines.length === 0 ? (
            <Empty title="No tool was used.">
              <p>
                {counted(detail.session.calls, "call")} of hooks came from this session; none was about a
                tool.
              </p>
            </Empty>
          ) : (
            <Rows
              label={label}
              total={lines.length}
              height={27}
              selected={at}
              onSelect={pick}
              onOpen={open}
              row={(nth) => {
                const line = lines[nth]
                const shared = { id: rowId(label, nth), isSelected: nth === at }
                if (line === undefined) return <div />
                return "tool" in line ? (
                  <ToolLine {...shared} tool={line.tool} project={detail.session.project} />
                ) : (
                  <TurnLine {...shared} turn={line.turn} nth={line.nth} />
                )
              }}
            />
          )}
        </div>
        <SessionSide detail={detail} />
      </div>
    </>
  )
}

const listLabel = "Sessions"

const whyFailed = ({ failed, givenUp }: SessionRow): string =>
  `something failed in ${counted(failed, "call")}${
    givenUp === undefined
      ? ""
      : `: ${givenUp.by} after the reply${givenUp.reason === null ? "" : `, ${givenUp.reason}`}`
  }`

const ListRow = ({
  id,
  isSelected,
  session
}: {
  readonly session: SessionRow | undefined
  readonly id: string
  readonly isSelected: boolean
}) =>
  session === undefined ? (
    <div class="srow" id={id} role="option" aria-selected={isSelected} aria-label="Not read yet" />
  ) : (
    <div class="srow" id={id} role="option" aria-selected={isSelected}>
      <span class="num muted">{dayed(session.last)}</span>
      <AgentChip agent={session.agent} />
      <span class="ell b">
        {projectName(session.project)} <span class="muted">{shortSession(session.session)}</span>{" "}
        {session.source === "transcript" && <TranscriptTag />}
      </span>
      <span class="ell">{oneLine(session.title ?? "no prompt was seen")}</span>
      <span class="muted r">{counted(session.tools, "tool")}</span>
      <span class={`r ${session.blocked > 0 ? "is-blocked b" : "muted"}`}>
        {session.failed > 0 && (
          <span class="is-failed b" title={whyFailed(session)}>
            <Mark sign="failed" /> {session.failed}
            <span class="hidden"> failed</span>,
          </span>
        )}{" "}
        {session.blocked} blocked
      </span>
      <span class={`r num ${session.waitedMs >= 1000 ? "is-slow" : "muted"}`}>{span(session.waitedMs)}</span>
    </div>
  )

const List = () => {
  const pages = usePages<SessionRow, Sessions>(
    "sessions",
    tick.value,
    (offset, limit, upTo) =>
      ask("sessions", { offset: String(offset), limit: String(limit), upTo: upTo?.toString() }),
    ({ sessions }) => sessions
  )
  const at = query.value["at"] === undefined ? null : Number(query.value["at"])
  const pick = (to: number): void => select({ at: to })
  const open = (to: number): void => {
    const row = pages.row(to)
    if (row !== undefined) go(addressOf(["session", row.session]))
  }
  useKeys({
    j: () => pick(Math.min((at ?? -1) + 1, pages.total - 1)),
    k: () => pick(Math.max((at ?? 1) - 1, 0)),
    Enter: () => at !== null && open(at)
  })
  if (pages.error !== undefined && pages.part === undefined)
    return <Failed error={pages.error} again={() => location.reload()} />
  if (pages.part === undefined) return <Waiting say="Reading sessions" />
  if (pages.total === 0)
    return (
      <Empty title="No session yet.">
        <p>A session begins with the first call of an agent that hooks are registered for.</p>
      </Empty>
    )
  return (
    <Rows
      label={listLabel}
      total={pages.total}
      height={33}
      selected={at}
      onSelect={open}
      onOpen={open}
      onSight={pages.onSight}
      row={(nth) => <ListRow session={pages.row(nth)} id={rowId(listLabel, nth)} isSelected={nth === at} />}
    />
  )
}

export const SessionView = () => {
  const id = subject.value
  const asked = useAsk(
    `session ${id ?? ""}`,
    (signal) => (id === null ? Promise.resolve(null) : ask("session", {}, id, signal)),
    tick.value
  )
  return (
    <div class="view fill">
      {id === null ? (
        <List />
      ) : (
        <Shown asked={asked} waiting="Reading the session">
          {(detail) => detail !== null && <One detail={detail} />}
        </Shown>
      )}
    </div>
  )
}
