/** One call as one line, on whichever terminal. */
import { describe, expect, it } from "vitest"
import type { Call } from "../../../src/features/timeline/Call.ts"
import { hadWord } from "../../../src/features/timeline/find.ts"
import { callJson, callLine } from "../../../src/programs/cli/render/callLine.ts"
import { isLonger, pagerOf } from "../../../src/programs/cli/render/pager.ts"
import { coloured, columnsOf, plain, unstyled } from "../../../src/programs/cli/render/style.ts"

const call: Call = {
  invocation: "01a20b67-b29e-7c81-a94f-138fae2939d0",
  position: 51,
  at: new Date(2026, 10, 24, 18, 43, 55).getTime(),
  agent: "claude-code",
  agentEvent: "PreToolUse",
  event: "tool.before",
  project: "/p",
  session: "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3d83eb",
  subagent: null,
  turn: null,
  tool: { name: "Bash", kind: "shell", use: "t1" },
  subject: "git push -f",
  outcome: "blocked",
  decision: "block",
  by: "guard-destructive",
  reason: "no",
  waitMs: 4.2,
  own: false,
  answeredBy: null,
  hooks: [],
  jobs: []
}

describe("a line of the log", () => {
  it("has who, what, by whom and how long, and the beginning of an id to look at it", () => {
    expect(callLine(call, { style: plain, width: 80 })).toBe(
      '18:43:55 ae2939 claude·83eb PreToolUse  "git push -f" ⛔ guard-destructi… 4.2 ms'
    )
    expect(callLine(call, { style: plain, width: undefined })).toBe(
      '2026-11-24 18:43:55  ae2939d0  claude·83eb   PreToolUse        Bash "git push -f"  ⛔ guard-destructive  4.2 ms'
    )
  })

  it("says on sixty columns, too, how it ended and by whom", () => {
    expect(callLine({ ...call, waitMs: 2166 }, { style: plain, width: 60 })).toBe(
      '18:43:55 ae2939 PreToolUse  "git push -… ⛔ guard-d… 2166 ms'
    )
    expect(callLine({ ...call, waitMs: 4.2, outcome: "spoke" }, { style: plain, width: 60 })).toContain("→ g")
  })

  it.each([60, 80, 99, 100, 140])("stays within %i columns, whatever it is about", (width) => {
    const long = { ...call, subject: "日本".repeat(200), by: "a-hook-with-a-name-that-never-ends".repeat(3) }
    for (const outcome of ["blocked", "silent", "late", "lost", "spoke", "replaced"] as const)
      for (const one of [
        { ...call, outcome },
        { ...long, outcome },
        { ...long, outcome, session: null, tool: null },
        { ...call, outcome, subject: null, tool: null, waitMs: null }
      ]) {
        const line = unstyled(callLine(one, { style: coloured, width }))
        expect(columnsOf(line), line).toBeLessThanOrEqual(width)
      }
  })

  it("tells commands and events apart where there is little room", () => {
    const narrow = (one: Partial<Call>): string => callLine({ ...call, ...one }, { style: plain, width: 80 })
    const tool = { name: "run_shell_command", kind: "shell", use: "t1" }
    expect(narrow({ tool, subject: "rm -rf /" })).toContain('"rm -rf /" ⛔ guard-')
    expect(narrow({ tool, subject: "ls", outcome: "silent", by: null })).toContain('run_shell_command "ls"')
    const names = [
      "PermissionRequest",
      "PermissionDenied",
      "SubagentStart",
      "SubagentStop",
      "PostToolUseFailure"
    ]
    const lines = names.map((agentEvent) => narrow({ agentEvent }))
    expect(new Set(lines).size).toBe(names.length)
  })

  it("names work after the reply that was given up", () => {
    const job = {
      job: "j",
      hook: "dead-letter",
      state: "dead",
      attempts: 5,
      ms: 1,
      error: "Error: gone"
    } as const
    const line = callLine(
      { ...call, outcome: "silent", by: null, jobs: [job, { ...job, hook: "other", state: "done" }] },
      { style: plain, width: 140 }
    )
    expect(line).toContain("✖ dead-letter after the reply")
  })

  it("cannot paint the terminal, whatever was recorded", () => {
    const hostile = "\u001b[2J\r\nx\u009b"
    const line = callLine(
      { ...call, agent: hostile, agentEvent: hostile, session: hostile, subject: hostile, by: hostile },
      { style: plain, width: undefined }
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point.
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it("is a document of its own as JSON", () => {
    expect(JSON.parse(callJson(call))).toMatchObject({
      invocation: call.invocation,
      at: new Date(call.at).toISOString(),
      decision: "block"
    })
  })
})

describe("a call that is tried again by itself", () => {
  it("is one in which a hook had a word, or came to no good end", () => {
    const had = (more: Partial<Call>): boolean => hadWord({ ...call, ...more })
    for (const outcome of ["blocked", "asked", "spoke", "failed", "late", "unheard"] as const)
      expect(had({ outcome }), outcome).toBe(true)
    for (const outcome of ["silent", "open", "rejected"] as const)
      expect(had({ outcome }), outcome).toBe(false)
    expect(had({ outcome: "spoke", by: "hooktape" })).toBe(false)
    expect(had({ own: true })).toBe(false)
  })
})

describe("the pager", () => {
  it("is the one of whoever sits there, and none where nobody does or wants one", () => {
    expect(pagerOf({ PAGER: "most" }, true)).toBe("most")
    expect(pagerOf({}, true)).toMatch(/^less /)
    for (const env of [{ PAGER: "" }, { PAGER: "cat" }, { TERM: "dumb" }])
      expect(pagerOf(env, true)).toBeUndefined()
    expect(pagerOf({ PAGER: "most" }, false)).toBeUndefined()
  })

  it("begins where what matters stands: at the end where the newest does, else at the head", () => {
    expect(pagerOf({}, true)).not.toContain("+G")
    expect(pagerOf({}, true, "end")).toContain("+G")
    expect(pagerOf({ PAGER: "most" }, true, "end")).toBe("most")
  })

  it("is for what does not fit", () => {
    expect(isLonger("a\nb\n", 24)).toBe(false)
    expect(isLonger("a\n".repeat(24), 24)).toBe(true)
    expect(isLonger("a\n".repeat(24), undefined)).toBe(false)
  })
})
