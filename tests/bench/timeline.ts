/** How long it takes to look back: a log of many calls, its timeline made, the newest page of it, and searches. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { InvocationFact } from "../../events/facts.ts"
import { type InvocationId, type SessionId, uuidv7 } from "../../events/ids.ts"
import { listHooks } from "../../src/features/inspector/read/hooks.ts"
import { metrics } from "../../src/features/inspector/read/metrics.ts"
import { numbers } from "../../src/features/inspector/read/numbers.ts"
import type { Source } from "../../src/features/inspector/read/Source.ts"
import { listSessions } from "../../src/features/inspector/read/sessions.ts"
import { status } from "../../src/features/inspector/read/status.ts"
import { window } from "../../src/features/inspector/read/window.ts"
import { openMetrics } from "../../src/features/metrics/catchUp.ts"
import { openTimeline } from "../../src/features/timeline/catchUp.ts"
import { type CallQuery, findCalls } from "../../src/features/timeline/find.ts"
import { healthOf, standingSince } from "../../src/features/timeline/standing.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { type RedactedDraft, redactDraft } from "../../src/redact/redact.ts"
import { makeRecorder } from "../../src/runtime/recorder.ts"

export interface Looked {
  readonly name: string
  /** Of several looks the median. */
  readonly ms: number
  readonly mostMs?: number
}

const random = (count: number) => Uint8Array.from({ length: count }, () => Math.random() * 256)
/** How long ago what is made now happened: agents make a call every ten seconds, night and day. */
let ago = 0
const everyMs = 10_000
const sources = { now: () => Date.now() - ago, random }
const project = "/home/someone/src/project"
const words = [
  "git push",
  "npm",
  "test",
  "build",
  "docs",
  "src/app.ts",
  "--watch",
  "vitest",
  "grep -rn",
  "curl"
]
const perSession = 300
const perTurn = 20

interface Place {
  readonly session: string
  readonly turn: string
}

const pick = (nth: number): string => words[nth % words.length] ?? ""

/** The facts of the nth call, one of fifty of them blocked: a tool call is asked about before and after. */
const oneCall = (nth: number, { session, turn }: Place): readonly RedactedDraft[] => {
  const invocation = uuidv7(sources.now(), random(10)) as InvocationId
  const [agentEvent, event] = nth % 2 === 0 ? ["PreToolUse", "tool.before"] : ["PostToolUse", "tool.after"]
  const dress = makeRecorder(sources, invocation, { agent: "claude-code", agentEvent, project })
  const command = `${pick(nth)} ${pick(nth >> 2)} ${pick(nth >> 4)} ${pick(nth >> 6)} ${nth >> 1}`
  const use = `toolu_${nth >> 1}`
  const input = { session_id: session, prompt_id: turn, tool_name: "Bash", tool_input: { command } }
  const payload = JSON.stringify({ ...input, tool_use_id: use })
  const isBlocked = nth % 50 === 0
  const handler = { handler: isBlocked ? "no-force-push" : "guard", event, index: 0, attempt: 1 }
  const reason = `Use --force-with-lease instead of: ${command}`
  const facts: readonly InvocationFact[] = [
    {
      type: "INVOCATION_OPENED",
      invocation,
      agent: "claude-code",
      agentEvent,
      transport: "socket",
      cwd: project,
      project,
      env: {},
      runtime: "node",
      deadlineMs: 5000,
      call: uuidv7(sources.now(), random(10))
    },
    {
      type: "PAYLOAD_BUFFERED",
      bytes: payload.length,
      payload,
      session: session as SessionId,
      toolUseId: use,
      tool: { kind: "shell", name: "Bash", command, input: null },
      events: [{ event: event as "tool.before", data: {} }]
    },
    { type: "HANDLERS_PLANNED", handlers: [], left: [] },
    { type: "HANDLER_STARTED", ...handler },
    nth % 100 === 1
      ? {
          type: "HANDLER_FAILED",
          ...handler,
          error: { name: "Error", message: "boom" },
          policy: "allow",
          ms: 1
        }
      : {
          type: "HANDLER_SUCCEEDED",
          ...handler,
          intents: isBlocked ? [{ type: "BLOCKING_FEEDBACK", reason }] : [],
          ms: 1 + (nth % 7) / 3
        },
    {
      type: "REPLY_DELIVERED",
      stdout: "",
      stderr: "",
      exitCode: 0,
      channels: isBlocked
        ? [{ intent: "BLOCKING_FEEDBACK", handler: handler.handler, channel: "stdout: decision" }]
        : []
    },
    { type: "EXITED", code: 0, ms: { buffering: 1, handling: 2, emitting: 0.3 } }
  ]
  return facts.map((fact) => redactDraft(dress(fact)))
}

const fill = (file: string, calls: number): Promise<void> =>
  Effect.gen(function* () {
    const log = yield* EventLog
    let place: Place = { session: "", turn: "" }
    for (let made = 0; made < calls; made += 200) {
      const batches = Array.from({ length: 200 }, (_, at) => {
        const nth = made + at
        if (nth % perSession === 0) place = { ...place, session: uuidv7(sources.now(), random(10)) }
        if (nth % perTurn === 0) place = { ...place, turn: uuidv7(sources.now(), random(10)) }
        ago = (calls - nth) * everyMs
        const drafts = oneCall(nth, place)
        return { stream: drafts[0]?.stream ?? "", expected: "any" as const, drafts: drafts as never }
      })
      yield* log.appendMany(batches)
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "bench" })), Effect.scoped, Effect.runPromise)

const timed = (work: () => unknown): number => {
  const began = performance.now()
  work()
  return performance.now() - began
}

const rounds = 9

const median = (work: () => unknown): number =>
  Array.from({ length: rounds }, () => timed(work)).toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN

const page = 200
const pageMs = 50
const searchMs = 200
/** Asked while calls come, on the thread that tells of them. */
const oftenMs = 20

/** Of so many invocations. */
export const measureTimeline = async (calls: number): Promise<readonly Looked[]> => {
  const directory = mkdtempSync(join(tmpdir(), "hooktape-timeline-"))
  const file = join(directory, "log.sqlite")
  try {
    await fill(file, calls)
    const steps = openTimeline(file, { most: 2000 })
    const made = timed(() => {
      while (steps.step());
    })
    steps.close()
    const db = new Sqlite(file, { readonly: true })
    const asked = { prepare: (sql: string) => db.prepare<unknown[]>(sql) }
    const now = Date.now()
    const look = (name: string, query: CallQuery, mostMs: number): Looked => ({
      name,
      ms: median(() => findCalls(asked, { ...query, limit: page }, now)),
      mostMs
    })
    const [newest] = findCalls(asked, { limit: 1 }, now)
    const id = newest?.invocation ?? ""
    const looked: readonly Looked[] = [
      { name: `timeline of ${calls} calls made`, ms: made },
      look("newest page", {}, pageMs),
      look("page in the middle", { before: (newest?.position ?? 0) / 2 }, pageMs),
      look("search: subject", { text: "git push" }, searchMs),
      look("search: one of them", { text: String((calls >> 1) - 7) }, searchMs),
      look("search: nothing there", { text: "zzzz" }, searchMs),
      look("search: two characters", { text: "zz" }, searchMs),
      look("search: reason", { text: "force-with-lease" }, searchMs),
      look("search: id", { text: id.slice(-8) }, searchMs),
      look("by hook, rare", { hook: "no-force-push" }, searchMs),
      look("by hook, common", { hook: "guard" }, searchMs),
      look("blocked", { blocked: true }, searchMs),
      { name: "where things stand", ms: median(() => standingSince(asked, 0, now)) },
      { name: "how hooks do", ms: median(() => healthOf(asked, { since: 0 })) }
    ]
    const metricSteps = openMetrics(file, { most: 2000 })
    while (metricSteps.step());
    metricSteps.close()
    const source: Source = { db: asked, state: directory, now: newest?.at ?? now, version: "0" }
    const onPage = (name: string, ask: () => unknown, mostMs?: number): Looked => ({
      name: `page: ${name}`,
      ms: median(ask),
      ...(mostMs === undefined ? {} : { mostMs })
    })
    const lanesIn = (span: number): void => {
      const { lanes } = window(source, { span })
      if (lanes.length === 0) throw new Error("nobody was at work in the window")
    }
    const asks: readonly Looked[] = [
      onPage("status", () => status(source, { agents: [], host: null, onlyLooks: true }), oftenMs),
      onPage("numbers", () => numbers(source, {}), oftenMs),
      onPage("three minutes", () => lanesIn(180_000), oftenMs),
      onPage("an hour", () => lanesIn(3_600_000)),
      onPage("sessions", () => listSessions(source, {})),
      onPage("hooks", () => listHooks(source, {})),
      onPage("metrics", () => metrics(source, {}))
    ]
    db.close()
    return [...looked, ...asks]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
