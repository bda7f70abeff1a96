/** A real session with the agent's own telemetry on and ours: both at one receiver, joined by the ids of session, prompt and tool call. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn } from "../../support/agents/hooktape.ts"
import { endHost, withHost } from "../../support/agents/hosted.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"
import { attributeOf, drawn, type Foreign, type Span, withOtlpReceiver } from "../../support/otlpReceiver.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

interface TheirSpans {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const spansIn = (foreign: readonly Foreign[]): readonly Span[] =>
  foreign
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => (body as TheirSpans).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

/** Of the session, and of no other. */
const ours = (spans: readonly Span[]): readonly Span[] => {
  const session = spans.find(({ name }) => name === "session")
  return spans.filter(({ traceId }) => traceId === session?.traceId)
}

/** Theirs, under ours by the ids that both say: a tool call's by its id, a turn's by that of its session and prompt. */
const hungUnder = (own: readonly Span[], theirs: readonly Span[]): readonly Span[] =>
  theirs.map((span) => {
    const key = span.name === "claude_code.tool" ? "gen_ai.tool.call.id" : "session.id"
    const kind = span.name === "claude_code.tool" ? "execute_tool" : "invoke_agent"
    const parent = own.find(
      (one) => one.name.startsWith(kind) && attributeOf(one, key) === attributeOf(span, key)
    )
    const isRoot =
      span.parentSpanId === undefined || !theirs.some(({ spanId }) => spanId === span.parentSpanId)
    return (isRoot || key === "gen_ai.tool.call.id") && parent !== undefined
      ? { ...span, parentSpanId: parent.spanId }
      : span
  })

describe("claude-code", () => {
  it("and hooktape tell of one session in one tree of ids", async () => {
    await withOtlpReceiver({}, async (received, foreign) => {
      const hooktape = hooktapeIn(workspace, {}, undefined, "on")
      hooktape.must("install", "--agent", "claude-code", "--scope", "user")
      hooktape.must("ship", "add", "traces", received.url, "--as", "otlp")
      const run = await runAgent("claude-code", {
        workspace,
        env: {
          ...withHost,
          HOOKTAPE_DEFAULTS: "on",
          HOOKTAPE_HOME: hooktape.state,
          CLAUDE_CODE_ENABLE_TELEMETRY: "1",
          CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: "1",
          OTEL_TRACES_EXPORTER: "otlp",
          OTEL_LOGS_EXPORTER: "otlp",
          OTEL_METRICS_EXPORTER: "otlp",
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_ENDPOINT: received.url
        },
        turns: [{ tool: shellTool["claude-code"]("echo hello") }, { text: "Done." }]
      })
      expect(run.exitCode).toBe(0)
      await expect
        .poll(() => received.spans.map(({ name }) => name), { timeout: 30_000 })
        .toContain("session")
      expect(received.problems).toEqual([])
      const theirs = spansIn(foreign)
      const tree = drawn([...ours(received.spans), ...hungUnder(received.spans, theirs)])
      console.log(tree)
      // What Claude Code tells of the tool and of the turn stands within what hooktape tells of them.
      expect(tree.split("\n").filter((line) => !line.startsWith(" "))).toEqual(["session"])
      expect(tree).toMatch(/^ {4}execute_tool Bash\n(?: {6}.*\n(?: {8}.*\n)*)*? {6}claude_code\.tool$/m)
      expect(tree).toMatch(
        /^ {2}invoke_agent claude-code\n(?: {4}.*\n(?: {6,}.*\n)*)*? {4}claude_code\.interaction$/m
      )
      await endHost(workspace, hooktape)
    })
  })
})
