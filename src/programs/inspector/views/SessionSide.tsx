/** Beside a session: what each hook cost it, chains from problem to fix, checkpoints, subagents. */
import type { SessionDetail } from "../../../features/inspector/contract/session.ts"
import { clock, counted, oneLine, span } from "../core/format.ts"
import { addressOf } from "../core/router.ts"
import { ChainTag } from "../parts/ChainTag.tsx"
import { isSlow } from "../parts/outcomes.tsx"

const Costs = ({ detail: { hooks } }: { readonly detail: SessionDetail }) => (
  <section>
    <h2>What each hook cost</h2>
    {hooks.length === 0 && <p class="muted">No hook of hooktape ran in this session.</p>}
    {hooks.length > 0 && (
      <table class="mini">
        <thead>
          <tr>
            <th>Hook</th>
            <th class="r">Runs</th>
            <th class="r">Together</th>
            <th class="r">Slowest</th>
          </tr>
        </thead>
        <tbody>
          {hooks.map(({ blocked, failed, hook, ms, runs, slowestMs }) => (
            <tr key={hook}>
              <td>
                <a class="link" href={addressOf(["hooks"], { hook })}>
                  {hook}
                </a>
                {blocked > 0 && <span class="is-blocked sm"> {blocked} blocked</span>}
                {failed > 0 && <span class="is-failed sm"> {failed} failed</span>}
              </td>
              <td class="r">{runs}</td>
              <td class="r">{span(ms)}</td>
              <td class={`r ${isSlow(slowestMs) ? "is-slow" : ""}`}>{span(slowestMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)

const Chains = ({ detail }: { readonly detail: SessionDetail }) => {
  const { chains, checks } = detail
  if (chains === undefined) return null
  const looked = checks.green + checks.red + checks.unknown
  return (
    <section>
      <h2>
        From problem to fix <span class="note">{counted(chains.length, "chain")}</span>
      </h2>
      {chains.length === 0 && (
        <p class="muted">
          No error was seen. {counted(looked, "check")} {looked === 1 ? "was" : "were"} looked at.
        </p>
      )}
      {chains.map(({ attempts, chain, fix, grade, problem, seen, state }) => (
        <div class="chain" key={chain}>
          <ChainTag state={state} />{" "}
          <span class="note">
            {counted(attempts.length, "attempt")}, seen {seen}×{grade === null ? "" : `, grade ${grade}`}
          </span>
          <ul>
            <li class="is-blocked b">
              <a href={addressOf(["chains"], { session: detail.session.session, sel: chain })}>
                {oneLine(problem)}
              </a>
            </li>
            {attempts.map(({ helped, what }, at) => (
              <li key={at} class={helped ? "" : "muted"}>
                {what.join(", ")}
                {helped ? "" : " did not help"}
              </li>
            ))}
            {fix.length > 0 && <li class="is-ok b">{fix.join(", ")}</li>}
          </ul>
        </div>
      ))}
    </section>
  )
}

const Checkpoints = ({ detail: { checkpoints } }: { readonly detail: SessionDetail }) =>
  checkpoints.length === 0 ? null : (
    <section>
      <h2>Checkpoints</h2>
      {checkpoints.map(({ at, checkpoint, quality, reasons, trigger }) => (
        <p key={checkpoint}>
          <span class="num muted">{clock(at)}</span> <b>{quality}</b> of 100, {trigger}
          {reasons[0] !== undefined && <span class="muted">: {reasons[0]}</span>}
        </p>
      ))}
    </section>
  )

const Subagents = ({ detail: { subagents } }: { readonly detail: SessionDetail }) =>
  subagents.length === 0 ? null : (
    <section>
      <h2>Subagents</h2>
      {subagents.map(({ began, calls, last, subagent }) => (
        <p key={subagent}>
          <span class="num muted">{clock(began)}</span> <code>{subagent.slice(-8)}</code>{" "}
          {counted(calls, "call")}, {span(last - began)}
        </p>
      ))}
    </section>
  )

export const SessionSide = ({ detail }: { readonly detail: SessionDetail }) => (
  <section class="side" aria-label="About the session" tabIndex={0}>
    <Costs detail={detail} />
    <Chains detail={detail} />
    <Checkpoints detail={detail} />
    <Subagents detail={detail} />
    <section>
      <h2>Its figures</h2>
      <a class="link" href={addressOf(["metrics"], { session: detail.session.session, days: "all" })}>
        Metrics of this session
      </a>
    </section>
    <section>
      <h2>To print</h2>
      <p class="muted">This writes the session as one file:</p>
      <code class="cmd">hooktape report {detail.session.session.slice(0, 8)}</code>
    </section>
  </section>
)
