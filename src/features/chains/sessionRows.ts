/**
 * What is kept of each session while its problems are followed: the calls that go on, and a row for each thing that was done. Within a round it is in
 * memory, where every fact asks for it, and what has changed is written once.
 */
import type { Database } from "better-sqlite3"
import type { ChainStore } from "./follow.ts"
import type { SessionCalls } from "./SessionCalls.ts"
import type { Step } from "./Step.ts"
import { scopeKey } from "./scopeKey.ts"

export const parsed = <A>(text: string): A => JSON.parse(text) as A

interface HeldCalls {
  readonly calls: SessionCalls | undefined
  readonly isNew: boolean
}

interface HeldSteps {
  /** In order. */
  all: readonly Step[]
  readonly added: Set<Step>
  /** What stands in the table before this count is no more. */
  forgotten: number
}

export interface SessionRows
  extends Pick<ChainStore, "calls" | "putCalls" | "addStep" | "stepsFrom" | "forgetSteps"> {
  /** Writes what was held, and holds nothing more. */
  readonly flush: () => void
  /** Of a scope whose rows were taken away. */
  readonly drop: (scope: string) => void
}

/** `steps`: the table of what was done (scope, n, step). `readCalls` is asked for a scope; `writeCalls` is given a scope and its calls. */
export const sessionRows = (
  db: Database,
  {
    readCalls,
    steps,
    writeCalls
  }: { readonly steps: string; readonly readCalls: string; readonly writeCalls: string }
): SessionRows => {
  const texts = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const callsOf = texts(readCalls)
  const putCalls = db.prepare(writeCalls)
  const addStep = db.prepare(`INSERT OR REPLACE INTO ${steps} VALUES (?, ?, ?)`)
  const stepsOf = texts(`SELECT step FROM ${steps} WHERE scope = ? ORDER BY n`)
  const forgetSteps = db.prepare(`DELETE FROM ${steps} WHERE scope = ? AND n < ?`)
  const heldCalls = new Map<string, HeldCalls>()
  const heldSteps = new Map<string, HeldSteps>()

  const callsIn = (scope: string): SessionCalls | undefined => {
    const held = heldCalls.get(scope)
    if (held !== undefined) return held.calls
    const text = callsOf.get(scope)
    const calls = text === undefined ? undefined : parsed<SessionCalls>(text)
    heldCalls.set(scope, { calls, isNew: false })
    return calls
  }

  const stepsIn = (scope: string): HeldSteps => {
    const held = heldSteps.get(scope)
    if (held !== undefined) return held
    const all = stepsOf.all(scope).map((text) => parsed<Step>(text))
    const read: HeldSteps = { all, added: new Set(), forgotten: 0 }
    heldSteps.set(scope, read)
    return read
  }

  const writeSteps = (scope: string, { added, all, forgotten }: HeldSteps): void => {
    if (forgotten > 0) forgetSteps.run(scope, forgotten)
    if (added.size === 0) return
    for (const step of all) if (added.has(step)) addStep.run(scope, step.n, JSON.stringify(step))
  }

  return {
    calls: (scope) => callsIn(scopeKey(scope)),
    putCalls: (scope, calls) => void heldCalls.set(scopeKey(scope), { calls, isNew: true }),
    addStep: (scope, step) => {
      const held = stepsIn(scopeKey(scope))
      held.all = [...held.all.filter(({ n }) => n !== step.n), step].sort((a, b) => a.n - b.n)
      held.added.add(step)
    },
    stepsFrom: (scope, from) => stepsIn(scopeKey(scope)).all.filter(({ n }) => n >= from),
    forgetSteps: (scope, before) => {
      const held = stepsIn(scopeKey(scope))
      const [first] = held.all
      if (first === undefined || first.n >= before) return
      held.all = held.all.filter(({ n }) => n >= before)
      held.forgotten = Math.max(held.forgotten, before)
    },
    flush: () => {
      for (const [scope, { calls, isNew }] of heldCalls) if (isNew) putCalls.run(scope, JSON.stringify(calls))
      for (const [scope, held] of heldSteps) writeSteps(scope, held)
      heldCalls.clear()
      heldSteps.clear()
    },
    drop: (scope) => {
      heldCalls.delete(scope)
      heldSteps.delete(scope)
    }
  }
}
