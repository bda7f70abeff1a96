/** A session as one HTML page. */
import { expect, it } from "vitest"
import type { SessionDetail } from "../../../../src/features/inspector/contract/session.ts"
import { html } from "../../../../src/features/inspector/report/html.ts"
import { sessionReport } from "../../../../src/features/inspector/report/sessionReport.ts"
import type { Call } from "../../../../src/features/timeline/Call.ts"

const at = Date.UTC(2026, 0, 2, 3, 4, 5)
const hostile = `<img src=x onerror="alert('x')">\u001b[31m`

const detail: SessionDetail = {
  session: {
    session: "s-1",
    agent: "claude-code",
    project: "/work/shop",
    began: at,
    last: at + 60_000,
    state: "ended",
    calls: 4,
    turns: 1,
    tools: 2,
    blocked: 1,
    failed: 0,
    waitedMs: 12,
    title: hostile
  },
  waitedShare: 0.012,
  checks: { green: 1, red: 0, unknown: 0 },
  turns: [{ turn: "t", prompt: hostile, began: at, last: at + 60_000, calls: 4, tools: 1, waitedMs: 12 }],
  tools: (["t", null] as const).map((turn, nth) => ({
    use: `u${nth}`,
    name: "Bash",
    kind: "shell",
    subject: nth === 0 ? "npm test" : hostile,
    subagent: null,
    from: at,
    to: at + 5,
    ok: true,
    verdict: nth === 0 ? ("green" as const) : null,
    before: [],
    after: [],
    turn,
    waitedMs: 6
  })),
  omitted: 0,
  subagents: [],
  checkpoints: [{ checkpoint: "c", at, quality: 87, trigger: "operator", reasons: ["tests: they passed"] }],
  hooks: [{ hook: "guard", runs: 4, blocked: 1, failed: 0, ms: 3, slowestMs: 2 }]
}
const blocked = {
  agentEvent: "PreToolUse",
  at,
  by: "guard",
  outcome: "blocked",
  reason: hostile,
  subject: "git push --force",
  jobs: []
} as Partial<Call> as Call

const page = sessionReport({ detail, calls: [blocked], version: "1.2.3", now: at })

it("has what was asked, done and stopped, what each hook cost, and its checkpoints", () => {
  for (const text of [
    "claude-code in /work/shop",
    "1.2 % of its time",
    "git push --force",
    "blocked",
    "check passed",
    "Tool calls of no turn",
    "87",
    "tests: they passed",
    "hooktape 1.2.3"
  ])
    expect(page).toContain(text)
})

it("has what failed for good after a reply, with its reason, and no line more of a silent call", () => {
  const dead = { job: "j", hook: "later", state: "dead", attempts: 5, ms: 1, error: "job is bad" } as const
  const silent = {
    ...blocked,
    by: null,
    outcome: "silent",
    reason: null,
    subject: "ls",
    jobs: [dead]
  } as const
  const text = sessionReport({ detail, calls: [silent], version: "1.2.3", now: at })
  expect(text).toContain('<span class="failed">failed after the reply</span> later')
  expect(text).toContain("job is bad")
  expect(text.split("<code>ls</code>")).toHaveLength(2)
})

it("takes nothing that was recorded for markup, runs nothing, and asks for nothing from elsewhere", () => {
  expect(page).not.toContain("<img")
  expect(page).not.toContain("\u001b")
  expect(page).toContain("&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;")
  expect(page).not.toMatch(/<script|<link|<iframe|\ssrc="|\shref="|url\(/)
  expect(page).toContain("default-src 'none'")
  expect(html`<b title="${'"<'}">${1}${null}${[html`<i>${"&"}</i>`]}</b>`.text).toBe(
    '<b title="&quot;&lt;">1<i>&amp;</i></b>'
  )
})

it("says where there is nothing", () => {
  const empty = sessionReport({
    detail: { ...detail, turns: [], tools: [], hooks: [], checkpoints: [], omitted: 3 },
    calls: [],
    version: "1.2.3",
    now: at
  })
  expect(empty).toContain("<p>Nothing.</p>")
  expect(empty).toContain("The oldest 3 tool calls are left out.")
  expect(empty).not.toContain("What each hook cost")
})
