/** Sessions; and one of them: its turns and tools in order, what stopped it, what each hook cost. */
import type { SessionDetail } from "../../../features/inspector/contract/session.ts"
import { ask } from "../core/api.ts"
import {
  agentName,
  clock,
  count,
  counted,
  dayed,
  projectName,
  share,
  shortSession,
  span
} from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, go, query, select, subject } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { AgentChip, TranscriptTag } from "../parts/outcomes.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Shown } from "../parts/say.tsx"
import { linesOf, opens, ToolLine, TurnLine } from "./SessionLines.tsx"
import { SessionList } from "./SessionList.tsx"
import { SessionSide } from "./SessionSide.tsx"

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
        <SessionList />
      ) : (
        <Shown asked={asked} waiting="Reading the session">
          {(detail) => detail !== null && <One detail={detail} />}
        </Shown>
      )}
    </div>
  )
}
