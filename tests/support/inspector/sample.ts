/** A made-up log of any length for the inspector's page: sessions of three agents with tools, blocks, failures and slow hooks. */
import type { Call, HookRun, Outcome } from "../../../src/features/inspector/contract/call.ts"
import type { Mark, ToolBar } from "../../../src/features/inspector/contract/live.ts"
import type { Turn } from "../../../src/features/inspector/contract/session.ts"

/** Numbers that look like chance and are the same each time. */
const makeChance = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const commands = [
  "npm test",
  "git status",
  "git push --force origin main",
  "rg -n 'createServer' src",
  "npx tsc --noEmit",
  "python3 -c \"open('src/routes.ts','w').write(x)\"",
  "cat package.json",
  "npm run lint"
]
const files = ["src/server.ts", "src/routes/users.ts", "tests/users.test.ts", "README.md", "src/db/pool.ts"]
const prompts = [
  "The list of users is empty after a restart. Find out why, and mend it.",
  "commit",
  "Add a test for the empty list"
]
const agents = ["claude-code", "codex", "gemini-cli"] as const
const projects = ["/home/dev/shop", "/home/dev/ledger", "/home/dev/cli"]

const run = (hook: string, ms: number, at: number, more: Partial<HookRun> = {}): HookRun => ({
  hook,
  event: "tool.before",
  outcome: "succeeded",
  attempts: 1,
  at,
  ms,
  decision: null,
  reason: null,
  said: [],
  services: [],
  ...more
})

export interface SampleTool extends ToolBar {
  readonly session: string
  readonly turn: string
  readonly waitedMs: number
}

export interface Sample {
  readonly calls: readonly Call[]
  readonly tools: readonly SampleTool[]
  readonly turns: readonly (Turn & { readonly session: string })[]
  readonly positions: number
}

const id = (nth: number): string => `0198c0de-0000-7000-8000-${nth.toString(16).padStart(12, "0")}`

interface Verdict {
  readonly outcome: Outcome
  readonly hooks: readonly HookRun[]
  readonly by: string | null
  readonly reason: string | null
}

const verdictOf = (command: string, at: number, chance: () => number): Verdict => {
  const guard = run("guard-destructive", 0.4 + chance() * 2, at)
  if (command.startsWith("git push --force")) {
    const reason = "It rewrites what others have pulled. Push to a branch, or ask first."
    return {
      outcome: "blocked",
      by: "guard-destructive",
      reason,
      hooks: [{ ...guard, decision: "block", reason, said: ["BLOCKING_FEEDBACK"] }]
    }
  }
  if (command.startsWith("python3 -c")) {
    const reason =
      "Do not rewrite a file with a script. Use the Edit tool, so that the change is formatted and can be reviewed."
    return {
      outcome: "blocked",
      by: "no-script-edits",
      reason,
      hooks: [
        guard,
        run("no-script-edits", 2.9, at, { decision: "block", reason, said: ["BLOCKING_FEEDBACK"] })
      ]
    }
  }
  const luck = chance()
  if (luck < 0.04) {
    const reason = "Cannot read properties of undefined (reading 'split')"
    return {
      outcome: "failed",
      by: "collect-failures",
      reason,
      hooks: [guard, run("collect-failures", 1.4, at, { outcome: "failed", reason })]
    }
  }
  if (luck < 0.07) {
    const reason = "not done within 1000 ms"
    return {
      outcome: "late",
      by: "commit-gate",
      reason,
      hooks: [guard, run("commit-gate", 1000, at, { outcome: "timed-out", reason })]
    }
  }
  if (luck < 0.16)
    return {
      outcome: "spoke",
      by: "types-after-edit",
      reason: null,
      hooks: [guard, run("types-after-edit", 300 + chance() * 900, at, { said: ["MODEL_CONTEXT"] })]
    }
  return { outcome: "silent", by: null, reason: null, hooks: [guard] }
}

/** About `many` calls that end at `until`. */
export const makeSample = (many: number, until: number, lengthMs = many * 700): Sample => {
  const chance = makeChance(7)
  const calls: Call[] = []
  const tools: SampleTool[] = []
  const turns: (Turn & { session: string })[] = []
  let position = 1
  let at = until - lengthMs
  const step = lengthMs / many
  const sessions = Math.max(3, Math.round(many / 400))
  const push = (
    call: Omit<Call, "invocation" | "position" | "answeredBy" | "jobs" | "own" | "subagent">
  ): Call => {
    const whole: Call = {
      ...call,
      invocation: id(position),
      position,
      answeredBy: null,
      jobs: [],
      own: false,
      subagent: null
    }
    calls.push(whole)
    position += 7
    return whole
  }
  const markOf = ({ at: began, by, event, invocation, outcome, waitMs }: Call): Mark => ({
    invocation,
    at: began,
    waitMs,
    event,
    outcome,
    by
  })
  const open = Array.from({ length: 3 }, (_, nth) => ({
    nth,
    turn: null as (Turn & { session: string }) | null,
    left: 0
  }))
  let nextSession = 3
  while (calls.length < many) {
    const place = open[Math.floor(chance() * open.length)] as (typeof open)[number]
    if (chance() < 1 / 200 && nextSession < sessions)
      Object.assign(place, { nth: nextSession++, turn: null, left: 0 })
    const agent = agents[place.nth % 3] ?? "codex"
    const project = projects[place.nth % 3] ?? null
    const session = `session-${place.nth.toString(16).padStart(4, "e")}`
    const base = {
      agent,
      project,
      session,
      agentEvent: "PreToolUse",
      decision: null,
      by: null,
      reason: null,
      outcome: "silent" as Outcome,
      hooks: []
    }
    if (place.left === 0) {
      const call = push({
        ...base,
        at,
        event: "prompt.submit",
        agentEvent: "UserPromptSubmit",
        turn: id(position),
        tool: null,
        subject: prompts[turns.length % 3] ?? "",
        waitMs: 6 + chance() * 20,
        hooks: [run("context", 5, at)]
      })
      place.turn = {
        session,
        turn: call.invocation,
        prompt: call.subject,
        began: at,
        last: at,
        calls: 1,
        tools: 0,
        waitedMs: 0
      }
      turns.push(place.turn)
      place.left = 4 + Math.floor(chance() * 14)
      at += step
      continue
    }
    place.left--
    const isShell = chance() < 0.55
    const subject =
      (isShell
        ? commands[Math.floor(chance() * commands.length)]
        : files[Math.floor(chance() * files.length)]) ?? ""
    const name = isShell ? "Bash" : chance() < 0.5 ? "Edit" : "Read"
    const use = `use-${position}`
    const turn = place.turn as Turn & { session: string }
    const verdict = isShell
      ? verdictOf(subject, at, chance)
      : ({ outcome: "silent", by: null, reason: null, hooks: [run("guard-destructive", 0.6, at)] } as const)
    const wait = verdict.hooks.reduce((sum, { ms }) => sum + (ms ?? 0), 3)
    const tool = { name, kind: isShell ? "shell" : name === "Edit" ? "edit" : "read", use }
    const before = push({
      ...base,
      ...verdict,
      at,
      event: "tool.before",
      turn: turn.turn,
      tool,
      subject,
      decision: verdict.outcome === "blocked" ? "block" : null,
      waitMs: wait
    })
    const took = step * (0.3 + chance() * 2)
    const isBlocked = verdict.outcome === "blocked"
    const after = isBlocked
      ? []
      : [
          push({
            ...base,
            at: at + wait + took,
            event: "tool.after",
            agentEvent: "PostToolUse",
            turn: turn.turn,
            tool,
            subject,
            waitMs: 2 + chance() * 12,
            hooks: [run("format-on-edit", 1.2, at)]
          })
        ]
    const last = after[0]
    const waitedMs = wait + (last?.waitMs ?? 0)
    const isCheck = subject.startsWith("npm") || subject.startsWith("npx")
    const isRed = chance() < 0.3
    tools.push({
      session,
      turn: turn.turn,
      use,
      name,
      kind: tool.kind,
      subject,
      subagent: null,
      from: at,
      to: last === undefined ? at + wait : last.at + (last.waitMs ?? 0),
      ok: isBlocked ? null : !(isCheck && isRed),
      verdict: isCheck && !isBlocked ? (isRed ? "red" : "green") : null,
      before: [markOf(before)],
      after: after.map(markOf),
      waitedMs
    })
    Object.assign(turn, {
      last: (last?.at ?? at) + 1,
      calls: turn.calls + 1 + after.length,
      tools: turn.tools + 1,
      waitedMs: turn.waitedMs + waitedMs
    })
    at += step * (1 + after.length)
  }
  return { calls: calls.sort((a, b) => a.position - b.position), tools, turns, positions: position }
}
