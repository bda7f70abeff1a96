/** What became of calls: each on the log exactly once, with the answer that its sender heard. */
import type { Recorded } from "../../../events/Recorded.ts"
import { replacedBy } from "../../../src/history/calls.ts"
import { dataOf, type Fired, type Run } from "../entrypoint.ts"

/** One call as its sender saw it. */
export interface Sent {
  readonly id: string
  readonly fired: Pick<Fired, "code" | "stdout" | "stderr">
  readonly ms: number
}

/** The reply of `answers` to a call with this id. */
export const answerTo = (id: string): string =>
  `${JSON.stringify({ hookSpecificOutput: { additionalContext: `SAID ${id}`, hookEventName: "PreToolUse" } })}\n`

/** Answers each call with its own id, after an instant in which its host can die. */
export const answers = `import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "answers", on: "tool.before", run: async ({ payload }) => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  return modelContext("SAID " + payload["tool_use_id"])
} })
`

/** Remembers every call whose command says so, after its reply. */
export const learns = `import { appendFileSync } from "node:fs"
import { defineHook } from "hooktape"
export default defineHook({ name: "learns", on: "tool.before", background: true, when: { command: /^learn/ }, run: ({ payload }) => {
  appendFileSync(process.env["HOME"] + "/learnt", payload["tool_use_id"] + "\\n")
} })
`

export interface Tally {
  /** Ids of calls that are not on the log, or whose answer there is not what was heard. */
  readonly missing: readonly string[]
  readonly twice: readonly string[]
  readonly otherwise: readonly string[]
  /** Invocations that another one took the place of, by how far they had come. */
  readonly replaced: { readonly begun: number; readonly ended: number }
  readonly byHost: number
  readonly byEntry: number
}

/** Each call counts by the invocation that stands for it. */
export const tally = (runs: readonly Run[], sent: readonly Sent[]): Tally => {
  const opened = runs.flatMap(({ facts }) => facts.filter(({ type }) => type === "INVOCATION_OPENED"))
  const replaced = replacedBy(opened)
  const standing = new Map<string, Run[]>()
  const counts = { begun: 0, ended: 0 }
  for (const run of runs) {
    if (replaced.has(`invocation/${run.id}`)) {
      counts[run.types.includes("EXITED") ? "ended" : "begun"]++
      continue
    }
    const id = dataOf(run, "PAYLOAD_BUFFERED")[0]?.toolUseId ?? ""
    standing.set(id, [...(standing.get(id) ?? []), run])
  }
  const one = (id: string) => standing.get(id)?.[0]
  const isWhole = ({ id, fired }: Sent): boolean => {
    const run = one(id)
    const told = run && dataOf(run, "REPLY_DELIVERED")[0]
    return run?.types.at(-1) === "EXITED" && told?.stdout === fired.stdout && told.exitCode === fired.code
  }
  const via = (transport: string) =>
    sent.filter(({ id }) => {
      const run = one(id)
      return run && dataOf(run, "INVOCATION_OPENED")[0]?.transport === transport
    }).length
  return {
    missing: sent.filter(({ id }) => !standing.has(id)).map(({ id }) => id),
    twice: sent.filter(({ id }) => (standing.get(id)?.length ?? 0) > 1).map(({ id }) => id),
    otherwise: sent.filter((call) => standing.has(call.id) && !isWhole(call)).map(({ id }) => id),
    replaced: counts,
    byHost: via("socket"),
    byEntry: via("entry")
  }
}

/** How often each job came to success. */
export const successes = (facts: readonly Recorded[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { stream, type } of facts) {
    if (type === "JOB_ENQUEUED") times.set(stream, times.get(stream) ?? 0)
    if (type === "JOB_SUCCEEDED") times.set(stream, (times.get(stream) ?? 0) + 1)
  }
  return times
}
