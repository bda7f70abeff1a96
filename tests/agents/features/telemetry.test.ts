/** A real session with the agent's own telemetry on and ours: both at one receiver, joined by the ids of session, prompt and tool call. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { shellTool } from "../../support/agents/agents.ts"
import { hungUnder, promptOf, type Told, toldIn } from "../../support/agents/claudeTelemetry.ts"
import { hooktapeIn } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, registerHooks, type Workspace } from "../../support/agents/workspace.ts"
import { attributeOf, drawn, type Span, withOtlpReceiver } from "../../support/otlpReceiver.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

/** Of the session, and of no other. What was sent twice has the same ids, as where an answer got lost. */
const ours = (spans: readonly Span[]): readonly Span[] => {
  const session = spans.find(({ name }) => name === "session")
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  return [...byId.values()].filter(({ traceId }) => traceId === session?.traceId)
}

const hook = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "no-forbidden",
  on: "tool.before",
  run: ({ tool }) => {
    if (tool?.command?.includes("forbidden")) return blockingFeedback("not that one")
  }
})
`

/** Which of the three ids everything of a name has. */
const idsByName = (told: readonly Told[]): Readonly<Record<string, string>> => {
  const names = [...new Set(told.map(({ kind, name }) => `${kind} ${name}`))].sort()
  return Object.fromEntries(
    names.map((name) => {
      const all = told.filter((one) => `${one.kind} ${one.name}` === name)
      const has = (id: "session" | "prompt" | "call") => all.every((one) => one[id] !== undefined)
      return [name, (["session", "prompt", "call"] as const).filter(has).join(" ")]
    })
  )
}

const chainOf = (own: readonly Span[], span: Span | undefined): readonly Span[] => {
  const parent = own.find(({ spanId }) => spanId === span?.parentSpanId)
  return parent === undefined ? [] : [parent, ...chainOf(own, parent)]
}

const telemetryTo = (url: string) => ({
  CLAUDE_CODE_ENABLE_TELEMETRY: "1",
  CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: "1",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_EXPORTER_OTLP_ENDPOINT: url
})

const shell = shellTool["claude-code"]

describe("claude-code", () => {
  it("and hooktape tell of one session in one tree of ids", async () => {
    await withOtlpReceiver({}, async (received, foreign) => {
      const hooktape = hooktapeIn(workspace, { "no-forbidden.ts": hook }, undefined, "on")
      hooktape.must("install", "--agent", "claude-code", "--scope", "user")
      hooktape.must("ship", "add", "traces", received.url, "--as", "otlp")
      const run = await runAgent("claude-code", {
        workspace,
        env: {
          ...withHost,
          HOOKTAPE_DEFAULTS: "on",
          HOOKTAPE_HOME: hooktape.state,
          ...telemetryTo(received.url),
          CLAUDE_CODE_PROPAGATE_TRACEPARENT: "1"
        },
        turns: [
          { tool: shell("echo hello") },
          { tool: shell("exit 3") },
          { tool: shell("echo forbidden") },
          { tool: { name: "Read", input: { file_path: join(workspace.cwd, "missing.txt") } } },
          { text: "Done." }
        ]
      })
      expect(run.exitCode).toBe(0)
      await expect
        .poll(() => received.spans.map(({ name }) => name), { timeout: 30_000 })
        .toContain("session")
      expect(received.problems).toEqual([])
      const own = ours(received.spans)
      const told = toldIn(foreign)
      const tree = drawn([...own, ...hungUnder(own, told)])
      console.log(tree)
      expect(tree.split("\n").filter((line) => !line.startsWith(" "))).toEqual(["session"])

      // What both name is one call, in the same turn of the same session.
      const calls = [...new Set(told.flatMap(({ call }) => call ?? []))]
      expect(calls).toHaveLength(4)
      const tools = own.filter(({ name }) => name.startsWith("execute_tool"))
      expect(tools.map((span) => attributeOf(span, "gen_ai.tool.call.id")).sort()).toEqual([...calls].sort())
      for (const call of calls) {
        const [said] = told.filter((one) => one.call === call && one.prompt !== undefined)
        const tool = tools.find((span) => attributeOf(span, "gen_ai.tool.call.id") === call)
        const [turn, session] = chainOf(own, tool)
        expect(attributeOf(turn as Span, "prompt.id")).toBe(said?.prompt)
        expect(attributeOf(session as Span, "session.id")).toBe(said?.session)
        expect([turn?.name, session?.name]).toEqual(["invoke_agent claude-code", "session"])
      }

      // What it does not say, docs/how-to/ship-what-happens.md says.
      const interaction = told.find(({ name }) => name === "claude_code.interaction")
      expect(promptOf(told, interaction?.spanId)).toBe(
        told.find(({ prompt }) => prompt !== undefined)?.prompt
      )
      const ids = idsByName(told)
      expect(ids).toMatchObject({
        "span claude_code.interaction": "session",
        "span claude_code.llm_request": "session",
        "span claude_code.tool": "session call",
        "span claude_code.tool.execution": "session call",
        "span claude_code.tool.blocked_on_user": "session",
        "log user_prompt": "session prompt",
        "log api_request": "session prompt",
        "log assistant_response": "session prompt",
        "log tool_decision": "session prompt call",
        "log tool_result": "session prompt call",
        "metric claude_code.session.count": "session",
        "metric claude_code.token.usage": "session"
      })
      const ofHooks = told.filter(({ name }) => name.startsWith("hook_execution"))
      expect(ofHooks.length).toBeGreaterThan(8)
      expect(ofHooks.filter(({ call }) => call !== undefined)).toEqual([])
      const counted = (of: string) => told.filter(({ name }) => name === of).length
      expect([counted("tool_decision"), counted("tool_result")]).toEqual([4, 3])
      // What it says to its hooks of its own trace is the turn, and ours name it.
      const turnsHooks = own.filter(
        (span) => /^hooks (?:Pre|Post)Tool/.test(span.name) && attributeOf(span, "prompt.id") !== undefined
      )
      expect(turnsHooks.length).toBeGreaterThanOrEqual(8)
      for (const { links, name } of turnsHooks)
        expect(
          links?.map(({ spanId }) => spanId),
          name
        ).toEqual([interaction?.spanId])
      await endHost(workspace, hooktape)
    })
  })

  it("says its trace to nobody that it starts, at another address of the API, unless it is told to", async () => {
    await withOtlpReceiver({}, async (received, foreign) => {
      const [ofHooks, ofCommands] = [join(workspace.tmp, "of-hooks"), join(workspace.tmp, "of-commands")]
      registerHooks("claude-code", workspace, { PreToolUse: `cat >/dev/null; env > '${ofHooks}'` })
      const run = async (told: Readonly<Record<string, string>>): Promise<readonly boolean[]> => {
        const { exitCode } = await runAgent("claude-code", {
          workspace,
          env: { ...telemetryTo(received.url), ...told },
          turns: [{ tool: shell(`env > '${ofCommands}'`) }, { text: "Done." }]
        })
        expect(exitCode).toBe(0)
        return [ofHooks, ofCommands].map((file) => /^TRACEPARENT=/m.test(readFileSync(file, "utf8")))
      }
      expect(await run({})).toEqual([false, false])
      expect(await run({ CLAUDE_CODE_PROPAGATE_TRACEPARENT: "1" })).toEqual([true, true])
      expect(toldIn(foreign).some(({ kind }) => kind === "span")).toBe(true)
    })
  })
})
