/** What the inspector's API would answer about a made-up log: the contract, without a host. */

import type { Call, CallDetail } from "../../../src/features/inspector/contract/call.ts"
import type { Answer } from "../../../src/features/inspector/contract/endpoints.ts"
import type { Bin, Kind } from "../../../src/features/inspector/contract/live.ts"
import type { FactRow } from "../../../src/features/inspector/contract/log.ts"
import { framesOf } from "../../../src/features/inspector/read/call.ts"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import { sampleChains } from "./chains.ts"
import { factsOfCall, payloadText } from "./facts.ts"
import type { Sample } from "./sample.ts"

type Asked = Readonly<Record<string, string | undefined>>

const num = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Number(text)

const isShown = ({ decision, outcome, waitMs }: Call, show: string | undefined): boolean => {
  switch (show) {
    case "blocked":
      return decision === "block"
    case "trouble":
    case "failed":
      return ["failed", "late", "lost"].includes(outcome)
    case "slow":
      return (waitMs ?? 0) >= 250
    case "effect":
      return outcome !== "silent" || (waitMs ?? 0) >= 250
    default:
      return true
  }
}

const hasText = ({ by, hooks, invocation, reason, subject, tool }: Call, text: string | undefined): boolean =>
  text === undefined ||
  [
    tool?.name,
    subject,
    by,
    reason,
    invocation,
    ...hooks.filter(({ said }) => said.length > 0).map(({ hook }) => hook)
  ]
    .join("\n")
    .toLowerCase()
    .includes(text.toLowerCase())

const kindOf = ({ outcome, waitMs }: Call): Kind =>
  outcome === "blocked" || outcome === "failed" || outcome === "late"
    ? outcome
    : (waitMs ?? 0) >= 250
      ? "slow"
      : outcome === "spoke"
        ? "spoke"
        : "silent"
const worstFirst: readonly Kind[] = ["blocked", "failed", "late", "slow", "spoke", "silent"]

const binned = (calls: readonly Call[], from: number, stepMs: number): readonly Bin[] => {
  const bins = new Map<number, Bin>()
  for (const call of calls) {
    const at = from + Math.floor((call.at - from) / stepMs) * stepMs
    const before = bins.get(at)
    const kind = kindOf(call)
    const worst =
      before !== undefined && worstFirst.indexOf(before.kind) < worstFirst.indexOf(kind) ? before.kind : kind
    bins.set(at, {
      at,
      kind: worst,
      calls: (before?.calls ?? 0) + 1,
      longestMs: Math.max(before?.longestMs ?? 0, call.waitMs ?? 0)
    })
  }
  return [...bins.values()]
}

const detailOf = (call: Call, older: Call | undefined, newer: Call | undefined): CallDetail => {
  const isBlocked = call.outcome === "blocked"
  const frames = framesOf(factsOfCall(call))
  let started = 1
  return {
    call,
    sentence: {
      kind: isBlocked ? "bad" : "quiet",
      text: isBlocked
        ? `${call.by} blocked ${call.tool?.name ?? ""} "${call.subject}"`
        : call.outcome === "failed"
          ? `${call.by} failed at ${call.tool?.name ?? ""} "${call.subject}"; the agent went on`
          : `${call.hooks.length} hooks ran and had nothing to say about ${call.tool?.name ?? call.agentEvent} "${call.subject}"`,
      reason: call.reason
    },
    opened: {
      transport: "socket",
      cwd: call.project ?? "/",
      runtime: "node 20",
      build: "5d1e",
      deadlineMs: 60_000,
      pid: 4242,
      route: null
    },
    states: [
      { state: "buffering", ms: 0.3 },
      { state: "handling", ms: (call.waitMs ?? 1) - 0.4 },
      { state: "emitting", ms: 0.1 },
      { state: "exiting", ms: 0 }
    ],
    frames,
    handlers: call.hooks.map((hook, index) => {
      const startMs = started
      started += (hook.ms ?? 0) + 0.3
      return {
        ...hook,
        index,
        startMs,
        policy: hook.outcome === "failed" ? "allow" : null,
        chain: null,
        services: [],
        error:
          hook.outcome === "failed"
            ? {
                name: "TypeError",
                message: hook.reason ?? "",
                stack: [
                  {
                    text: "collect (/home/dev/.config/hooktape/hooks/collect-failures.ts:14:21)",
                    isAuthors: true,
                    source: {
                      first: 12,
                      hit: 14,
                      lines: [
                        "  run: ({ tool }) => {",
                        "    const output = tool.output",
                        '    const lines = output.text.split("\\n")',
                        "    return lines.length",
                        "  }"
                      ]
                    }
                  },
                  { text: "run (hooktape)", isAuthors: false }
                ]
              }
            : null
      }
    }),
    left: [{ hook: "no-hard-reset", event: "tool.before", reason: "its command does not match" }],
    jobs: [],
    reached: isBlocked
      ? [{ whom: "the model", by: call.by ?? "", text: call.reason ?? "", how: "stderr, exit code 2" }]
      : [],
    payload: payloadText(call),
    rejected: null,
    bytes: 681,
    delivered: {
      stdout: "",
      stderr: isBlocked ? (call.reason ?? "") : "",
      exitCode: isBlocked ? 2 : 0,
      error: null
    },
    noise: [],
    older: older?.invocation ?? null,
    newer: newer?.invocation ?? null
  }
}

export const makeAnswers = (sample: Sample, began: number) => {
  const { calls, tools, turns } = sample
  const byId = new Map(calls.map((call, at) => [call.invocation, at]))
  const newest = [...calls].reverse()
  const first = calls[0]?.at ?? null
  const last = calls.at(-1)?.at ?? null
  const sessions = [...new Set(calls.map(({ session }) => session ?? ""))]
  const rowsOf = (session: string) => calls.filter((call) => call.session === session)
  const sessionRow = (session: string) => {
    const own = rowsOf(session)
    const mine = tools.filter((tool) => tool.session === session)
    return {
      session,
      agent: own[0]?.agent ?? "codex",
      project: own[0]?.project ?? null,
      began: own[0]?.at ?? 0,
      last: own.at(-1)?.at ?? 0,
      state: (last ?? 0) - (own.at(-1)?.at ?? 0) < 60_000 ? ("working" as const) : ("ended" as const),
      calls: own.length,
      turns: turns.filter((turn) => turn.session === session).length,
      tools: mine.length,
      blocked: own.filter(({ outcome }) => outcome === "blocked").length,
      failed: own.filter(({ outcome }) => outcome === "failed" || outcome === "late").length,
      waitedMs: own.reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0),
      title: turns.find((turn) => turn.session === session)?.prompt ?? null
    }
  }
  const paged = <A>(rows: readonly A[], asked: Asked) => {
    const offset = num(asked["offset"], 0)
    return {
      rows: rows.slice(offset, offset + num(asked["limit"], 200)),
      paging: { total: rows.length, upTo: sample.positions, offset }
    }
  }
  const status = (): Answer<"status"> => ({
    version: "0.1.0",
    now: Date.now(),
    position: sample.positions,
    calls: calls.length,
    sessions: sessions.length,
    openSessions: Math.min(3, sessions.length),
    failingHooks: calls.length === 0 ? 0 : 2,
    unwell: 1,
    agents: ["claude-code", "codex", "gemini-cli"],
    host: { pid: process.pid, state: "ready", since: began },
    first,
    last
  })
  const filters = new Map<string, readonly Call[]>()
  const matching = (asked: Asked): readonly Call[] => {
    const key = JSON.stringify([asked["show"], asked["session"], asked["text"], asked["hook"]])
    const known = filters.get(key)
    if (known !== undefined) return known
    const found = newest.filter(
      (call) =>
        isShown(call, asked["show"]) &&
        (asked["session"] === undefined || call.session === asked["session"]) &&
        (asked["hook"] === undefined || call.by === asked["hook"]) &&
        hasText(call, asked["text"])
    )
    filters.set(key, found)
    return found
  }
  /** Seven facts a call, as far as lists of facts go. */
  const factAt = (position: number): FactRow => {
    const call = calls[Math.min(calls.length - 1, Math.floor((position - 1) / 7))] as Call
    const nth = (position - 1) % 7
    const type = factsOfCall(call)[nth]?.type ?? "EXITED"
    return {
      position,
      at: call.at + nth,
      stream: `invocation/${call.invocation}`,
      type,
      known: true,
      says: `${call.tool?.name ?? call.agentEvent} ${call.subject}`,
      invocation: call.invocation,
      session: call.session
    }
  }
  const numbers = (): Answer<"numbers"> => {
    const of = (outcome: string) => calls.filter((call) => call.outcome === outcome).length
    return {
      calls: calls.length,
      sessions: sessions.length,
      openSessions: 3,
      blocked: of("blocked"),
      lastBlockedBy: newest.find(({ outcome }) => outcome === "blocked")?.by ?? null,
      failed: of("failed"),
      late: of("late"),
      lost: 0,
      failing: of("failed") > 0 ? ["collect-failures", "commit-gate"] : [],
      waitedMs: calls.reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0),
      waitedShare: 0.02,
      slow: calls.filter(({ waitMs }) => (waitMs ?? 0) >= 250).length,
      costliest: calls.length === 0 ? null : { hook: "types-after-edit", share: 0.54, p95: 1_530 }
    }
  }
  const windowOf = (asked: Asked): Answer<"window"> => {
    const to = num(asked["to"], last ?? began)
    const from = num(asked["from"], to - num(asked["span"], 180_000))
    const all = { from: first ?? from, to: Math.max(last ?? to, (first ?? from) + 1000) }
    const stepMs = Math.max(1, (all.to - all.from) / 240)
    const inside = calls.filter(
      ({ at, session }) =>
        at >= from && at <= to && (asked["session"] === undefined || session === asked["session"])
    )
    const laneStep = Math.max(1, (to - from) / 240)
    const isCrowded = inside.length > 1_500
    const delays = new Map<string, { ms: number; runs: number; slowestMs: number }>()
    for (const { hooks } of inside)
      for (const { hook, ms } of hooks) {
        const before = delays.get(hook) ?? { ms: 0, runs: 0, slowestMs: 0 }
        delays.set(hook, {
          ms: before.ms + (ms ?? 0),
          runs: before.runs + 1,
          slowestMs: Math.max(before.slowestMs, ms ?? 0)
        })
      }
    return {
      from,
      to,
      map: { ...all, stepMs, bins: binned(calls, all.from, stepMs) },
      stepMs: laneStep,
      lanes: [...new Set(inside.map(({ session }) => session ?? ""))].slice(0, 12).map((session) => {
        const own = inside.filter((call) => call.session === session)
        return {
          session,
          agent: own[0]?.agent ?? "",
          project: own[0]?.project ?? null,
          state: "working" as const,
          last: own.at(-1)?.at ?? to,
          waitedMs: own.reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0),
          prompts: turns
            .filter((turn) => turn.session === session && turn.began <= to && turn.last >= from)
            .map((turn) => ({ turn: turn.turn, text: turn.prompt, from: turn.began, to: turn.last })),
          tools: isCrowded
            ? null
            : tools.filter((tool) => tool.session === session && tool.from <= to && (tool.to ?? to) >= from),
          calls: isCrowded
            ? null
            : own
                .filter(({ tool }) => tool === null)
                .map(({ at, by, event, invocation, outcome, waitMs }) => ({
                  invocation,
                  at,
                  waitMs,
                  event,
                  outcome,
                  by
                })),
          bins: isCrowded ? binned(own, from, laneStep) : null
        }
      }),
      delays: [
        ...[...delays].map(([hook, one]) => ({ hook: hook as string | null, ...one })),
        { hook: null, ms: inside.length * 3, runs: inside.length, slowestMs: 12 }
      ].sort((a, b) => b.ms - a.ms),
      delayedCalls: inside.length
    }
  }
  const hooksAnswer = (): Answer<"hooks"> => {
    const names = [...new Set(calls.slice(0, 3_000).flatMap(({ hooks }) => hooks.map(({ hook }) => hook)))]
    const waitedMs = calls.reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0)
    return {
      from: first,
      to: last,
      waitedMs,
      own: { calls: calls.length, ms: calls.length * 3, share: 0.04, p50: 2.6, p95: 4.8 },
      hooks: names.map((hook) => {
        const runs = calls.slice(0, 3_000).flatMap(({ hooks }) => hooks.filter((one) => one.hook === hook))
        const ms = runs.map((one) => one.ms ?? 0).sort((a, b) => a - b)
        const histogram = Array.from({ length: 60 }, () => 0)
        for (const one of ms) {
          const bin = Math.max(0, Math.min(59, Math.floor((Math.log10(Math.max(one, 0.1)) + 1) * 10)))
          histogram[bin] = (histogram[bin] ?? 0) + 1
        }
        const sum = ms.reduce((all, one) => all + one, 0)
        return {
          hook,
          events: ["tool.before"],
          origin: hook === "guard-destructive" ? ("shipped" as const) : ("user" as const),
          source: `~/.config/hooktape/hooks/${hook}.ts`,
          priority: 400,
          background: false,
          runs: ms.length,
          blocked: runs.filter(({ decision }) => decision === "block").length,
          failed: runs.filter(({ outcome }) => outcome === "failed").length,
          late: runs.filter(({ outcome }) => outcome === "timed-out").length,
          p50: ms[Math.floor(ms.length / 2)] ?? null,
          p95: ms[Math.floor(ms.length * 0.95)] ?? null,
          max: ms.at(-1) ?? null,
          share: waitedMs === 0 ? null : Math.min(1, sum / waitedMs),
          histogram,
          trend: Array.from({ length: 24 }, (_, at) => ({
            ms: ms[(at * 7) % ms.length] ?? null,
            outcome: "ok" as const
          })),
          on: true,
          why: "on unless somebody says otherwise",
          lastError: null
        }
      })
    }
  }
  return {
    status,
    numbers,
    window: windowOf,
    calls: (asked: Asked): Answer<"calls"> => {
      const found = matching(asked)
      const { paging, rows } = paged(found, asked)
      return {
        ...paging,
        calls: rows,
        folds:
          asked["show"] === "effect"
            ? rows.slice(0, -1).map(({ position }, at) => ({
                before: position,
                calls: Math.max(0, Math.round((position - (rows[at + 1]?.position ?? position)) / 7) - 1),
                waitMs: 20
              }))
            : [],
        all: calls.length
      }
    },
    call: (_: Asked, invocation: string): Answer<"call"> | undefined => {
      const at = byId.get(invocation)
      const call = at === undefined ? undefined : calls[at]
      return call === undefined || at === undefined ? undefined : detailOf(call, calls[at - 1], calls[at + 1])
    },
    sessions: (asked: Asked): Answer<"sessions"> => {
      const { paging, rows } = paged([...sessions].reverse(), asked)
      return { ...paging, sessions: rows.map(sessionRow) }
    },
    session: (_: Asked, session: string): Answer<"session"> | undefined => {
      if (!sessions.includes(session)) return undefined
      const mine = tools.filter((tool) => tool.session === session)
      const checks = { green: 0, red: 0, unknown: 0 }
      for (const { verdict } of mine) if (verdict !== null) checks[verdict]++
      return {
        session: sessionRow(session),
        waitedShare: 0.016,
        checks,
        turns: turns.filter((turn) => turn.session === session),
        tools: mine.map((tool, at) => ({
          ...tool,
          ...(at > 2
            ? {}
            : {
                chains: [{ chain: "chain-1", part: (["problem", "attempt", "fix"] as const)[at] ?? "fix" }]
              }),
          ...(at === 3 ? { source: "transcript" as const, before: [], after: [], waitedMs: 0 } : {})
        })),
        omitted: 0,
        subagents: [],
        checkpoints: [
          { checkpoint: "c1", at: last ?? 0, quality: 72, trigger: "turn.stop", reasons: ["tests pass"] }
        ],
        chains: sampleChains(calls).map(({ attempts, chain, fix, grade, problem, seen, state }) => ({
          chain,
          state,
          problem,
          seen,
          attempts: attempts.map(({ helped, steps }) => ({ what: steps.map(({ what }) => what), helped })),
          fix: fix.map(({ what }) => what),
          grade
        })),
        tokens: { input: 120_400, output: 8_300, cached: 901_000, model: "a-model" },
        hooks: [
          { hook: "types-after-edit", runs: 9, blocked: 0, failed: 0, ms: 6_400, slowestMs: 1_120 },
          { hook: "guard-destructive", runs: 40, blocked: 2, failed: 0, ms: 60, slowestMs: 3 }
        ]
      }
    },
    actors: (): Answer<"actors"> => ({
      at: Date.now(),
      position: sample.positions,
      kinds: [
        {
          machine: "invocation",
          alive: 1,
          total: calls.length,
          states: { handling: 1 },
          actors: calls.slice(-1).map(({ invocation, session, subject }) => ({
            stream: `invocation/${invocation}`,
            state: "handling",
            since: Date.now() - 700,
            subject: subject ?? "",
            invocation,
            session
          })),
          known: "log",
          note: null
        },
        {
          machine: "job",
          alive: 1,
          total: 12,
          states: { running: 1, dead: 1 },
          actors: [
            {
              stream: "job/703cee30",
              state: "dead",
              since: Date.now() - 90_000,
              subject: "archive-edit, attempt 3 of 3",
              invocation: null,
              session: null
            }
          ],
          known: "log",
          note: null
        },
        {
          machine: "host",
          alive: 1,
          total: 2,
          states: { ready: 1 },
          actors: [
            {
              stream: "host/1",
              state: "ready",
              since: began,
              subject: `process ${process.pid}`,
              invocation: null,
              session: null
            }
          ],
          known: "log",
          note: null
        },
        {
          machine: "breaker",
          alive: 1,
          total: 1,
          states: { closed: 1 },
          actors: [],
          known: "log",
          note: "0 of 3 calls in a row unreachable"
        }
      ]
    }),
    history: (asked: Asked): Answer<"history"> => ({
      stream: asked["stream"] ?? "",
      machine: "job",
      subject: "archive-edit",
      steps: [
        ["JOB_ENQUEUED", "queued", "queued"],
        ["JOB_STARTED", "queued", "running"],
        ["JOB_FAILED", "running", "waiting"],
        ["JOB_STARTED", "waiting", "running"],
        ["JOB_DIED", "running", "dead"]
      ].map(([type = "", before = "", after = ""], at) => ({
        position: 100 + at,
        at: began + at * 1_300,
        type,
        before,
        after,
        refused: false,
        says: type === "JOB_FAILED" ? "connect ECONNREFUSED 127.0.0.1:9200" : ""
      }))
    }),
    hooks: hooksAnswer,
    jobs: (asked: Asked): Answer<"jobs"> => {
      const all =
        calls.length === 0
          ? []
          : Array.from({ length: 40 }, (_, at) => ({
              job: `job-${at}`,
              hook: at % 3 === 0 ? "archive-edit" : "session-summary",
              state: at % 9 === 0 ? ("dead" as const) : ("done" as const),
              attempts: at % 9 === 0 ? 3 : 1,
              ms: 170 + at,
              error: at % 9 === 0 ? "connect ECONNREFUSED 127.0.0.1:9200" : null,
              kind: "hook",
              position: 40 - at,
              at: (last ?? 0) - at * 5_000,
              project: "/home/dev/shop",
              invocation: calls[0]?.invocation ?? null,
              maxAttempts: 3,
              retryAt: null
            })).filter(({ state }) => asked["state"] === undefined || asked["state"] === state)
      const { paging, rows } = paged(all, asked)
      return { ...paging, jobs: rows, states: { done: 35, dead: 5 } }
    },
    health: (): Answer<"health"> => ({
      unnamed: 0,
      inspectedAt: began - 60_000,
      checks: [
        { group: "agents", name: "switch", status: "ok", message: "on", fix: null },
        {
          group: "agents",
          name: "claude-code",
          status: "ok",
          message: "29 events in ~/.claude/settings.json",
          fix: null
        },
        { group: "host", name: "node", status: "ok", message: "v20.20.2", fix: null },
        { group: "host", name: "host", status: "ok", message: "process 4242, 183 calls answered", fix: null },
        { group: "log", name: "log", status: "ok", message: "4344 facts, 4.5 MiB", fix: null },
        {
          group: "hooks",
          name: "jobs",
          status: "warn",
          message: "5 jobs in 24 h failed for good",
          fix: "hooktape jobs list --state dead"
        }
      ]
    }),
    facts: (asked: Asked): Answer<"facts"> => {
      const total = calls.length * 7
      const offset = num(asked["offset"], 0)
      const limit = num(asked["limit"], 200)
      const text = asked["text"]
      if (text !== undefined) {
        const found = Array.from({ length: Math.min(total, 4_000) }, (_, at) => factAt(total - at)).filter(
          ({ says, type }) => `${type} ${says}`.toLowerCase().includes(text.toLowerCase())
        )
        return { ...paged(found, asked).paging, facts: paged(found, asked).rows, all: total, tookMs: 1.4 }
      }
      return {
        total,
        upTo: sample.positions,
        offset,
        facts: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) =>
          factAt(total - offset - at)
        ),
        all: total,
        tookMs: 0.8
      }
    },
    fact: (_: Asked, position: string): Answer<"fact"> => {
      const row = factAt(Number(position))
      return {
        ...row,
        recordedAt: row.at,
        version: 1,
        source: "sample",
        data: { type: row.type, says: row.says },
        causes: Number(position) > 1 ? [factAt(Number(position) - 1)] : [],
        effects: [factAt(Number(position) + 1)]
      }
    },
    search: (asked: Asked): Answer<"search"> => {
      const found = matching({ text: asked["text"] })
      return {
        calls: found.slice(0, 20),
        totalCalls: found.length,
        sessions: [],
        hooks: ["guard-destructive", "no-script-edits"].filter((hook) => hook.includes(asked["text"] ?? ""))
      }
    },
    chains: (asked: Asked): Answer<"chains"> => {
      const wanted = asked["state"]
      const all = sampleChains(calls).filter(
        ({ chain, state }) =>
          (asked["chain"] === undefined || chain === asked["chain"]) &&
          (wanted === undefined || state === wanted || (wanted === "open" && state === "attempted"))
      )
      const { paging, rows } = paged(all, asked)
      return {
        ...paging,
        chains: rows,
        states: calls.length === 0 ? {} : { attempted: 1, resolved: 2, abandoned: 1 }
      }
    },
    metrics: (): Answer<"metrics"> => {
      const coverage = { hooks: tools.length, transcript: 12, both: 3 }
      const nothing = { traces: [], hooks: { calls: [], runs: [] }, checkpoints: [] }
      const known = new Map([
        ["active-time", { value: 2_135_000, n: 4 }],
        ["first-pass", { value: 9 / 11, n: 11, interval: [0.52, 0.95] as const }],
        ["hook-share", { value: 0.02, n: 586 }],
        ["tool-calls", { value: tools.length, n: 4 }]
      ])
      return {
        from: first,
        to: last,
        sessions: sessions.length,
        coverage,
        metrics: measuresOf(nothing, { hourOf: () => 0 }).map((one) => ({
          ...one,
          ...known.get(one.id),
          coverage
        })),
        projects: ["/home/dev/cli", "/home/dev/ledger", "/home/dev/shop"],
        agents: ["claude-code", "codex", "gemini-cli"],
        bySession: sessions.map((session, at) => ({
          session,
          began: first ?? 0,
          values: {
            "active-time": (at + 1) * 240_000,
            "first-pass": at % 3 === 0 ? null : 0.5 + at / 20,
            "tool-calls": at
          }
        }))
      }
    },
    options: (): Answer<"options"> => ({ directories: ["/home/dev/shop/draft"] }),
    whatif: (asked: { readonly invocation?: string }): Answer<"whatif"> => {
      const call = calls[byId.get(asked.invocation ?? "") ?? 0] as Call
      const facts = framesOf(factsOfCall(call)).map(({ data, ms, says, type }) => ({ type, says, ms, data }))
      const side = {
        outcome: call.outcome,
        decision: call.decision,
        by: call.by,
        reason: call.reason,
        build: "050062cf0000",
        facts,
        delivered: { stdout: "", stderr: call.reason ?? "", exitCode: 2 }
      }
      const now = {
        ...side,
        outcome: "asked" as const,
        decision: "ask" as const,
        facts: facts.map((fact, at) => (at >= 4 ? { ...fact, says: "MODEL_CONTEXT: ask" } : fact)),
        delivered: { stdout: '{"hookSpecificOutput":{"permissionDecision":"ask"}}', stderr: "", exitCode: 0 }
      }
      return {
        compared: 1,
        same: 0,
        looser: 1,
        stricter: 0,
        comparisons: [
          {
            call,
            change: "looser",
            says: "blocked → asks you",
            first: {
              fact: 4,
              path: "intents[0]",
              old: { type: "BLOCKING_FEEDBACK", reason: call.reason },
              new: null
            },
            old: side,
            new: now
          }
        ]
      }
    },
    fixture: (): Answer<"fixture"> => ({ file: "hooktape/fixtures/push.json" })
  }
}
