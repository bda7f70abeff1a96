/** The newest calls: those that fit the filter, as they come while followed. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Call, Calls, Show } from "../../../features/inspector/contract/call.ts"
import { ask } from "../core/api.ts"
import { count, counted, shortSession, slowMs } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { go, query, select } from "../core/router.ts"
import { hear, status } from "../core/stream.ts"
import { usePages } from "../core/usePages.ts"
import { givenUpOf } from "../parts/outcomes.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Failed, Waiting } from "../parts/say.tsx"
import { addressOfCall, CallRow, type Fold, hasReason, reasonHeight } from "./CallRow.tsx"
import { NoCallYet } from "./NoCallYet.tsx"

const shows: readonly (readonly [Show, string])[] = [
  ["effect", "With effect"],
  ["blocked", "Blocked"],
  ["trouble", "Failed"],
  ["slow", "Slow"],
  ["all", "All"],
  ["transcript", "Imported"]
]

export const fits = (
  call: Call,
  show: string,
  session: string | undefined,
  text: string | undefined
): boolean => {
  if (call.own || (session !== undefined && call.session !== session)) return false
  if (text !== undefined) {
    const words = [call.tool?.name, call.subject, call.by, call.reason, call.invocation]
      .join("\n")
      .toLowerCase()
    if (!words.includes(text.toLowerCase())) return false
  }
  switch (show) {
    case "blocked":
      return call.decision === "block"
    case "trouble":
      return (
        ["failed", "late", "lost", "rejected", "undelivered"].includes(call.outcome) ||
        givenUpOf(call) !== undefined
      )
    case "slow":
      return (call.waitMs ?? 0) >= slowMs
    case "open":
      return call.outcome === "open"
    case "effect":
      return call.outcome !== "silent" || givenUpOf(call) !== undefined || (call.waitMs ?? 0) >= slowMs
    case "transcript":
      return false
    default:
      return true
  }
}

/** Calls that came since the list was read, the newest first; and newer states of those in it. */
const useFresh = (
  isFollowing: boolean,
  question: string,
  upTo: number,
  isWanted: (call: Call) => boolean
) => {
  const fresh = useRef(new Map<string, Call>())
  const [version, redraw] = useState(0)
  const wanted = useRef(isWanted)
  wanted.current = isWanted
  useEffect(() => {
    fresh.current = new Map()
  }, [question, upTo])
  useEffect(() => {
    if (!isFollowing) return
    let frame = 0
    const stop = hear("calls", ({ calls }) => {
      for (const call of calls) fresh.current.set(call.invocation, call)
      // Once a frame, however many came.
      frame ||= requestAnimationFrame(() => {
        frame = 0
        redraw((n) => n + 1)
      })
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [isFollowing])
  const newer = [...fresh.current.values()]
    .filter((call) => call.position > upTo && wanted.current(call))
    .reverse()
  return {
    newer,
    version,
    latest: <A extends Call | undefined>(call: A): A | Call =>
      call === undefined ? call : (fresh.current.get(call.invocation) ?? call)
  }
}

/** Those of an address that somebody wrote, too. */
const isShow = (show: string): boolean =>
  show === "failed" || show === "open" || shows.some(([one]) => one === show)

const label = "Calls"

export const CallList = ({
  follow,
  isFollowing
}: {
  readonly isFollowing: boolean
  readonly follow: (on: boolean) => void
}) => {
  const { sel, session, show = "effect", text } = query.value
  const [turn, again] = useState(0)
  const question = `calls ${show} ${session ?? ""} ${text ?? ""}`
  const pages = usePages<Call, Calls>(
    question,
    0,
    (offset, limit, upTo) =>
      ask("calls", {
        show,
        session,
        text,
        offset: String(offset),
        limit: String(limit),
        upTo: upTo?.toString()
      }),
    ({ calls }) => calls,
    turn
  )
  const { error, part } = pages
  const { latest, newer, version } = useFresh(
    isFollowing,
    `${question} ${turn}`,
    part?.upTo ?? Number.MAX_SAFE_INTEGER,
    (call) => fits(call, show, session, text)
  )
  // What came is read into the list before there is too much of it.
  useEffect(() => {
    if (newer.length > 300) again((n) => n + 1)
  }, [newer.length])
  const total = newer.length + pages.total
  const ofSession = (part?.all ?? 0) + newer.length
  // An empty list is compared with all that the log has, also one of a session that nobody knows.
  const onLog = show === "transcript" ? ofSession : Math.max(ofSession, status.value?.calls ?? 0)
  const tall = useMemo(
    () => [
      ...newer.flatMap((call, at) => (hasReason(call) ? [at] : [])),
      ...pages.placesOf((call) => hasReason(latest(call))).map((at) => at + newer.length)
    ],
    [question, turn, pages.version, version, part]
  )
  const callAt = (at: number): Call | undefined => newer[at] ?? latest(pages.row(at - newer.length))
  const selected = sel === undefined ? null : newer.findIndex(({ invocation }) => invocation === sel)
  const [selectedAt, putSelectedAt] = useState<number | null>(null)
  const at =
    selected !== null && selected >= 0
      ? selected
      : sel === undefined
        ? null
        : selectedAt === null
          ? null
          : callAt(selectedAt)?.invocation === sel
            ? selectedAt
            : null
  const pick = (to: number): void => {
    const call = callAt(to)
    if (call === undefined) return
    putSelectedAt(to)
    select({ sel: call.invocation })
  }
  const open = (to: number): void => {
    const call = callAt(to)
    if (call !== undefined) go(addressOfCall(call))
  }
  useKeys({
    j: () => pick(Math.min((at ?? -1) + 1, total - 1)),
    k: () => pick(Math.max((at ?? 0) - 1, 0)),
    Enter: () => at !== null && open(at),
    " ": () => follow(!isFollowing)
  })
  const folds = new Map<number, Fold>((part?.folds ?? []).map((fold) => [fold.before, fold]))
  return (
    <section class="calls" aria-label="Newest calls">
      <div class="tbar">
        <div class="seg" role="group" aria-label="Which calls">
          {shows.map(([one, name]) => (
            <button
              type="button"
              key={one}
              aria-pressed={show === one}
              onClick={() => select({ show: one, sel: null })}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="sp" />
        {text !== undefined && (
          <button type="button" class="btn" onClick={() => select({ text: null })}>
            “{text}” ×
          </button>
        )}
        {session !== undefined && (
          <button
            type="button"
            class="btn"
            onClick={() => select({ session: null })}
            title="Show all sessions"
          >
            session {shortSession(session)} ×
          </button>
        )}
        <span class="muted sm num">
          {part === undefined ? "" : `${count(total)} of ${count(ofSession === 0 ? onLog : ofSession)}`}
        </span>
      </div>
      {!isShow(show) ? (
        <Empty title={`There is no filter “${show}”.`}>
          <button type="button" class="btn" onClick={() => select({ show: null })}>
            Show calls with an effect
          </button>
        </Empty>
      ) : error !== undefined && part === undefined ? (
        <Failed error={error} again={() => again((n) => n + 1)} />
      ) : part === undefined ? (
        <Waiting say={`Reading ${count(status.value?.calls ?? 0)} calls`} />
      ) : total === 0 ? (
        <NoCalls all={onLog} show={show} session={session} text={text} />
      ) : (
        <Rows
          label={label}
          total={total}
          height={50}
          tall={tall}
          more={reasonHeight}
          selected={at}
          onSelect={pick}
          onOpen={open}
          onSight={(from, to) =>
            pages.onSight(Math.max(0, from - newer.length), Math.max(0, to - newer.length))
          }
          row={(nth) => {
            const call = callAt(nth)
            return (
              <CallRow
                call={call}
                id={rowId(label, nth)}
                isSelected={nth === at}
                fold={call === undefined ? undefined : folds.get(call.position)}
              />
            )
          }}
        />
      )}
    </section>
  )
}

const NoCalls = ({
  all,
  session,
  show,
  text
}: {
  readonly all: number
  readonly show: string
  readonly session: string | undefined
  readonly text: string | undefined
}) => {
  if (all === 0 && show === "transcript")
    return (
      <Empty title="No transcript told of anything yet.">
        <p>Calls that no hook saw come in with past sessions:</p>
        <code>hooktape import</code>
      </Empty>
    )
  if (all === 0) return <NoCallYet />
  const filter =
    text === undefined ? `The filter “${shows.find(([one]) => one === show)?.[1] ?? show}”` : `“${text}”`
  return (
    <Empty title="No call matches.">
      <p>
        {counted(all, "call is", "calls are")} on the log. {filter}
        {session === undefined ? "" : ` in session ${shortSession(session)}`} leaves none.
      </p>
      <button type="button" class="btn" onClick={() => select({ show: "all", session: null, text: null })}>
        Show all calls
      </button>
    </Empty>
  )
}
