/** The session monitor's values: findings, payloads, the report, analyses. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  analyseAlone,
  analysisSchema,
  importanceOf,
  noteText,
  promptFor,
  readAnswer
} from "../../../src/features/monitor/analysis.ts"
import { type Finding, findingFromJson, findingToJson } from "../../../src/features/monitor/Finding.ts"
import { findModelCommand } from "../../../src/features/monitor/modelCommand.ts"
import { namespaceOf } from "../../../src/features/monitor/namespace.ts"
import { payloadFromJson, payloadOf, payloadToJson } from "../../../src/features/monitor/payload.ts"
import { reportOf } from "../../../src/features/monitor/report.ts"
import { isDeep, isEnabled, monitorSettings } from "../../../src/features/monitor/settings.ts"

const finding = (category: string, severity: Finding["severity"], at = 1): Finding => ({
  category,
  severity,
  reference: `r${at}`,
  description: `what ${at}`,
  recommendation: `do ${at}`
})
const some = [finding("stale", "warning"), finding("broken hook", "critical", 2)]

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "hooktape-monitor-"))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

describe("the switches", () => {
  it("are off and on by default, and read true in any case", () => {
    expect([isEnabled({}), isDeep({})]).toEqual([false, true])
    for (const value of ["true", "TRUE", " True "])
      expect([
        isEnabled({ HOOKTAPE_SESSION_MONITOR: value }),
        isDeep({ HOOKTAPE_SESSION_MONITOR_DEEP: value })
      ]).toEqual([true, true])
    for (const value of ["", "1", "yes", "false"])
      expect([
        isEnabled({ HOOKTAPE_SESSION_MONITOR: value }),
        isDeep({ HOOKTAPE_SESSION_MONITOR_DEEP: value })
      ]).toEqual([false, false])
  })

  it("stand beside settings: 60 seconds between two runs, 120 for the model", () => {
    expect(monitorSettings({})).toEqual({ cooldownMs: 60_000, command: [], timeoutMs: 120_000 })
    expect(monitorSettings({ cooldown: "5 minutes", command: "claude -p --model x", timeout: 500 })).toEqual({
      cooldownMs: 300_000,
      command: ["claude", "-p", "--model", "x"],
      timeoutMs: 500
    })
    expect(monitorSettings({ cooldown: 0, command: ["a b", "c"], timeout: "soon" })).toEqual({
      cooldownMs: 0,
      command: ["a b", "c"],
      timeoutMs: 120_000
    })
  })
})

describe("a finding", () => {
  it("turns into JSON and comes back as it was", () => {
    for (const one of some)
      expect(findingFromJson(JSON.parse(JSON.stringify(findingToJson(one))))).toEqual(one)
  })

  it("is read from JSON that lacks keys, or holds others", () => {
    const empty = { category: "", severity: "warning", reference: null, description: "", recommendation: "" }
    for (const value of [{}, null, [], "x", { severity: "awful", description: 7 }])
      expect(findingFromJson(value)).toEqual(empty)
    expect(findingFromJson({ severity: "critical", reference: "" })).toEqual({
      ...empty,
      severity: "critical"
    })
  })
})

describe("a payload", () => {
  it("counts its findings by severity, and comes back as it was", () => {
    const payload = payloadOf(some, "project:app", { PATH: "/bin", ANTHROPIC_API_KEY: "secret" })
    expect(payload).toMatchObject({
      criticalCount: 1,
      warningCount: 1,
      namespace: "project:app",
      environment: { PATH: "/bin" }
    })
    expect(JSON.stringify(payload)).not.toContain("secret")
    expect(payloadFromJson(JSON.parse(JSON.stringify(payloadToJson(payload))))).toEqual(payload)
  })

  it("is read from JSON that lacks keys: global namespace, zero counts", () => {
    const empty = { findings: [], namespace: "global", criticalCount: 0, warningCount: 0, environment: {} }
    for (const value of [{}, null, "x", { findings: 1, criticalCount: "2", environment: { PATH: 1 } }])
      expect(payloadFromJson(value)).toEqual(empty)
  })
})

describe("a namespace", () => {
  it.each([".git", "pyproject.toml", "package.json", "Cargo.toml", "go.mod"])(
    "is the project's where %s lies",
    (name) => {
      expect(namespaceOf(place)).toBe("global")
      // What is no project may hold files all the same.
      for (const other of ["README.md", "setup.py", "package-lock.json"])
        writeFileSync(join(place, other), "")
      expect(namespaceOf(place)).toBe("global")
      if (name === ".git") mkdirSync(join(place, name))
      else writeFileSync(join(place, name), "")
      expect(namespaceOf(place)).toBe(`project:${basename(place)}`)
    }
  )
})

describe("the report", () => {
  it("opens with a rule of 60, a heading and the totals; findings stand by category with what to do below", () => {
    const many = Array.from({ length: 5 }, (_, at) => finding("stale", "warning", at + 1))
    const rule = "=".repeat(60)
    expect(reportOf([...many, finding("broken hook", "critical", 9)]).split("\n")).toEqual([
      "",
      rule,
      "[session-monitor] hooktape health report",
      rule,
      "Found 6 issues: 1 CRITICAL, 5 WARNINGS",
      "",
      "STALE (5):",
      "  ⚠️ what 1",
      "     -> do 1",
      "  ⚠️ what 2",
      "     -> do 2",
      "  ⚠️ what 3",
      "     -> do 3",
      "  ... and 2 more",
      "",
      "BROKEN HOOK (1):",
      "  ❌ what 9",
      "     -> do 9",
      "",
      rule,
      ""
    ])
  })

  it("keeps what was found on one line, without what a terminal would obey", () => {
    const wild = {
      ...finding("x", "warning"),
      description: "a\u001b[31m\nb",
      recommendation: "r".repeat(1000)
    }
    const lines = reportOf([wild]).split("\n")
    expect(lines).toContain("  ⚠️ a [31m b")
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(320)
  })
})

describe("an answer of a model", () => {
  const good = { summary: "s", recommendations: [{ priority: "high", action: "a" }, { action: "b" }] }
  const read = {
    summary: "s",
    recommendations: [
      { priority: "high", action: "a" },
      { priority: "medium", action: "b" }
    ],
    confidence: 0.8,
    by: "claude"
  }

  it.each([
    ["plain", JSON.stringify(good)],
    ["fenced", `Here it is:\n\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\`\nBye.`],
    ["fenced without a language", `\`\`\`\n${JSON.stringify(good)}\n\`\`\``],
    ["between words", `Sure! ${JSON.stringify(good)} Anything else?`]
  ])("is read %s", (_, answer) => {
    expect(readAnswer(answer, "claude")).toEqual(read)
  })

  it("may say how sure it is", () => {
    expect(readAnswer(JSON.stringify({ ...good, confidence: 0.3 }), "x").confidence).toBe(0.3)
  })

  it.each([
    ["nothing", ""],
    ["no JSON", "I cannot help with that."],
    ["a list", "[]"],
    ["no summary", JSON.stringify({ recommendations: [] })],
    ["an empty summary", JSON.stringify({ ...good, summary: " " })],
    ["no list", JSON.stringify({ ...good, recommendations: {} })],
    ["no action", JSON.stringify({ ...good, recommendations: [{ priority: "low" }] })],
    ["another priority", JSON.stringify({ ...good, recommendations: [{ priority: "urgent", action: "a" }] })],
    ["too sure", JSON.stringify({ ...good, confidence: 2 })]
  ])("that holds %s is none", (_, answer) => {
    expect(() => readAnswer(answer, "x")).toThrow(expect.objectContaining({ name: "BadAnswer" }))
  })

  it("is asked for with the schema and the findings, as data", () => {
    const prompt = promptFor(payloadOf(some, "global"))
    expect(prompt).toContain(JSON.stringify(analysisSchema))
    expect(prompt).toContain("what 2")
  })
})

describe("an analysis", () => {
  it("of anything critical has importance 0.7, any other 0.5", () => {
    expect(importanceOf(payloadOf(some, "global"))).toBe(0.7)
    expect(importanceOf(payloadOf(some.slice(0, 1), "global"))).toBe(0.5)
  })

  it("without a model says so, critical things first, each recommendation once", () => {
    const alone = analyseAlone(payloadOf([...some, finding("stale", "warning", 1)], "global"))
    expect(alone).toMatchObject({
      by: "deterministic",
      confidence: 0.8,
      recommendations: [
        { priority: "high", action: "do 2" },
        { priority: "medium", action: "do 1" }
      ]
    })
    expect(alone.summary).toMatch(/^Made without a model.*1 critical and 2 other/)
  })

  it("is stored with totals, summary and recommendations, each with a priority", () => {
    const payload = payloadOf(some, "project:app")
    const analysis = readAnswer(
      '{"summary":"all is lost","recommendations":[{"action":"run"}],"confidence":0.9}',
      "claude"
    )
    expect(noteText(payload, analysis).split("\n")).toEqual([
      "Session monitoring of project:app found 2 issues:",
      "Critical: 1, Warnings: 1",
      "",
      "Analysis (claude, confidence 0.9): all is lost",
      "",
      "Recommendations:",
      "- [medium] run"
    ])
  })
})

describe("the model command", () => {
  const program = (name: string, mode = 0o755) => writeFileSync(join(place, name), "#!/bin/sh\n", { mode })
  const found = (configured: readonly string[] = []) =>
    findModelCommand({ configured, path: `relative:${place}:/nowhere`, project: "/nowhere/at/all" })

  it("is the first of claude, codex and gemini on the path, or the one configured", async () => {
    expect(await found()).toBeUndefined()
    program("gemini")
    expect(await found()).toEqual({ path: join(place, "gemini"), args: [] })
    program("codex")
    expect((await found())?.args).toContain("exec")
    program("claude", 0o644)
    expect((await found())?.path).toBe(join(place, "codex"))
    rmSync(join(place, "claude"))
    program("claude")
    expect(await found()).toEqual({ path: join(place, "claude"), args: ["-p"] })
    expect(await found(["gemini", "-m", "x"])).toEqual({ path: join(place, "gemini"), args: ["-m", "x"] })
    expect(await found([join(place, "codex"), "-"])).toEqual({ path: join(place, "codex"), args: ["-"] })
    expect(await found(["other"])).toBeUndefined()
  })
})
