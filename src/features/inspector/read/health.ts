/** What doctor's last run said. Runs of earlier versions name only what was not as it should be. */
import type { OperatorFact } from "../../../../events/facts.ts"
import type { Health, HealthCheck } from "../contract/hooks.ts"
import { lastDoctorRun } from "./facts.ts"
import type { Source } from "./Source.ts"

type Ran = Extract<OperatorFact, { type: "DOCTOR_RAN" }>

const groups: readonly (readonly [HealthCheck["group"], RegExp])[] = [
  ["host", /host|client|launcher|loader|http|node|environment|switch/],
  ["log", /log|spool|seal|recording|room|state|key|sqlite|lost|left/],
  ["hooks", /build|hook|guard|handler|activity|queue|job|trust/]
]

const groupOf = (name: string): HealthCheck["group"] =>
  groups.find(([, pattern]) => pattern.test(name))?.[0] ?? "agents"

export const health = (source: Source): Health => {
  const fact = lastDoctorRun(source)
  if (fact === undefined || !fact.known) return { inspectedAt: null, checks: [], unnamed: 0 }
  const { checks, passed = [], problems } = fact.data as unknown as Ran
  return {
    inspectedAt: fact.at,
    checks: [
      ...problems.map(
        ({ fix, message, name, status }): HealthCheck => ({
          group: groupOf(name),
          name,
          status: status === "fail" ? "fail" : "warn",
          message,
          fix: fix ?? null
        })
      ),
      ...passed.map(
        ({ message, name }): HealthCheck => ({ group: groupOf(name), name, status: "ok", message, fix: null })
      )
    ],
    unnamed: Math.max(0, checks - problems.length - passed.length)
  }
}

/** Null where it never ran. */
export const unwell = (source: Source): number | null => {
  const { checks, inspectedAt } = health(source)
  return inspectedAt === null ? null : checks.filter(({ status }) => status !== "ok").length
}
