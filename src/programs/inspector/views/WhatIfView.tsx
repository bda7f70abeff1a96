/** Would a change decide otherwise: a call or a session again, old and new side by side. */
import { useState } from "preact/hooks"
import type { Comparison, RanAgain, RunSide } from "../../../features/inspector/contract/acts.ts"
import type { AskError } from "../core/AskError.ts"
import { act, ask } from "../core/api.ts"
import { changeWords, differenceSentence } from "../core/differences.ts"
import { aimOf, counted } from "../core/format.ts"
import { addressOf, query, select, subject } from "../core/router.ts"
import { status } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { Json } from "../parts/Json.tsx"
import { aboutOf } from "../parts/outcomes.tsx"
import { Empty, Shown } from "../parts/say.tsx"

const looks: Readonly<Record<Comparison["change"], string>> = {
  same: "ok",
  looser: "late",
  stricter: "accent",
  other: "unknown",
  "not-replayable": "unknown"
}
const Delivered = ({ side, title }: { readonly side: RunSide | null; readonly title: string }) => (
  <section class="card">
    <div class="hd">
      <h2>{title}</h2>
      {side?.delivered != null && <span class="note">exit code {side.delivered.exitCode}</span>}
    </div>
    <div class="io">
      {side?.delivered == null ? (
        <p class="muted">nothing</p>
      ) : (
        <>
          {side.delivered.stdout !== "" && (
            <Json label={`${title}: standard output`} value={side.delivered.stdout} />
          )}
          {side.delivered.stderr !== "" && (
            <Json label={`${title}: standard error`} value={side.delivered.stderr} />
          )}
          {side.delivered.stdout === "" && side.delivered.stderr === "" && <p class="muted">no bytes</p>}
        </>
      )}
    </div>
  </section>
)

/** A text as it is, anything else as JSON. */
const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const Compared = ({ comparison, how }: { readonly comparison: Comparison; readonly how: string }) => {
  const { call, first, new: now, old } = comparison
  const rows = Array.from({ length: Math.max(old?.facts.length ?? 0, now?.facts.length ?? 0) }, (_, at) => at)
  return (
    <div class="pad" style={{ padding: 0 }}>
      <h2 class="big b">{differenceSentence(comparison, how)}</h2>
      <p class="meta">
        <b>{aboutOf(call)}</b> <code>{aimOf(call.subject, call.project)}</code>
        <a class="link" href={addressOf(["call", call.invocation])}>
          The call
        </a>
      </p>
      {old !== null && now !== null && (
        <section class="card" aria-label="Facts, old and new">
          <div class="pairrow head">
            <div>
              <b>As recorded</b>{" "}
              <span class="note">{old.build === null ? "" : `build ${old.build.slice(0, 8)}`}</span>
            </div>
            <div>
              <b>Run again</b> <span class="note">{how}, just now</span>
            </div>
          </div>
          {rows.map((at) => (
            <>
              {first?.fact === at && (
                <div class="first" key="first">
                  First difference: fact {at + 1}, at {first.path}. What follows is a consequence, or chance.
                  <div class="pairrow">
                    {[first.old, first.new].map((value, side) => (
                      <div class="whole" key={side}>
                        <code>{value === null || value === undefined ? "nothing" : valueText(value)}</code>
                      </div>
                    ))}
                  </div>
                </div>
              )}
              <div class={`pairrow ${first !== null && at >= first.fact ? "differs" : ""}`} key={at}>
                {[old.facts[at], now.facts[at]].map((fact, side) => (
                  <div key={side}>
                    <span class="mono">{fact?.type ?? ""}</span>
                    <span>{fact?.says ?? ""}</span>
                  </div>
                ))}
              </div>
            </>
          ))}
        </section>
      )}
      {old !== null && now !== null && (
        <div class="sides">
          <Delivered title="Delivered then" side={old} />
          <Delivered title="Delivered now" side={now} />
        </div>
      )}
    </div>
  )
}

const Result = ({ how, ran }: { readonly ran: RanAgain; readonly how: string }) => {
  const { sel } = query.value
  const chosen = ran.comparisons.find(({ call }) => call.invocation === sel) ?? ran.comparisons[0]
  if (ran.comparisons.length === 0)
    return (
      <Empty title={`All ${counted(ran.compared, "call")} came out the same.`}>
        <p>Each was run anew, with the answers that are on the log.</p>
      </Empty>
    )
  return (
    <div class={`wi ${ran.compared === 1 ? "one" : ""}`}>
      {ran.compared > 1 && (
        <section class="card diffs" aria-label="Calls that differ">
          <div class="hd">
            <h2>
              {ran.same} of {ran.compared} the same
            </h2>
            <span class="note">
              {ran.looser} looser, {ran.stricter} stricter
            </span>
          </div>
          {ran.comparisons.map((one) => (
            <button
              type="button"
              key={one.call.invocation}
              aria-current={one === chosen}
              onClick={() => select({ sel: one.call.invocation })}
            >
              <span class="ell" style={{ display: "block" }}>
                <b>{aboutOf(one.call)}</b> <code>{aimOf(one.call.subject, one.call.project)}</code>
              </span>
              <span class={`tag ${looks[one.change]}`}>{changeWords[one.change]}</span>{" "}
              <span class="muted sm">{one.says}</span>
            </button>
          ))}
        </section>
      )}
      {chosen !== undefined && <Compared comparison={chosen} how={how} />}
    </div>
  )
}

const withName = (how: string): string =>
  how === "recorded" ? "the recorded outcomes" : how === "today" ? "today’s hooks" : `the hooks in ${how}`

const Runner = ({ id }: { readonly id: string }) => {
  const isSession = query.value["of"] === "session"
  const how = query.value["with"] ?? "today"
  const call = useAsk(`whatif call ${id} ${isSession}`, (signal) =>
    isSession ? Promise.resolve(null) : ask("call", {}, id, signal)
  )
  const options = useAsk("whatif options", (signal) => ask("options", {}, "", signal))
  const own = call.value?.call.project
  const others = (options.value?.directories ?? []).filter((directory) => directory !== own)
  const [payload, edit] = useState<string | null>(null)
  const [isAsking, askFirst] = useState(false)
  const [state, put] = useState<{ ran?: RanAgain; how?: string; error?: AskError; isRunning: boolean }>({
    isRunning: false
  })
  const run = (): void => {
    askFirst(false)
    put({ isRunning: true })
    const what = isSession ? { session: id } : { invocation: id, ...(payload === null ? {} : { payload }) }
    act("whatif", { ...what, with: how })
      .then((ran) => put({ ran, how: withName(how), isRunning: false }))
      .catch((error: AskError) => put({ error, isRunning: false }))
  }
  return (
    <div class="pad">
      {status.value?.onlyLooks !== true ? (
        <section class="card">
          <div class="run">
            <span>Run {isSession ? `all calls of session ${id.slice(0, 8)}` : "this call"} again with</span>
            <select
              aria-label="With which hooks"
              value={how}
              onChange={(event) => select({ with: event.currentTarget.value })}
            >
              <option value="today">today’s hooks</option>
              <option value="recorded">the recorded outcomes</option>
              {others.map((directory) => (
                <option value={directory} key={directory}>
                  hooks in {directory}
                </option>
              ))}
            </select>
            {!isSession && (
              <button
                type="button"
                class="btn"
                aria-pressed={payload !== null}
                onClick={() => edit(payload === null ? (call.value?.payload ?? "") : null)}
                disabled={call.value?.payload == null}
              >
                Edit the payload
              </button>
            )}
            {!isSession && call.value?.call.session != null && (
              <a
                class="btn"
                href={addressOf(["whatif", call.value.call.session], { of: "session", with: how })}
              >
                Whole session instead
              </a>
            )}
            <button type="button" class="btn main" disabled={state.isRunning} onClick={() => askFirst(true)}>
              {state.isRunning ? "Running" : "Run again…"}
            </button>
          </div>
          <p class="note">
            Nothing is delivered or recorded. A fact is never skipped: each handler runs anew with the answers
            on the log. Only hooks that are trusted and built run here. Those of any other directory are run
            from a terminal, where somebody answers for them:{" "}
            <code>hooktape replay {isSession ? "--since 1d" : id} --with DIR</code>
          </p>
          {payload !== null && (
            <div class="io">
              <textarea
                rows={10}
                aria-label="The payload"
                value={payload}
                onInput={(event) => edit(event.currentTarget.value)}
                spellcheck={false}
              />
            </div>
          )}
        </section>
      ) : (
        <div class="empty" role="note">
          <b>The inspector only looks. To run it again, with the hooks of a directory:</b>
          <code>hooktape replay {isSession ? "--since 1d" : id} --with DIR</code>
        </div>
      )}
      <Confirm
        ask={isSession ? "Run the hooks for the whole session again?" : "Run the hooks for this call again?"}
        does={
          how === "recorded"
            ? "No hook runs: the machine takes the recorded outcomes once more, and the reply is encoded again."
            : `The code of ${withName(how)} runs now on this machine. What it asks hooktape for is answered from the log; what it does by itself, it does.`
        }
        verb="Run it"
        isOpen={isAsking}
        onNo={() => askFirst(false)}
        onYes={run}
      />
      {state.error !== undefined && (
        <div class="empty" role="alert">
          <b>{state.error.message}</b>
          {state.error.remedy !== undefined && <code>{state.error.remedy}</code>}
        </div>
      )}
      {state.ran !== undefined && <Result ran={state.ran} how={state.how ?? ""} />}
      {state.ran === undefined && state.error === undefined && (
        <Shown asked={call} waiting="Reading the call">
          {(detail) =>
            detail === null ? null : (
              <div class="sides">
                <section class="card">
                  <div class="hd">
                    <h2>As recorded</h2>
                  </div>
                  <div class="io">
                    <p>{detail.sentence.text}</p>
                    {detail.payload !== null && <Json label="What came in" value={detail.payload} />}
                  </div>
                </section>
                <Empty title="It was not run again yet." />
              </div>
            )
          }
        </Shown>
      )}
    </div>
  )
}

export const WhatIfView = () => {
  const id = subject.value
  const newest = useAsk(`whatif newest ${id ?? ""}`, async (signal) =>
    id === null
      ? ((await ask("calls", { show: "effect", limit: "1" }, "", signal)).calls[0]?.invocation ?? null)
      : id
  )
  const shown = id ?? newest.value
  return (
    <div class="view">
      {shown == null ? (
        newest.value === null && (
          <Empty title="No call to run again yet.">
            <p>Hooks have seen no call here.</p>
          </Empty>
        )
      ) : (
        <Runner id={shown} key={shown} />
      )}
    </div>
  )
}
