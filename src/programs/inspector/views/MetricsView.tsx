/** How work with agents goes: each figure with what it stands on, how it is defined, and how it was in the newest sessions. */
import type { Measure, Metrics } from "../../../features/inspector/contract/metrics.ts"
import {
  coverageText,
  intervalText,
  nText,
  partText,
  valueText
} from "../../../features/metrics/figureText.ts"
import { ask } from "../core/api.ts"
import { agentName, counted, day, projectName, shortSession } from "../core/format.ts"
import { addressOf, query, select } from "../core/router.ts"
import { useAsk } from "../core/useAsk.ts"
import { Empty, Shown } from "../parts/say.tsx"

const dayMs = 86_400_000

const spans: readonly (readonly [string, string])[] = [
  ["1", "24 hours"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["", "All"]
]

const groupNames: Readonly<Record<Measure["group"], string>> = {
  sessions: "Sessions",
  quality: "Quality",
  work: "Work",
  hooks: "Hooks",
  errors: "Errors",
  usage: "Usage"
}

const textOf = ({ id, unit }: Measure, value: number): string =>
  id === "hours" ? `${String(value).padStart(2, "0")}:00` : valueText(value, unit)

const measureOf = (metrics: Metrics, id: string): Measure | undefined =>
  metrics.metrics.find((one) => one.id === id)

const sentenceOf = (metrics: Metrics): string => {
  const wait = measureOf(metrics, "hook-share")
  const first = measureOf(metrics, "first-pass")
  const waited =
    wait === undefined || wait.value === null
      ? "How long agents waited for hooks is not known"
      : `Agents waited ${textOf(wait, wait.value)} of their time for hooks`
  const passed =
    first === undefined || first.value === null
      ? "no check after an edit was seen."
      : `${Math.round(first.value * first.n)} of ${first.n} first checks after an edit passed.`
  return `${waited}; ${passed}`
}

/** What stands under it: tool calls by who told of them, as parts of a bar. */
const Coverage = ({ measure: { coverage, title } }: { readonly measure: Measure }) => {
  const { both, hooks, transcript } = coverage
  const all = both + hooks + transcript
  const width = (many: number): string => `${all === 0 ? 0 : (many / all) * 100}%`
  return (
    <span class="covers" role="img" aria-label={`${title}, coverage: ${coverageText(coverage)}`}>
      <i class="c-hooks" style={{ width: width(hooks) }} />
      <i class="c-both" style={{ width: width(both) }} />
      <i class="c-transcript" style={{ width: width(transcript) }} />
    </span>
  )
}

const coverageWords = ({ both, hooks, transcript }: Measure["coverage"]): string => {
  const parts = [
    [hooks, "hooks"],
    [both, "both"],
    [transcript, "transcripts"]
  ] as const
  const told = parts.filter(([many]) => many > 0)
  return told.length === 0 ? "no tool call" : told.map(([many, who]) => `${many} by ${who}`).join(", ")
}

/** The newest sessions, the oldest of them at the left; a gap where the figure is unknown. */
const BySession = ({
  measure,
  sessions
}: {
  readonly measure: Measure
  readonly sessions: Metrics["bySession"]
}) => {
  const values = sessions.map((one) => ({ ...one, value: one.values[measure.id] ?? null }))
  const known = values.flatMap(({ value }) => (value === null ? [] : [value]))
  if (known.length < 2) return null
  const most = Math.max(...known.map(Math.abs))
  const step = 168 / values.length
  return (
    <svg
      class="bysession"
      viewBox="0 0 168 26"
      role="img"
      aria-label={`${measure.title} in ${known.length} of the newest ${values.length} sessions: from ${textOf(measure, Math.min(...known))} to ${textOf(measure, Math.max(...known))}`}
    >
      <line x1="0" x2="168" y1="25" y2="25" stroke="var(--line)" />
      {values.map(({ session, value }, at) => {
        if (value === null) return null
        const height = most === 0 ? 1.5 : Math.max(1.5, (Math.abs(value) / most) * 22)
        return (
          <rect
            key={session}
            x={at * step}
            y={25 - height}
            width={Math.max(2, Math.min(10, step - 1.5))}
            height={height}
            fill="var(--handling)"
          >
            <title>
              {shortSession(session)}: {textOf(measure, value)}
            </title>
          </rect>
        )
      })}
    </svg>
  )
}

const Tile = ({
  measure,
  sessions
}: {
  readonly measure: Measure
  readonly sessions: Metrics["bySession"]
}) => {
  const { coverage, definition, id, n, parts = [], title, value, why } = measure
  const interval = intervalText(measure)
  const shown = id === "hours" ? [] : parts.filter((part) => part.value > 0).slice(0, 5)
  return (
    <section class="card tile" aria-label={title}>
      <h3>{title}</h3>
      {value === null ? (
        <p class="muted">Unknown: {why ?? "nothing tells"}.</p>
      ) : (
        <p class="figure">
          <b>{textOf(measure, value)}</b>
          {interval !== "" && <span class="note">{interval}</span>}
        </p>
      )}
      <p class="sm">{value === null && n === 0 ? <span class="muted">n = 0</span> : nText(measure)}</p>
      <p class="sm cover">
        <Coverage measure={measure} /> <span class="muted">{coverageWords(coverage)}</span>
      </p>
      {shown.length > 0 && <p class="sm">{shown.map((part) => partText(measure, part)).join(", ")}</p>}
      <BySession measure={measure} sessions={sessions} />
      <p class="sm muted">{definition}</p>
    </section>
  )
}

const Choice = ({
  all,
  label,
  name,
  value,
  word
}: {
  readonly name: "agent" | "project"
  readonly label: string
  readonly all: readonly string[]
  readonly value: string | undefined
  readonly word: (one: string) => string
}) => (
  <select
    aria-label={label}
    value={value ?? ""}
    onChange={(event) => select({ [name]: event.currentTarget.value })}
  >
    <option value="">{label}</option>
    {all.map((one) => (
      <option key={one} value={one}>
        {word(one)}
      </option>
    ))}
  </select>
)

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="Nothing was seen here.">
      <p>No session fits what is chosen above.</p>
      <button
        type="button"
        class="btn"
        onClick={() => select({ days: "all", project: null, agent: null, session: null })}
      >
        All there is
      </button>
    </Empty>
  ) : (
    <Empty title="Nothing was seen of a session yet.">
      <p>Figures come with the first calls of an agent. Past sessions come in with:</p>
      <code>hooktape import</code>
    </Empty>
  )

const Figures = ({ metrics }: { readonly metrics: Metrics }) => {
  const groups = [...new Set(metrics.metrics.map(({ group }) => group))]
  return (
    <>
      {groups.map((group) => (
        <section key={group} aria-label={groupNames[group]}>
          <h2 class="tiles-head">{groupNames[group]}</h2>
          <div class="tiles">
            {metrics.metrics
              .filter((one) => one.group === group)
              .map((one) => (
                <Tile key={one.id} measure={one} sessions={metrics.bySession} />
              ))}
          </div>
        </section>
      ))}
    </>
  )
}

export const MetricsView = () => {
  const { agent, days = "30", project, session } = query.value
  const isBounded = /^\d{1,4}$/.test(days)
  const asked = useAsk(`metrics ${days} ${project ?? ""} ${agent ?? ""} ${session ?? ""}`, (signal) =>
    ask(
      "metrics",
      {
        project,
        agent,
        session,
        ...(isBounded ? { from: String(Date.now() - Number(days) * dayMs) } : {})
      },
      "",
      signal
    )
  )
  return (
    <div class="view">
      <Shown asked={asked} waiting="Working out the figures">
        {(metrics) => (
          <div class="pad">
            <div class="lead wrap">
              <div class="grow">
                <h2 class="big">{metrics.sessions === 0 ? "Nothing to tell yet." : sentenceOf(metrics)}</h2>
                {metrics.from !== null && metrics.to !== null && (
                  <p class="note">
                    {counted(metrics.sessions, "session")}, {day(metrics.from)} to {day(metrics.to)}.{" "}
                    {coverageText(metrics.coverage)}
                  </p>
                )}
              </div>
              {session !== undefined && (
                <span>
                  <a class="link" href={addressOf(["session", session])}>
                    session {shortSession(session)}
                  </a>{" "}
                  <button type="button" class="btn" onClick={() => select({ session: null })}>
                    all sessions
                  </button>
                </span>
              )}
              <Choice
                name="project"
                label="All projects"
                all={metrics.projects}
                value={project}
                word={projectName}
              />
              <Choice name="agent" label="All agents" all={metrics.agents} value={agent} word={agentName} />
              <div class="seg" role="group" aria-label="Of which time">
                {spans.map(([many, name]) => (
                  <button
                    type="button"
                    key={name}
                    aria-pressed={days === many || (many === "" && days === "all")}
                    onClick={() => select({ days: many === "" ? "all" : many })}
                  >
                    {name}
                  </button>
                ))}
              </div>
            </div>
            {metrics.sessions === 0 ? (
              <Nothing isFiltered={metrics.agents.length > 0} />
            ) : (
              <Figures metrics={metrics} />
            )}
          </div>
        )}
      </Shown>
    </div>
  )
}
