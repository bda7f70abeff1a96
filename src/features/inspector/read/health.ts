/** What doctor's last run said. Only what was not as it should be is on the log by name. */
import type { Health, HealthCheck } from "../contract/hooks.ts"
import { lastDoctorRun } from "./facts.ts"
import type { Source } from "./Source.ts"

interface Ran {
  readonly checks: number
  readonly problems: readonly { readonly name: string; readonly status: string; readonly message: string }[]
}

const groups: readonly (readonly [HealthCheck["group"], RegExp])[] = [
  ["host", /host|client|launcher|loader|http/],
  ["log", /log|spool|seal|recording|room|state|key/],
  ["hooks", /build|hook|guard|handler|activity|queue|job/]
]

const groupOf = (name: string): HealthCheck["group"] =>
  groups.find(([, pattern]) => pattern.test(name))?.[0] ?? "agents"

const others = (many: number): HealthCheck => ({
  group: "log",
  name: many === 1 ? "one more check" : `${many} more checks`,
  status: "ok",
  message: "as it should be; hooktape doctor names each",
  fix: null
})

export const health = (source: Source): Health => {
  const fact = lastDoctorRun(source)
  if (fact === undefined || !fact.known) return { inspectedAt: null, checks: [] }
  const { checks, problems } = fact.data as unknown as Ran
  const fine = checks - problems.length
  return {
    inspectedAt: fact.at,
    checks: [
      ...problems.map(
        ({ message, name, status }): HealthCheck => ({
          group: groupOf(name),
          name,
          status: status === "fail" ? "fail" : "warn",
          message,
          fix: "hooktape doctor"
        })
      ),
      ...(fine > 0 ? [others(fine)] : [])
    ]
  }
}

/** Null where it never ran. */
export const unwell = (source: Source): number | null => {
  const { checks, inspectedAt } = health(source)
  return inspectedAt === null ? null : checks.filter(({ status }) => status !== "ok").length
}
