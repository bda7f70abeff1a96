/** The main job, on the real agents: our own install, a session with everything going wrong in it, and what came of it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dialects } from "../../../src/tools/install/dialects.ts"
import { type Agent, agents, shellTool, writeTool } from "../../support/agents/agents.ts"
import { type DumpHooks, dumpHooks } from "../../support/agents/dumpHooks.ts"
import {
  demoHooks,
  type Hooktape,
  hooktapeIn,
  inProject,
  type LoggedCall,
  type LogLine,
  userSettings
} from "../../support/agents/hooktape.ts"
import { hookWords, received, toolResults } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, settingsFile, type Workspace } from "../../support/agents/workspace.ts"

/** What a user may have there: their own hooks, and an own way of writing. */
const foreign: Readonly<Record<Agent, string | undefined>> = {
  "claude-code": '{ "env": { "EDITOR": "ed" },\n\n    "hooks": {"Stop":[ ]},\n  "cleanupPeriodDays": 7 }',
  codex: undefined,
  // What the harness makes sure of before a run, so that it has nothing left to write.
  "gemini-cli": `${JSON.stringify(
    {
      ui: { hideTips: true },
      hooksConfig: { enabled: true },
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } }
    },
    null,
    2
  )}\n`
}

const failing = `if test -f fixed.txt; then echo all good; else echo "Error: fixed.txt is missing"; exit 1; fi\n`
const push = "touch pushed && git push --force origin main"
const reason = `Use --force-with-lease instead of: ${push}`
const brief = (agent: Agent) => `Working in project with ${agent}. Run the tests before you call a task done.`
const observed = "An error was recorded: Error: fixed.txt is missing"

/** The hook calls of the session below, in order. */
const expected: Readonly<Record<Agent, ReadonlyArray<string>>> = {
  "claude-code": [
    "SessionStart",
    "UserPromptSubmit",
    ...["PreToolUse", "PostToolUseFailure", "PostToolBatch"],
    ...["PreToolUse", "PostToolUse", "PostToolBatch"],
    ...["PreToolUse", "PostToolUse", "PostToolBatch"],
    ...["PreToolUse", "PostToolBatch"],
    "Stop",
    "SessionEnd"
  ],
  codex: [
    "SessionStart",
    "UserPromptSubmit",
    ...["PreToolUse", "PostToolUse"],
    ...["PreToolUse", "PostToolUse"],
    ...["PreToolUse", "PostToolUse"],
    "PreToolUse",
    "Stop",
    "SessionEnd"
  ],
  "gemini-cli": [
    "SessionStart",
    "BeforeAgent",
    ...["PreCompress", "BeforeTool", "AfterTool"],
    ...["PreCompress", "BeforeTool", "AfterTool"],
    ...["PreCompress", "BeforeTool", "AfterTool"],
    ...["PreCompress", "BeforeTool"],
    "PreCompress",
    "AfterAgent",
    "SessionEnd"
  ]
}

/** Traces of the noisy and the crashing handler, and of ourselves: nobody but the log may hear of them. */
const secrets = [
  "noisy:",
  "cannot make sense of",
  "hooktape error",
  "hooktape debug",
  "crashing.ts:",
  "    at "
]

describe.each(agents)("a session of %s", (agent) => {
  let workspace: Workspace
  let hooktape: Hooktape
  let witness: DumpHooks
  let before: string
  let run: AgentRun
  let lines: ReadonlyArray<LogLine>
  let calls: ReadonlyArray<LoggedCall>

  const settings = () => readFileSync(userSettings(agent, workspace), "utf8")
  const check = shellTool[agent]("sh check.sh")

  beforeAll(async () => {
    workspace = makeWorkspace({ "check.sh": failing })
    const text = foreign[agent]
    if (text !== undefined) {
      mkdirSync(dirname(userSettings(agent, workspace)), { recursive: true })
      writeFileSync(userSettings(agent, workspace), text)
    }
    const always = Object.entries(dialects[agent].events).filter(([, when]) => when === "always")
    witness = dumpHooks(
      agent,
      workspace,
      {},
      always.map(([event]) => event)
    )
    before = settings()
    hooktape = hooktapeIn(workspace, {}, demoHooks)
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const path = agent === "codex" ? "fixed.txt" : join(workspace.cwd, "fixed.txt")
    run = await runAgent(agent, {
      workspace,
      prompt: "Make the check pass.",
      turns: [
        { text: "Checking.", tool: check },
        { tool: writeTool[agent](path, "yes\n") },
        { tool: check },
        { tool: shellTool[agent](push) },
        { text: "All done." }
      ]
    })
    lines = hooktape.log()
    calls = hooktape.calls(agent)
  })
  afterAll(() => workspace.dispose())

  it("comes to its end as if no hook had failed", () => {
    expect({ exitCode: run.exitCode, timedOut: run.timedOut, turnsTaken: run.turnsTaken }).toEqual({
      exitCode: 0,
      timedOut: false,
      turnsTaken: 5
    })
    expect(run.stdout).toContain("All done.")
    expect(inProject(workspace, "fixed.txt")).toBe(true)
  })

  it("tells the model what the hooks had for it, and nothing else", () => {
    expect(hookWords(run)).toEqual({
      // Codex does not tell its hooks how a command ended.
      contexts: agent === "codex" ? [brief(agent)] : [brief(agent), observed],
      toolBlocks: [reason],
      stopBlocks: []
    })
    expect(toolResults(run)).toHaveLength(4)
    const heard = received(run)
    expect(heard.length).toBeGreaterThan(5)
    for (const secret of secrets) expect(heard.filter(({ text }) => text.includes(secret))).toEqual([])
    // A word to the human is not for the model.
    expect(heard.filter(({ text }) => text.includes("the whole turn is on the log"))).toEqual([])
  })

  it("does not run the blocked command", () => {
    expect(inProject(workspace, "pushed")).toBe(false)
  })

  it("shows the user nothing of the noise", () => {
    // That a hook failed is said once, in a line of our own; whose hook it is reads more in the log.
    const heard = `${run.stdout}${run.stderr}`.replace(/hooktape: hook crashing failed: [^\n"]*/, "")
    for (const secret of secrets) expect(heard).not.toContain(secret)
    if (agent === "claude-code") expect(run.stderr).toBe("")
    if (agent === "codex") expect(run.stderr).toContain(`Command blocked by PreToolUse hook: ${reason}`)
    if (agent === "gemini-cli") {
      expect(run.stderr).toContain(`Tool execution blocked: ${reason}`)
      expect(run.stderr).toContain("Hook system message: gemini-cli finished; the whole turn is on the log")
      expect(run.stderr).not.toMatch(/failed for event|[1-9]\d* failed/)
    }
  })

  it("leaves every hook call on the log: in order, none lost, none double", () => {
    const names = calls.map(({ event }) => event)
    expect(names).toEqual(expected[agent])
    const seen = witness.captures()
    expect(seen.map(({ event }) => event)).toEqual(expected[agent])
    for (const event of new Set(names)) {
      const ours = calls.filter((call) => call.event === event).map(({ payload }) => payload)
      const theirs = seen.filter((capture) => capture.event === event).map(({ raw }) => raw)
      expect(ours.map(stripped)).toEqual(theirs.map(stripped))
    }
    expect(new Set(calls.map(({ invocation }) => invocation)).size).toBe(expected[agent].length)
  })

  it("brings every hook call to its end", () => {
    for (const { facts } of calls) {
      expect(facts.slice(0, 3).map(({ type }) => type)).toEqual([
        "INVOCATION_OPENED",
        "PAYLOAD_BUFFERED",
        "HANDLERS_PLANNED"
      ])
      expect(facts.slice(-2).map(({ type }) => type)).toEqual(["REPLY_DELIVERED", "EXITED"])
    }
    const sessions = new Set(
      lines.flatMap(({ agent: whose, session }) => (whose === agent && session ? [session] : []))
    )
    expect(sessions.size).toBe(1)
    expect(lines.map(({ position }) => position)).toEqual(lines.map((_, index) => index + 1))
  })

  it("keeps the crash and the noise for those who look", () => {
    const facts = calls.flatMap((call) => call.facts)
    const crashes = facts.filter((fact) => fact.type === "HANDLER_FAILED")
    expect(crashes.map(({ handler, policy }) => [handler, policy])).toEqual([["crashing", "allow"]])
    expect(crashes[0]?.error.message).toMatch(/^cannot make sense of \d+ characters$/)
    const noise = facts.filter((fact) => fact.type === "NOISE_CAPTURED")
    expect(noise.filter(({ stream }) => stream === "stderr").map(({ text }) => text)).toEqual(
      // Claude Code has an event of its own for a call that failed.
      Array.from({ length: agent === "claude-code" ? 2 : 3 }, () => "noisy: through process.stderr\n")
    )
    for (const { text } of noise.filter(({ stream }) => stream === "stdout"))
      for (const word of ["console.log", "descriptor 1", "a child process"]) expect(text).toContain(word)
    const blocks = facts.filter(
      (fact) =>
        fact.type === "REPLY_DELIVERED" && fact.channels.some(({ intent }) => intent === "BLOCKING_FEEDBACK")
    )
    expect(blocks).toMatchObject([{ exitCode: 0, stdout: expect.stringContaining(JSON.stringify(reason)) }])
  })

  it("can be replayed to the same end", () => {
    const { same, compared, differences } = JSON.parse(hooktape.must("replay", "--all", "--json"))
    expect({ same, compared, differences }).toEqual({
      same: true,
      compared: expected[agent].length,
      differences: []
    })
  })

  it("is found in order by the doctor", () => {
    const { status, stdout } = hooktape.run("doctor", "--json")
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean
      checks: ReadonlyArray<Record<string, string>>
    }
    expect(checks.filter((one) => one["status"] === "fail")).toEqual([])
    expect({ ok, status }).toEqual({ ok: true, status: 0 })
    // That the tests have hosts switched off is said as well.
    const warnings = checks.filter((one) => one["status"] === "warn" && one["name"] !== "environment")
    expect(warnings.map((one) => one["message"])).toEqual([
      expect.stringMatching(/^the hook "crashing" of \w+ failed/)
    ])
  })

  it("is as it was after an uninstall, and silent", async () => {
    hooktape.must("uninstall", "--agent", agent, "--scope", "user")
    expect(settings()).toBe(before)
    const known = hooktape.log().length
    const witnessed = witness.captures().length
    const again = await runAgent(agent, { workspace, turns: [{ tool: check }, { text: "All done." }] })
    expect(again.exitCode).toBe(0)
    // The settings are still read: the other hooks in them run.
    expect(witness.captures().length).toBeGreaterThan(witnessed)
    expect(hookWords(again)).toEqual({ contexts: [], toolBlocks: [], stopBlocks: [] })
    expect(hooktape.log()).toHaveLength(known)
    expect(readFileSync(settingsFile(agent, workspace), "utf8")).not.toContain("bin/hook")
  })
})

/** The shell that dumps a payload keeps it as it came; a line end after it is the agent's business. */
const stripped = (payload: string | undefined): string | undefined => payload?.trimEnd()
