/** A call as a row: when, what, how long; below it who said what. */
import type { Call } from "../../../features/inspector/contract/call.ts"
import { aimOf, counted, dayed, oneLine, shortSession, span } from "../core/format.ts"
import { addressOf } from "../core/router.ts"
import {
  AgentChip,
  aboutOf,
  GivenUpTag,
  givenUpOf,
  isSlow,
  lookOf,
  OutcomeTag,
  phaseOf,
  slowest,
  TranscriptTag,
  wentWell
} from "../parts/outcomes.tsx"

export interface Fold {
  readonly calls: number
  readonly waitMs: number
}

interface Props {
  readonly call: Call | undefined
  readonly fold: Fold | undefined
  readonly id: string
  readonly isSelected: boolean
}

const ends: Readonly<Record<NonNullable<Call["told"]>, string>> = {
  ok: "went well",
  failed: "failed",
  denied: "was denied",
  rejected: "was refused by the agent",
  stopped: "was stopped",
  running: "ran on in the background",
  untold: "has no end that is told"
}

const toldWords = ({ exitCode, told }: Call): string =>
  told === undefined
    ? "no hook saw it"
    : `no hook saw it; it ${ends[told]}${exitCode === undefined || exitCode === 0 ? "" : ` (exit code ${exitCode})`}`

/** What a row says where no tag says more. */
const plainWords = (call: Call): string => {
  if (call.source === "transcript") return toldWords(call)
  const most = slowest(call)
  if (most !== undefined && isSlow(most.ms)) return `${most.hook} took ${span(most.ms ?? 0)}`
  const spoke = call.hooks.filter(({ said }) => said.length > 0).map(({ hook }) => hook)
  if (spoke.length > 0) return `${[...new Set(spoke)].join(", ")} spoke`
  if (call.outcome === "spoke") return `${call.by ?? "hooktape"} spoke`
  return call.hooks.length === 0 ? "no hook ran" : `${counted(call.hooks.length, "hook")} ran, nothing to say`
}

/** Two lines that a row has for a reason. */
export const reasonHeight = 34

const isTaggedBy = ({ outcome }: Call): boolean => {
  const { look } = lookOf(outcome)
  return look !== null && look !== "ok"
}

/** What it was blocked, asked or failed for, or what went on after its reply has failed for. */
const whyOf = (call: Call): string => oneLine((isTaggedBy(call) ? call.reason : givenUpOf(call)?.error) ?? "")

/** Is read in the row, before anybody opens it. */
export const hasReason = (call: Call): boolean => whyOf(call) !== ""

/** Without the name of whoever gives it, which stands below. */
const reasonOf = (call: Call): string => {
  const { by } = call
  const words = whyOf(call)
  return by !== null && words.startsWith(`${by}: `) ? words.slice(by.length + 2) : words
}

const classOf = (call: Call): string => {
  const look = wentWell(call) && givenUpOf(call) !== undefined ? "failed" : (lookOf(call.outcome).look ?? "")
  return `call ${look} ${hasReason(call) ? "reasoned" : ""}`
}

const Cells = ({ call, fold }: { readonly call: Call; readonly fold?: Fold | undefined }) => {
  const { agent, at, project, session, subject, waitMs } = call
  const isTagged = isTaggedBy(call)
  const givenUp = givenUpOf(call)
  const words = isTagged || givenUp !== undefined ? "" : plainWords(call)
  return (
    <>
      <span class="t">{dayed(at)}</span>
      <span class="what">
        <b>{aboutOf(call)}</b>
        <code class="ell" title={subject ?? undefined}>
          {aimOf(subject, project)}
        </code>
      </span>
      <span class={`ms ${isSlow(waitMs) ? "slow" : ""}`}>{waitMs === null ? "" : span(waitMs)}</span>
      {hasReason(call) && (
        <span class="reason" title={whyOf(call)}>
          {reasonOf(call)}
        </span>
      )}
      <span class="how">
        <AgentChip agent={agent} />
        {session !== null && <span>{shortSession(session)}</span>}
        {call.source === "transcript" && <TranscriptTag />}
        {call.source === undefined && !isTagged && phaseOf(call) !== "" && <span>{phaseOf(call)}</span>}
        {isTagged && <OutcomeTag {...call} />}
        {givenUp !== undefined && <GivenUpTag by={givenUp.hook} reason={givenUp.error} />}
        <span class="ell why" title={words}>
          {oneLine(words)}
        </span>
        {fold !== undefined && fold.calls > 0 && (
          <span
            class="fold"
            title={`${counted(fold.calls, "call")} before it: no hook had anything to say, ${span(fold.waitMs)} together`}
          >
            + {fold.calls} silent
          </span>
        )}
      </span>
    </>
  )
}

/** As an option in a list to choose from. */
export const CallRow = ({ call, fold, id, isSelected }: Props) =>
  call === undefined ? (
    <div class="call ghost" id={id} role="option" aria-selected={isSelected} aria-label="Not read yet">
      <i />
    </div>
  ) : (
    <div class={classOf(call)} id={id} role="option" aria-selected={isSelected}>
      <Cells call={call} fold={fold} />
    </div>
  )

/** What only a transcript tells is one fact of the log; all else is a call with a page of its own. */
export const addressOfCall = ({ invocation, position, source }: Call): string =>
  source === "transcript" ? addressOf(["log"], { p: position }) : addressOf(["call", invocation])

/** As a link to the call, where there are only a few. */
export const CallLink = ({ call }: { readonly call: Call }) => (
  <a class={classOf(call)} href={addressOfCall(call)}>
    <Cells call={call} />
  </a>
)
