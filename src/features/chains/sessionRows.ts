/** What is kept of each session while its problems are followed: the calls that go on, and a row for each thing that was done. */
import type { Database } from "better-sqlite3"
import type { ChainStore } from "./follow.ts"
import type { SessionCalls } from "./SessionCalls.ts"
import type { Step } from "./Step.ts"
import { scopeKey } from "./scopeKey.ts"

export const parsed = <A>(text: string): A => JSON.parse(text) as A

/** `steps`: the table of what was done (scope, n, step). `readCalls` is asked for a scope; `writeCalls` is given a scope and its calls. */
export const sessionRows = (
  db: Database,
  {
    readCalls,
    steps,
    writeCalls
  }: { readonly steps: string; readonly readCalls: string; readonly writeCalls: string }
): Pick<ChainStore, "calls" | "putCalls" | "addStep" | "stepsFrom" | "forgetSteps"> => {
  const texts = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const callsOf = texts(readCalls)
  const putCalls = db.prepare(writeCalls)
  const addStep = db.prepare(`INSERT OR REPLACE INTO ${steps} VALUES (?, ?, ?)`)
  const stepsFrom = texts(`SELECT step FROM ${steps} WHERE scope = ? AND n >= ? ORDER BY n`)
  const forgetSteps = db.prepare(`DELETE FROM ${steps} WHERE scope = ? AND n < ?`)
  return {
    calls: (scope) => {
      const text = callsOf.get(scopeKey(scope))
      return text === undefined ? undefined : parsed<SessionCalls>(text)
    },
    putCalls: (scope, calls) => void putCalls.run(scopeKey(scope), JSON.stringify(calls)),
    addStep: (scope, step) => void addStep.run(scopeKey(scope), step.n, JSON.stringify(step)),
    stepsFrom: (scope, n) => stepsFrom.all(scopeKey(scope), n).map((text) => parsed<Step>(text)),
    forgetSteps: (scope, before) => void forgetSteps.run(scopeKey(scope), before)
  }
}
