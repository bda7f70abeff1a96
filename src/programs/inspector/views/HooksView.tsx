/** Which hook costs or fails: one table, and what stands behind each row. */
import type { HookHealth, Hooks } from "../../../features/inspector/contract/hooks.ts"
import { ask } from "../core/api.ts"
import { counted, dayed, share, span } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, query, select } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { isSlow } from "../parts/outcomes.tsx"
import { Strip, Trend } from "../parts/Strip.tsx"
import { Empty, Shown } from "../parts/say.tsx"
import { CallLink } from "./CallRow.tsx"

const few = 20

const origins = { shipped: "shipped", user: "yours", project: "project", unknown: "unknown" } as const

type Sort = "share" | "runs" | "failed" | "blocked" | "p50" | "hook"
const order: Readonly<Record<Sort, (hook: HookHealth) => number>> = {
  share: ({ share: part }) => part ?? -1,
  runs: ({ runs }) => runs,
  failed: ({ failed, late }) => failed + late,
  blocked: ({ blocked }) => blocked,
  p50: ({ p50 }) => p50 ?? -1,
  hook: () => 0
}

const sorted = (hooks: readonly HookHealth[], by: Sort): readonly HookHealth[] =>
  [...hooks].sort((a, b) => order[by](b) - order[by](a) || a.hook.localeCompare(b.hook))

const sentenceOf = ({ hooks, waitedMs }: Hooks): string => {
  const costliest = sorted(hooks, "share").find((hook) => (hook.share ?? 0) > 0)
  const failing = hooks.filter(({ failed, late }) => failed + late > 0).length
  const cost =
    costliest === undefined
      ? "No hook made an agent wait."
      : `${costliest.hook} costs the agents most: ${share(costliest.share ?? 0)} of ${span(waitedMs)} waited.`
  return `${cost} ${failing === 0 ? "None failed." : `${counted(failing, "hook")} ${failing === 1 ? "fails" : "fail"}.`}`
}

const Zero = ({
  look,
  many,
  word = ""
}: {
  readonly many: number
  readonly look: string
  readonly word?: string
}) =>
  many === 0 ? (
    <span class="zero">0</span>
  ) : (
    <span class={`${look} b`}>
      {many}
      {word}
    </span>
  )

const stateWords = ({ on, why }: HookHealth): string => why ?? (on === null ? "" : on ? "on" : "off")

const Behind = ({ hook }: { readonly hook: HookHealth }) => {
  const asked = useAsk(`hook ${hook.hook}`, async (signal) => {
    const wanted = { hook: hook.hook, limit: "8" }
    const [blocked, trouble] = await Promise.all([
      ask("calls", { ...wanted, show: "blocked" }, "", signal),
      ask("calls", { ...wanted, show: "trouble" }, "", signal)
    ])
    return { blocked: blocked.calls, trouble: trouble.calls }
  })
  return (
    <div class="behind">
      <p class="note">
        {hook.source ?? "its file is not known"}
        {hook.priority === null ? "" : `, priority ${hook.priority}`}
        {stateWords(hook) === "" ? "" : `, ${stateWords(hook)}`}
      </p>
      {hook.lastError !== null && (
        <p class="is-failed">
          Last trouble {dayed(hook.lastError.at)}: {hook.lastError.message}
        </p>
      )}
      <Shown asked={asked} waiting="Reading its calls">
        {({ blocked, trouble }) =>
          hook.background ? (
            <p>
              <a class="link" href={addressOf(["jobs"], { hook: hook.hook })}>
                Its jobs
              </a>
            </p>
          ) : hook.runs === 0 ? (
            <p class="muted">It has not run yet.</p>
          ) : blocked.length + trouble.length === 0 ? (
            <p class="muted">
              It blocked nothing and never failed.{" "}
              <a class="link" href={addressOf(["live"], { show: "all", text: hook.hook })}>
                Calls that it spoke in
              </a>
            </p>
          ) : (
            <ul aria-label={`Blocks and failures of ${hook.hook}`}>
              {[...blocked, ...trouble].map((call) => (
                <li key={call.invocation}>
                  <CallLink call={call} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </div>
  )
}

const Row = ({
  hook,
  isOpen,
  onToggle
}: {
  readonly hook: HookHealth
  readonly isOpen: boolean
  readonly onToggle: () => void
}) => {
  const tail = hook.runs >= few ? hook.p95 : hook.max
  return (
    <>
      <tr class={`row ${isOpen ? "sel" : ""}`} onClick={onToggle}>
        <td>
          <button
            type="button"
            class="name"
            title={hook.hook}
            aria-expanded={isOpen}
            onClick={(event) => {
              event.stopPropagation()
              onToggle()
            }}
          >
            {hook.hook}
          </button>{" "}
          <span class="muted sm on">
            {hook.events.slice(0, 1).join("")}
            {hook.events.length > 1 ? ` +${hook.events.length - 1}` : ""}
            {hook.background ? ", a job" : ""}
          </span>
        </td>
        <td class="muted">{origins[hook.origin]}</td>
        <td class="r">{hook.runs}</td>
        <td class="r">
          <Zero many={hook.blocked} look="is-blocked" />
        </td>
        <td class="r">
          {hook.failed > 0 || hook.late === 0 ? <Zero many={hook.failed} look="is-failed" /> : null}
          {hook.late > 0 && (
            <>
              {" "}
              <Zero many={hook.late} look="is-late" word=" late" />
            </>
          )}
        </td>
        <td class={`r ${isSlow(hook.p50) ? "is-slow" : ""}`}>{hook.p50 === null ? "" : span(hook.p50)}</td>
        <td class={`r ${isSlow(tail) ? "is-slow" : ""}`}>
          {tail === null ? "" : `${hook.runs < few ? "max " : ""}${span(tail)}`}
        </td>
        <td>
          <Strip hook={hook} />
        </td>
        <td>
          {hook.share === null ? (
            <span class="muted">{hook.background ? "after the reply" : ""}</span>
          ) : (
            <span class="share">
              <span class="meter">
                <i class={isSlow(hook.p50) ? "slow" : ""} style={{ width: `${hook.share * 100}%` }} />
              </span>
              <span class="num r">{share(hook.share)}</span>
            </span>
          )}
        </td>
        <td>
          <Trend hook={hook} />
        </td>
        <td title={hook.why ?? undefined}>
          {hook.on === null ? (
            hook.why === null ? (
              ""
            ) : (
              "see why"
            )
          ) : hook.on ? (
            "on"
          ) : (
            <span class="muted">off</span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="open">
          <td colSpan={11}>
            <Behind hook={hook} />
          </td>
        </tr>
      )}
    </>
  )
}

const columns: readonly (readonly [Sort | null, string, boolean])[] = [
  ["hook", "Hook", false],
  [null, "From", false],
  ["runs", "Runs", true],
  ["blocked", "Blocked", true],
  ["failed", "Failed", true],
  ["p50", "p50", true],
  [null, "p95", true],
  [null, "1, 10, 100 ms, 1 s", false],
  ["share", "Share of the wait", false],
  [null, "Slowest run", false],
  [null, "State", false]
]

const Table = ({ hooks }: { readonly hooks: Hooks }) => {
  const { hook: open, sort = "share" } = query.value
  const by = (sort in order ? sort : "share") as Sort
  const rows = sorted(hooks.hooks, by)
  const at = rows.findIndex(({ hook }) => hook === open)
  useKeys({
    j: () => select({ hook: rows[Math.min(at + 1, rows.length - 1)]?.hook }),
    k: () => select({ hook: rows[Math.max(at - 1, 0)]?.hook })
  })
  if (rows.length === 0)
    return (
      <Empty title="No hook has run yet.">
        <p>See which are there, and whether they are on:</p>
        <code>hooktape hooks list</code>
      </Empty>
    )
  const { calls, ms, p50, p95, share: part } = hooks.own
  return (
    <section class="card scrollx" tabIndex={0} aria-label="Hooks">
      <table class="ht">
        <thead>
          <tr>
            {columns.map(([key, name, isRight]) => (
              <th key={name} class={isRight ? "r" : ""} aria-sort={key === by ? "descending" : undefined}>
                {key === null ? (
                  name
                ) : (
                  <button type="button" onClick={() => select({ sort: key })}>
                    {name}
                    {key === by ? " ↓" : ""}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((hook) => (
            <Row
              key={hook.hook}
              hook={hook}
              isOpen={hook.hook === open}
              onToggle={() => select({ hook: hook.hook === open ? null : hook.hook })}
            />
          ))}
          <tr>
            <td class="muted">hooktape itself</td>
            <td class="muted">start, pipe, log</td>
            <td class="r">{calls}</td>
            <td />
            <td />
            <td class="r">{p50 === null ? "" : span(p50)}</td>
            <td class="r">{p95 === null ? "" : span(p95)}</td>
            <td />
            <td>
              <span class="share">
                <span class="meter">
                  <i class="own" style={{ width: `${(part ?? 0) * 100}%` }} />
                </span>
                <span class="num r">{part === null ? span(ms) : share(part)}</span>
              </span>
            </td>
            <td />
            <td />
          </tr>
        </tbody>
      </table>
    </section>
  )
}

export const HooksView = () => {
  const asked = useAsk("hooks", (signal) => ask("hooks", {}, "", signal), tick.value)
  return (
    <div class="view">
      <Shown asked={asked} waiting="Reading what the hooks did">
        {(hooks) => (
          <div class="pad">
            {hooks.hooks.length > 0 && (
              <div class="lead">
                <h2 class="big">{sentenceOf(hooks)}</h2>
              </div>
            )}
            <Table hooks={hooks} />
          </div>
        )}
      </Shown>
    </div>
  )
}
