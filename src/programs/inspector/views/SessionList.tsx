/** All sessions, the newest first. */
import type { SessionRow, Sessions } from "../../../features/inspector/contract/session.ts"
import { ask } from "../core/api.ts"
import { counted, dayed, oneLine, projectName, shortSession, span } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, go, query, select } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { usePages } from "../core/usePages.ts"
import { Mark } from "../parts/icons.tsx"
import { AgentChip, TranscriptTag } from "../parts/outcomes.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Failed, Waiting } from "../parts/say.tsx"

const label = "Sessions"

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

export const SessionList = () => {
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
      label={label}
      total={pages.total}
      height={33}
      selected={at}
      onSelect={open}
      onOpen={open}
      onSight={pages.onSight}
      row={(nth) => <ListRow session={pages.row(nth)} id={rowId(label, nth)} isSelected={nth === at} />}
    />
  )
}
