/** The page of each option begins with a hook, and the hook does what the page says. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../events/intents.ts"
import { adapters } from "../../src/agents/adapters.ts"
import type { Past } from "../../src/history/Past.ts"
import type { Hook } from "../../src/hooks/defineHook.ts"
import { limitsOf } from "../../src/hooks/limits.ts"
import { retryOf } from "../../src/hooks/retry.ts"
import * as surface from "../../src/index.ts"
import { withoutDirectory } from "../../src/runtime/directory.ts"
import { links } from "../support/markdown.ts"
import { type Told, tell } from "../support/world.ts"

const folder = new URL("../../docs/reference/options/", import.meta.url)
const pages = readdirSync(folder).filter((name) => name !== "README.md")
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8")

/** The hook of a page as it stands there, without its import and what only a compiler needs. */
const load = (page: string): Hook => {
  const [, text = ""] = /^# .*\n\n```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  const body = text
    .replace(/^import .*$/m, "")
    .replace("export default", "return")
    .replaceAll("Promise<void>", "Promise")
  return new Function(...Object.keys(surface), body)(...Object.values(surface)) as Hook
}

const natives = {
  "session.start": "SessionStart",
  "session.end": "SessionEnd",
  "prompt.submit": "UserPromptSubmit",
  "tool.before": "PreToolUse",
  "tool.after": "PostToolUse",
  "file.edited": "PostToolUse",
  "turn.stop": "Stop"
} as const

const edit: JsonObject = {
  tool_name: "Write",
  tool_input: { file_path: "/project/src/a.ts", content: "x".repeat(300) },
  tool_response: { type: "create", filePath: "/project/src/a.ts", success: true }
}

const fire = (
  name: string,
  payload: JsonObject = {},
  past?: Past,
  agent: "claude-code" | "gemini-cli" = "claude-code"
) => {
  const hook = load(read(`${name}.md`))
  const [first] = (typeof hook.on === "string" ? [hook.on] : hook.on) as (keyof typeof natives)[]
  return tell({
    adapter: adapters[agent],
    agentEvent: agent === "gemini-cli" ? "BeforeAgent" : natives[first ?? "tool.before"],
    payload: { session_id: "s", cwd: "/project", ...payload },
    deadlineMs: 60_000,
    past,
    registry: [{ hook, source: `${name}.ts` }]
  })
}

const said = ({ delivered: [delivery] }: Told): string => `${delivery?.stdout}${delivery?.stderr}`
const left = (told: Told): readonly string[] =>
  told.find("HANDLERS_PLANNED").flatMap((plan) => plan.left.map(({ reason }) => reason))

/** Who lets everything be but what a test wants otherwise. */
const past = (more: Partial<Past>): Past => ({
  switched: () => undefined,
  admit: () => undefined,
  stops: () => ({ blocked: 0, most: 3 }),
  complaints: () => [],
  ...more
})

/** What each page promises of its example. */
const promises: Readonly<Record<string, () => Promise<void>>> = {
  name: async () => expect(said(await fire("name"))).toContain("Good morning."),
  on: async () => {
    const told = await fire("on", edit)
    expect(told.find("HANDLER_SUCCEEDED").map(({ event }) => event)).toEqual(["tool.after", "file.edited"])
  },
  run: async () => expect(said(await fire("run", { prompt: "x".repeat(1001) }))).toContain("1001 characters"),
  when: async () => {
    expect((await fire("when", edit)).delivered[0]?.stdout).toContain('"permissionDecision":"deny"')
    const small = { ...edit, tool_input: { file_path: "/project/src/a.ts", content: "x" } }
    expect(left(await fire("when", small))).toEqual(["when: matches said no"])
    const elsewhere = { ...edit, tool_input: { file_path: "/project/docs/a.md", content: "x" } }
    expect(left(await fire("when", elsewhere))).toEqual(["when: path does not match"])
  },
  priority: async () => {
    const [plan] = (await fire("priority", { prompt: "hi" })).find("HANDLERS_PLANNED")
    expect(plan?.handlers[0]?.priority).toBe(0)
  },
  deadline: async () => {
    const told = await fire("deadline", { ...edit, tool_name: "Bash", tool_input: { command: "ls" } })
    expect(told.find("HANDLERS_PLANNED")[0]?.handlers[0]?.deadlineMs).toBe(2000)
    expect(told.find("HANDLER_TIMED_OUT")).toHaveLength(1)
  },
  onFailure: async () => {
    const told = await fire("onFailure", { tool_name: "Bash", tool_input: { command: "ls" } })
    expect(told.delivered[0]).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/the policy file is gone.*"permissionDecision":"deny"/)
    })
  },
  ifCannotAsk: async () => {
    const push = { tool_name: "Bash", tool_input: { command: "git push" } }
    expect((await fire("ifCannotAsk", push)).delivered[0]?.stdout).toContain("A push leaves this machine.")
    const hook = load(read("ifCannotAsk.md"))
    const { ifCannotAsk: _, ...strict } = hook
    const answered = async (one: Hook) => {
      const registry = [{ hook: one, source: "ifCannotAsk.ts" }]
      const payload = { session_id: "s", cwd: "/project", ...push }
      return (await tell({ adapter: adapters.codex, agentEvent: "PreToolUse", payload, registry }))
        .delivered[0]?.stdout
    }
    expect(await answered(hook)).toBe("")
    expect(await answered(strict as Hook)).toContain('"permissionDecision":"deny"')
  },
  onError: async () => {
    const hook = load(read("onError.md"))
    const told = await tell({
      adapter: adapters["claude-code"],
      agentEvent: "PostToolUse",
      payload: { session_id: "s", cwd: "/project", ...edit },
      registry: [{ hook, source: "onError.ts" }]
    })
    expect(said(told)).toContain("Not linted: no linter.")
  },
  agents: async () => {
    expect(left(await fire("agents", { prompt: "hi" }, undefined, "gemini-cli"))).toEqual([
      "not for gemini-cli"
    ])
  },
  enabled: async () => {
    expect(left(await fire("enabled"))).toEqual(["disabled"])
    const switched = past({ switched: () => ({ enabled: true, reason: "" }) })
    expect(said(await fire("enabled", {}, switched))).toContain("Tabs, not spaces.")
  },
  background: async () => {
    const [plan] = (await fire("background")).find("HANDLERS_PLANNED")
    expect(plan).toMatchObject({ handlers: [], background: [{ handler: "archive" }] })
  },
  whenFull: async () => {
    const [plan] = (await fire("whenFull")).find("HANDLERS_PLANNED")
    expect(plan).toMatchObject({ background: [{ handler: "first-come", whenFull: "refuse" }] })
  },
  deliver: async () => {
    const [plan] = (await fire("deliver", edit)).find("HANDLERS_PLANNED")
    expect(plan).toMatchObject({
      background: [{ handler: "types", deliver: { withinMs: 600_000, keep: "newest" } }]
    })
  },
  once: async () => {
    expect(said(await fire("once", { prompt: "hi" }))).toContain("CONTRIBUTING.md")
    const reason = "once: it has run in this session already"
    expect(left(await fire("once", { prompt: "hi" }, past({ admit: () => reason })))).toEqual([reason])
    expect(read("once.md")).toContain(reason)
  },
  cooldown: async () => {
    expect(said(await fire("cooldown", { stop_hook_active: false }))).toContain("Have you committed?")
    expect(limitsOf(load(read("cooldown.md")))).toMatchObject([{ scope: "session", withinMs: 1_800_000 }])
  },
  rateLimit: async () => {
    expect(said(await fire("rateLimit", edit))).toContain("have a test?")
    expect(limitsOf(load(read("rateLimit.md")))).toMatchObject([{ limit: 2, withinMs: 3_600_000 }])
  },
  retry: async () => {
    const { fetch } = globalThis
    let failures = 2
    globalThis.fetch = async () => {
      if (failures-- > 0) throw new Error("no answer")
      return new Response("ticket 7")
    }
    try {
      const told = await fire("retry", { prompt: "hi" })
      expect(told.find("HANDLER_STARTED").map(({ attempt }) => attempt)).toEqual([1, 2, 3])
      expect(said(told)).toContain("ticket 7")
    } finally {
      globalThis.fetch = fetch
    }
    expect(retryOf(load(read("retry.md")))).toEqual({ attempts: 3, delayMs: 10 })
  },
  needsDirectory: async () => {
    expect(said(await fire("needsDirectory", { stop_hook_active: false }))).toContain("Look at what changed")
    const [registered] = withoutDirectory(
      [{ hook: load(read("needsDirectory.md")), source: "needsDirectory.ts" }],
      "it is gone"
    )
    expect(registered).toMatchObject({ lacking: "it is gone" })
  },
  final: async () => expect(load(read("final.md")).final).toBe(true),
  metadata: async () =>
    expect(load(read("metadata.md")).metadata).toEqual({ owner: "platform team", since: 2026 }),
  settings: async () =>
    expect(said(await fire("settings", { prompt: "x".repeat(501) }))).toContain("Shorter, please.")
}

describe("docs/reference/options", () => {
  it("has a page for each option, and each is tried here", () => {
    const options = pages.map((name) => name.replace(/\.md$/, ""))
    expect(options.toSorted()).toEqual(Object.keys(promises).toSorted())
    const listed = links(read("README.md")).map(({ target }) => target)
    for (const page of pages) expect(listed).toContain(page)
  })

  it.each(Object.keys(promises))("%s.md begins with a hook that does what it says", async (name) => {
    await promises[name]?.()
  })

  it("README.md begins with one too", () => {
    expect(load(read("README.md"))).toMatchObject({ name: "hello", once: "project" })
  })
})
