/** What was blocked, what waits now: numbers, lanes of the sessions, the newest calls. */
import { useState } from "preact/hooks"
import type { Numbers } from "../../../features/inspector/contract/live.ts"
import { ask } from "../core/api.ts"
import { counted, share, span } from "../core/format.ts"
import { query, select } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { CallList } from "./CallList.tsx"
import { Lanes } from "./lanes/Lanes.tsx"

interface Stat {
  readonly show: string
  readonly value: string
  readonly label: string
  readonly look: string
}

const statsOf = (numbers: Numbers): readonly Stat[] => {
  const { blocked, calls, costliest, failed, failing, lastBlockedBy, late, lost, openSessions, sessions } =
    numbers
  const trouble = [
    failed > 0 ? `${failed} failed` : "",
    late > 0 ? `${late} late` : "",
    lost > 0 ? `${lost} lost` : ""
  ]
    .filter((one) => one !== "")
    .join(", ")
  return [
    {
      show: "blocked",
      value: `${blocked} blocked`,
      label: lastBlockedBy === null ? "no call was blocked" : `last by ${lastBlockedBy}`,
      look: blocked > 0 ? "blocked" : ""
    },
    {
      show: "trouble",
      value: trouble === "" ? "0 failed" : trouble,
      label:
        failing.length === 0
          ? "every hook came to its end"
          : failing.slice(0, 2).join(", ") + (failing.length > 2 ? ` +${failing.length - 2}` : ""),
      look: failed + lost > 0 ? "failed" : late > 0 ? "late" : ""
    },
    {
      show: "slow",
      value: `${span(numbers.waitedMs)} waited`,
      label:
        numbers.waitedShare === null
          ? counted(numbers.slow, "slow call")
          : `${share(numbers.waitedShare)} of the agents’ time`,
      look: numbers.slow > 0 ? "slow" : ""
    },
    {
      show: "effect",
      value: costliest?.hook ?? "no hook",
      label:
        costliest === null
          ? "none ran yet"
          : `${share(costliest.share)} of the wait${costliest.p95 === null ? "" : `, p95 ${span(costliest.p95)}`}`,
      look: ""
    },
    {
      show: "all",
      value: counted(calls, "call"),
      label: `${counted(sessions, "session")}, ${openSessions} open`,
      look: ""
    }
  ]
}

const Stats = ({ session, show }: { readonly session: string | undefined; readonly show: string }) => {
  const { value } = useAsk(
    `numbers ${session ?? ""}`,
    (signal) => ask("numbers", { session }, "", signal),
    tick.value
  )
  return (
    <section class="stats" aria-label="In numbers" tabIndex={0}>
      {value === undefined ? (
        <div class="stat">
          <span class="v">&nbsp;</span>
          <span class="l">&nbsp;</span>
        </div>
      ) : (
        statsOf(value).map(({ label, look, show: shows, value: text }) => (
          <button
            type="button"
            class="stat"
            key={shows}
            aria-pressed={show === shows}
            onClick={() => select({ show: show === shows ? "" : shows })}
          >
            <span class={`v ${look === "" ? "" : `is-${look}`}`}>{text}</span>
            <span class="l">{label}</span>
          </button>
        ))
      )}
    </section>
  )
}

export const LiveView = () => {
  const [isFollowing, follow] = useState(query.value["to"] === undefined)
  const { session, show = "effect" } = query.value
  return (
    <div class="view fill">
      <Stats session={session} show={show} />
      <div class="live">
        <Lanes isFollowing={isFollowing} follow={follow} session={session} />
        <CallList isFollowing={isFollowing} follow={follow} />
      </div>
    </div>
  )
}
