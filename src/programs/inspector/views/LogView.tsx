/** What exactly is recorded: facts by page, one of them with what led to it. */
import { useRef, useState } from "preact/hooks"
import type { FactKind, FactRow, Facts } from "../../../features/inspector/contract/log.ts"
import { ask } from "../core/api.ts"
import { count, dayed, exactClock } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, query, select } from "../core/router.ts"
import { status, tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { usePages } from "../core/usePages.ts"
import { Json } from "../parts/Json.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Marked } from "../parts/Search.tsx"
import { Empty, Failed, Shown, Waiting } from "../parts/say.tsx"

const kinds: readonly (readonly [FactKind, string])[] = [
  ["all", "All facts"],
  ["trouble", "Trouble"],
  ["replies", "Replies"],
  ["services", "Services"],
  ["jobs", "Jobs"],
  ["host", "Host"]
]

const troubled = /FAILED|TIMED_OUT|REJECTED|DIED|UNREACHABLE|UNRECORDED/

const shortStream = (stream: string): string => stream.replace(/^(\w+\/).*(.{8})$/, "$1$2")

const Row = ({
  fact,
  id,
  isSelected,
  text
}: {
  readonly fact: FactRow | undefined
  readonly id: string
  readonly isSelected: boolean
  readonly text: string
}) =>
  fact === undefined ? (
    <div class="lg" id={id} role="option" aria-selected={isSelected} aria-label="Not read yet" />
  ) : (
    <div class="lg" id={id} role="option" aria-selected={isSelected}>
      <span class="num muted">{fact.position}</span>
      <span class="num muted">{exactClock(fact.at)}</span>
      <span class="mono ell muted">{shortStream(fact.stream)}</span>
      <span class={`mono ell ${troubled.test(fact.type) ? "is-failed b" : ""}`}>{fact.type}</span>
      <span class="ell">
        <Marked text={fact.known ? fact.says : `unknown to this version: ${fact.says}`} part={text} />
      </span>
    </div>
  )

const Related = ({ fact }: { readonly fact: FactRow }) => (
  <button type="button" class="cause" onClick={() => select({ p: fact.position })}>
    <span class="num muted">{fact.position}</span>
    <span class="ell">
      <span class="mono">{fact.type}</span> <span class="muted">{fact.says}</span>
    </span>
  </button>
)

const Side = ({ position }: { readonly position: string }) => {
  const asked = useAsk(`fact ${position}`, (signal) => ask("fact", {}, position, signal))
  return (
    <Shown asked={asked} waiting="Reading the fact">
      {(fact) => (
        <>
          <h2>{fact.type}</h2>
          <p class="note">
            position {count(fact.position)}, {dayed(fact.at)}, number {fact.version} of{" "}
            <code>{fact.stream}</code>
          </p>
          <div class="meta">
            {fact.invocation !== null && (
              <a class="link" href={addressOf(["call", fact.invocation])}>
                Its call
              </a>
            )}
            {fact.session !== null && (
              <a class="link" href={addressOf(["session", fact.session])}>
                Its session
              </a>
            )}
            <a class="link" href={addressOf(["log"], { stream: fact.stream })}>
              Its stream alone
            </a>
          </div>
          <h3>Caused by</h3>
          {fact.causes.length === 0 ? (
            <p class="muted">nothing: it is the first of its stream</p>
          ) : (
            fact.causes.map((one) => <Related key={one.position} fact={one} />)
          )}
          {fact.effects.length > 0 && <h3>Led to</h3>}
          {fact.effects.map((one) => (
            <Related key={one.position} fact={one} />
          ))}
          <h3>Data</h3>
          <Json label="Data of the fact" value={fact.data} />
        </>
      )}
    </Shown>
  )
}

const label = "Facts"

export const LogView = () => {
  const { kind = "all", p, q = "", stream, type } = query.value
  const [isTop, putTop] = useState(true)
  const [turn, again] = useState(0)
  // New facts are shown to whoever looks at the newest, and pull the rows away from nobody else.
  const followed = useRef(0)
  if (isTop) followed.current = tick.value
  const pages = usePages<FactRow, Facts>(
    `facts ${kind} ${q} ${stream ?? ""} ${type ?? ""}`,
    followed.current,
    (offset, limit, upTo) =>
      ask("facts", {
        kind,
        text: q,
        stream,
        type,
        offset: String(offset),
        limit: String(limit),
        upTo: upTo?.toString()
      }),
    ({ facts }) => facts,
    turn
  )
  const { error, part, total } = pages
  const [at, putAt] = useState<number | null>(null)
  const isAt = at !== null && String(pages.row(at)?.position) === p
  const here = isAt ? at : null
  const pick = (to: number): void => {
    const fact = pages.row(to)
    if (fact === undefined) return
    putAt(to)
    select({ p: fact.position })
  }
  useKeys({
    j: () => pick(Math.min((here ?? -1) + 1, total - 1)),
    k: () => pick(Math.max((here ?? 1) - 1, 0))
  })
  const filters = [q !== "" && `contains “${q}”`, stream !== undefined && shortStream(stream), type].filter(
    (one) => typeof one === "string"
  )
  return (
    <div class="view fill">
      <div class="log">
        <div>
          <div class="tbar">
            <div class="seg" role="group" aria-label="Which facts">
              {kinds.map(([one, name]) => (
                <button
                  type="button"
                  key={one}
                  aria-pressed={kind === one}
                  onClick={() => select({ kind: one === "all" ? null : one, p: null })}
                >
                  {name}
                </button>
              ))}
            </div>
            <input
              class="field"
              type="text"
              placeholder="Only facts that say"
              aria-label="Only facts that say"
              value={q}
              onInput={(event) => select({ q: event.currentTarget.value })}
            />
            <span class="muted sm num">
              {part === undefined
                ? ""
                : `${count(total)} of ${count(part.all)} facts, ${part.tookMs.toFixed(1)} ms`}
            </span>
            <span class="sp" />
            {filters.map((filter) => (
              <span class="tag accent" key={filter}>
                {filter}
              </span>
            ))}
            {filters.length > 0 && (
              <button type="button" class="btn" onClick={() => select({ q: null, stream: null, type: null })}>
                Clear
              </button>
            )}
          </div>
          {part?.damaged?.map(({ from, to }) => (
            <div class="notice" key={from} role="alert">
              Facts {from} to {to} do not verify: <code>hooktape log verify</code>
            </div>
          ))}
          <div class="lg head" aria-hidden="true">
            <span>Position</span>
            <span>Time</span>
            <span>Stream</span>
            <span>Fact</span>
            <span>What it says</span>
          </div>
          {error !== undefined && part === undefined ? (
            <Failed error={error} again={() => again((n) => n + 1)} />
          ) : part === undefined ? (
            <Waiting say={`Reading ${count(status.value?.position ?? 0)} facts`} />
          ) : total === 0 ? (
            <Empty title={part.all === 0 ? "Nothing is recorded yet." : "No fact matches."}>
              <p>
                {part.all === 0
                  ? "The first call of an agent begins the log."
                  : `${count(part.all)} facts are on the log.`}
              </p>
            </Empty>
          ) : (
            <Rows
              label={label}
              total={total}
              height={25}
              selected={here}
              onSelect={pick}
              onOpen={pick}
              onSight={pages.onSight}
              onScroll={(top) => putTop(top < 40)}
              row={(nth) => (
                <Row fact={pages.row(nth)} id={rowId(label, nth)} isSelected={nth === here} text={q} />
              )}
            />
          )}
        </div>
        <section class="side" aria-label="The fact" tabIndex={0}>
          {p === undefined ? (
            <Empty title="No fact is selected.">
              <p>
                <kbd>j</kbd> selects the next one.
              </p>
            </Empty>
          ) : (
            <Side position={p} />
          )}
        </section>
      </div>
    </div>
  )
}
