/** Problems that tools showed: what is open, what was tried, what helped, and how far that may be believed. */
import type { ChainRow, Chains } from "../../../features/inspector/contract/chains.ts"
import { ask } from "../core/api.ts"
import { agentName, clock, counted, dayed, oneLine, projectName, shortSession, span } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, query, select } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { usePages } from "../core/usePages.ts"
import { ChainTag } from "../parts/ChainTag.tsx"
import { AgentChip } from "../parts/outcomes.tsx"
import { Rows, rowId } from "../parts/Rows.tsx"
import { Empty, Failed, Waiting } from "../parts/say.tsx"

type State = ChainRow["state"]

const grades = {
  A: "shown by evidence",
  B: "likely",
  C: "only what was done before it was gone"
} as const

const Gone = ({ chain: { abandoned, flaky, grade, ms, proof } }: { readonly chain: ChainRow }) => {
  if (abandoned !== null) return <p class="muted">Nobody looks after it any more: {abandoned}.</p>
  if (proof === null) return <p class="muted">Nothing has shown yet that it is gone.</p>
  return (
    <>
      <p>
        <code>{oneLine(proof.by)}</code> {proof.shown === "proved" ? "passed" : "did not show it any more"} at{" "}
        {dayed(proof.at)}
        {ms === null ? "" : `, ${span(ms)} after it was first seen`}.
      </p>
      {flaky && <p class="is-slow">It went away without anything having been done.</p>}
      {grade !== null && (
        <p class="note">
          Grade {grade}: {grades[grade]}.
        </p>
      )}
    </>
  )
}

const Steps = ({ steps }: { readonly steps: ChainRow["fix"] }) => (
  <>
    {steps.map(({ kind, toolUse, what }, at) => (
      <span key={`${toolUse} ${at}`} class="step">
        {kind === "edit" ? "edited " : "ran "}
        <code>{oneLine(what)}</code>
      </span>
    ))}
  </>
)

/** From the problem over all that was tried to the fix, as it happened. */
const Course = ({ chain }: { readonly chain: ChainRow }) => (
  <ol class="course">
    <li class="is-blocked">
      <span class="num muted">{clock(chain.opened)}</span>
      <span>
        <b>Seen</b>
        {chain.seen > 1 ? `, ${chain.seen} times in all` : ""}
      </span>
    </li>
    {chain.attempts.map(({ at, helped, how, steps }, nth) => (
      <li key={nth} class={helped ? "is-ok" : "is-slow"}>
        <span class="num muted">{clock(at)}</span>
        <span>
          <b>{helped ? "Helped" : "Did not help"}</b>: <Steps steps={steps} />{" "}
          <span class="muted sm">{oneLine(how)}</span>
        </span>
      </li>
    ))}
    {chain.fix.length > 0 && (
      <li class="is-ok">
        <span class="num muted">{chain.proof === null ? "" : clock(chain.proof.at)}</span>
        <span>
          <b>Fix</b>: <Steps steps={chain.fix} />
        </span>
      </li>
    )}
  </ol>
)

const relations = {
  new: "It was never seen before.",
  recurrence: "It had ended once and came back.",
  "same pattern": "The same sort of mistake was met elsewhere before."
} as const

const Side = ({ chain }: { readonly chain: ChainRow | undefined }) => (
  <section class="side" aria-label="The chain" tabIndex={0}>
    {chain === undefined ? (
      <p class="muted">Choose one to see what was tried against it.</p>
    ) : (
      <>
        <h2>{oneLine(chain.problem)}</h2>
        <p>
          <ChainTag state={chain.state} />{" "}
          <span class="note">
            {chain.family}, {agentName(chain.agent)} in {projectName(chain.project)}
          </span>
        </p>
        <p class="note">
          {relations[chain.relation]}{" "}
          {chain.earlier !== null && (
            <a class="link" href={addressOf(["chains"], { sel: chain.earlier })}>
              The earlier one
            </a>
          )}
        </p>
        <h3>What happened</h3>
        <Course chain={chain} />
        <h3>Is it gone?</h3>
        <Gone chain={chain} />
        {chain.session !== null && (
          <p>
            <a
              class="link"
              href={addressOf(["session", chain.session], { sel: chain.sightings[0]?.toolUse ?? null })}
            >
              Session {shortSession(chain.session)}, where it was seen
            </a>
          </p>
        )}
        <h3>In the terminal</h3>
        <code class="cmd">hooktape chains show {chain.chain}</code>
      </>
    )}
  </section>
)

const label = "Chains"

const Row = ({
  chain,
  id,
  isSelected
}: {
  readonly chain: ChainRow | undefined
  readonly id: string
  readonly isSelected: boolean
}) =>
  chain === undefined ? (
    <div class="crow" id={id} role="option" aria-selected={isSelected} aria-label="Not read yet" />
  ) : (
    <div class="crow" id={id} role="option" aria-selected={isSelected}>
      <span class="num muted">{dayed(chain.opened)}</span>
      <AgentChip agent={chain.agent} />
      <span class="ell" title={chain.problem}>
        {oneLine(chain.problem)}
      </span>
      <span>
        <ChainTag state={chain.state} />
      </span>
      <span class="muted sm r">
        {counted(chain.attempts.length, "attempt")}
        {chain.grade === null ? "" : `, grade ${chain.grade}`}
      </span>
    </div>
  )

const filters: readonly (readonly [State | "", string])[] = [
  ["", "All"],
  ["open", "Open"],
  ["resolved", "Resolved"],
  ["suppressed", "Switched off"],
  ["abandoned", "Left"]
]

const sentenceOf = ({ states }: Chains): string => {
  const of = (...names: readonly State[]): number => names.reduce((sum, name) => sum + (states[name] ?? 0), 0)
  const [open, resolved] = [of("open", "attempted", "cleared"), of("resolved")]
  const all = Object.values(states).reduce((sum, many) => sum + many, 0)
  return `${counted(all, "problem")} seen: ${open} open, ${resolved} resolved.`
}

export const ChainsView = () => {
  const { project, sel, session, state = "" } = query.value
  const pages = usePages<ChainRow, Chains>(
    `chains ${state} ${project ?? ""} ${session ?? ""}`,
    tick.value,
    (offset, limit, upTo) =>
      ask("chains", {
        state,
        project,
        session,
        offset: String(offset),
        limit: String(limit),
        upTo: upTo?.toString()
      }),
    ({ chains }) => chains
  )
  const { error, part, total } = pages
  const found = Array.from({ length: Math.min(total, 500) }, (_, at) => at).find(
    (at) => pages.row(at)?.chain === sel
  )
  const at = sel === undefined || found === undefined ? null : found
  const pick = (to: number): void => {
    const chain = pages.row(to)
    if (chain !== undefined) select({ sel: chain.chain })
  }
  useKeys({
    j: () => pick(Math.min((at ?? -1) + 1, total - 1)),
    k: () => pick(Math.max((at ?? 1) - 1, 0))
  })
  if (error !== undefined && part === undefined)
    return (
      <div class="view">
        <Failed error={error} again={() => location.reload()} />
      </div>
    )
  if (part === undefined)
    return (
      <div class="view">
        <Waiting say="Reading what tools showed" />
      </div>
    )
  const all = Object.values(part.states).reduce((sum, many) => sum + many, 0)
  return (
    <div class="view fill">
      <div class="tbar">
        <h2 class="b">{sentenceOf(part)}</h2>
        <span class="sp" />
        {session !== undefined && (
          <button type="button" class="btn" onClick={() => select({ session: null })}>
            session {shortSession(session)} ×
          </button>
        )}
        <div class="seg" role="group" aria-label="Which chains">
          {filters.map(([one, name]) => (
            <button
              type="button"
              key={one}
              aria-pressed={state === one}
              onClick={() => select({ state: one, sel: null })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      {total === 0 ? (
        <Empty title={all === 0 ? "No problem was seen." : "No chain matches."}>
          <p>
            {all === 0
              ? "A failing test, a type error, a command that is missing: the first output that shows one opens a chain. Past sessions come in with:"
              : `${counted(all, "chain")} on the log. The filter leaves none.`}
          </p>
          {all === 0 ? (
            <code>hooktape import</code>
          ) : (
            <button
              type="button"
              class="btn"
              onClick={() => select({ state: null, session: null, project: null })}
            >
              Show all chains
            </button>
          )}
        </Empty>
      ) : (
        <div class="sess">
          <div>
            <Rows
              label={label}
              total={total}
              height={33}
              selected={at}
              onSelect={pick}
              onOpen={pick}
              onSight={pages.onSight}
              row={(nth) => <Row chain={pages.row(nth)} id={rowId(label, nth)} isSelected={nth === at} />}
            />
          </div>
          <Chosen sel={sel} listed={at === null ? undefined : pages.row(at)} />
        </div>
      )}
    </div>
  )
}

/** One that a link names may stand far down in the list: it is asked for by its id. */
const Chosen = ({
  listed,
  sel
}: {
  readonly sel: string | undefined
  readonly listed: ChainRow | undefined
}) => {
  const asked = useAsk(`chain ${listed === undefined ? (sel ?? "") : ""}`, (signal) =>
    sel === undefined || listed !== undefined
      ? Promise.resolve(undefined)
      : ask("chains", { chain: sel, limit: "1" }, "", signal).then(({ chains }) => chains[0])
  )
  return <Side chain={listed ?? asked.value} />
}
