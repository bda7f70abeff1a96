/** What needs somebody: the checks of doctor's last run. One that found nothing looks inspected, not empty. */
import type { Health, HealthCheck } from "../../../features/inspector/contract/hooks.ts"
import { ask } from "../core/api.ts"
import { counted, dayed } from "../core/format.ts"
import { addressOf } from "../core/router.ts"
import { tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { Mark } from "../parts/icons.tsx"
import { Empty, Shown } from "../parts/say.tsx"

const groups: readonly (readonly [HealthCheck["group"], string])[] = [
  ["agents", "The agents reach us"],
  ["host", "The host runs"],
  ["log", "The log keeps"],
  ["hooks", "Your hooks and jobs"]
]

const Needs = ({ checks }: { readonly checks: readonly HealthCheck[] }) => (
  <section class="card">
    <div class="hd">
      <h2>What needs you</h2>
      <span class="note">look at these first</span>
    </div>
    {checks.map(({ fix, invocation, message, name, status }) => (
      <div class="hl" key={`${name} ${message}`}>
        <span class={status === "fail" ? "is-failed" : "is-slow"}>
          <Mark sign={status === "fail" ? "failed" : "warn"} />
          <span class="hidden">{status}</span>
        </span>
        <b>{name}</b>
        <span>{message}</span>
        <span>
          {invocation !== undefined && (
            <a class="btn" href={addressOf(["call", invocation])}>
              Look at the last one
            </a>
          )}{" "}
          {fix !== null && <code class="cmd">{fix}</code>}
        </span>
      </div>
    ))}
  </section>
)

const Passed = ({
  checks,
  group,
  title
}: {
  readonly group: HealthCheck["group"]
  readonly title: string
  readonly checks: readonly HealthCheck[]
}) => {
  const all = checks.filter((check) => check.group === group)
  const fine = all.filter(({ status }) => status === "ok")
  if (fine.length === 0) return null
  return (
    <section class="card">
      <div class="hd">
        <h2>{title}</h2>
        <span class="note">
          {fine.length} of {all.length} fine
        </span>
      </div>
      {fine.map(({ message, name }) => (
        <div class="hc" key={`${name} ${message}`}>
          <span class="is-ok">
            <Mark sign="ok" />
            <span class="hidden">fine</span>
          </span>
          <b>{name}</b>
          <span class="muted">{message}</span>
        </div>
      ))}
    </section>
  )
}

const Verdict = ({ checks, inspectedAt, unnamed }: Health) => {
  const all = checks.length + unnamed
  const rest = checks.filter(({ status }) => status !== "ok").length
  return (
    <div class="lead">
      <span class={`badge ${rest === 0 ? "ok" : "late"}`}>
        <Mark sign={rest === 0 ? "ok" : "warn"} />
      </span>
      <div class="grow">
        <h2 class="big">
          {rest === 0
            ? `All ${counted(all, "check")} are fine.`
            : `${all - rest} of ${counted(all, "check")} are fine. ${rest} ${rest === 1 ? "needs" : "need"} you.`}
        </h2>
        <p class="muted">
          {inspectedAt === null ? "" : `Inspected at ${dayed(inspectedAt)}.`} Looking again is for a terminal,
          since it sends a probe through each agent’s registered command:
        </p>
        <p>
          <code class="cmd">hooktape doctor</code>
        </p>
      </div>
    </div>
  )
}

export const HealthView = () => {
  const asked = useAsk("health", (signal) => ask("health", {}, "", signal), tick.value)
  return (
    <section class="view" aria-label="What was inspected" tabIndex={0}>
      <Shown asked={asked} waiting="Reading the last inspection">
        {(health) =>
          health.inspectedAt === null ? (
            <Empty title="Nothing was inspected yet.">
              <p>
                Doctor looks at the agents’ settings, the host and the log, and sends a probe through each
                registered command:
              </p>
              <code>hooktape doctor</code>
            </Empty>
          ) : (
            <div class="pad">
              <Verdict {...health} />
              {health.checks.some(({ status }) => status !== "ok") && (
                <Needs checks={health.checks.filter(({ status }) => status !== "ok")} />
              )}
              {health.unnamed > 0 && (
                <p class="muted">
                  {counted(health.unnamed, "check")} more found everything as it should be; the log of that
                  run does not name them, a new one in a terminal does.
                </p>
              )}
              <div class="hcols">
                {groups.map(([group, title]) => (
                  <Passed key={group} group={group} title={title} checks={health.checks} />
                ))}
              </div>
            </div>
          )
        }
      </Shown>
    </section>
  )
}
