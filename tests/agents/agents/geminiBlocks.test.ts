/** What Gemini CLI makes of a block, event by event: by exit code a failed hook, as JSON a block and nothing else. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard, received } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, registerHooks, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const reason = "There is a REASON for it."
const failedHook = "failed for event"

/** Events at which Gemini CLI lets a hook block, with our event and what a block at the first call of each comes to. */
const blocked = {
  BeforeAgent: { on: "prompt.submit", turnsTaken: 0, ran: false, shown: "Agent execution blocked: " },
  BeforeModel: { on: "model.before", turnsTaken: 0, ran: false, shown: "Agent execution blocked: " },
  AfterModel: { on: "model.after", turnsTaken: 2, ran: true, shown: "Agent execution blocked: " },
  BeforeTool: { on: "tool.before", turnsTaken: 2, ran: false, shown: "Tool execution blocked: " },
  AfterTool: { on: "tool.after", turnsTaken: 2, ran: true, shown: "Tool result blocked: " },
  AfterAgent: { on: "turn.stop", turnsTaken: 3, ran: true, shown: "Agent execution blocked: " }
} as const
type Event = keyof typeof blocked
const events = Object.keys(blocked) as readonly Event[]

const start = (): Promise<AgentRun> =>
  runAgent("gemini-cli", {
    workspace,
    turns: [{ tool: shellTool["gemini-cli"]("touch ran && echo OUTPUT") }, { text: "One." }, { text: "Two." }]
  })

/** The same for either way of saying it. */
const isBlocked = (event: Event, run: AgentRun): void => {
  const { ran, shown, turnsTaken } = blocked[event]
  expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken })
  expect(inProject(workspace, "ran")).toBe(ran)
  expect(run.stderr).toContain(shown + reason)
  const words = heard(run, reason).map(({ role, text }) => [role, text])
  expect(words).toEqual(
    {
      BeforeAgent: [],
      BeforeModel: [],
      AfterModel: [],
      BeforeTool: [["tool", `Tool execution blocked: ${reason}`]],
      AfterTool: [["tool", reason]],
      AfterAgent: [["user", reason]]
    }[event]
  )
  if (event === "AfterTool") expect(received(run).filter(({ text }) => text.includes("OUTPUT"))).toEqual([])
}

/** A hook by hand that says its words at its first call only. */
const register = (event: Event, words: string): void => {
  const mark = join(workspace.root, "said")
  const script = join(workspace.root, "hook.sh")
  writeFileSync(script, `cat >/dev/null\ntest -e ${mark} && exit 0\ntouch ${mark}\n${words}\n`)
  registerHooks("gemini-cli", workspace, { [event]: `sh ${script}` })
}

describe.each(events)("a block at %s", (event) => {
  it("by exit code is shown as a failed hook as well", async () => {
    register(event, `echo '${reason}' >&2; exit 2`)
    const run = await start()
    isBlocked(event, run)
    expect(run.stderr).toContain(failedHook)
  })

  it("of a hook of ours is shown as a block, and no hook as failed", async () => {
    const mark = join(workspace.root, "said")
    const hooktape = hooktapeIn(workspace, {
      "hooks.ts": `import { existsSync, writeFileSync } from "node:fs"
import { blockingFeedback, defineHook, diagnostic, userHint } from "hooktape"
export default defineHook({
  name: "guard",
  on: "${blocked[event].on}",
  run: () => {
    if (existsSync(${JSON.stringify(mark)})) return undefined
    writeFileSync(${JSON.stringify(mark)}, "")
    return [blockingFeedback("${reason}"), diagnostic("warn", "DIAGNOSED")${event === "BeforeTool" ? ', userHint("HINTED")' : ""}]
  }
})
`
    })
    hooktape.must("install", "--agent", "gemini-cli", "--scope", "user")
    const run = await start()
    expect(existsSync(mark)).toBe(true)
    isBlocked(event, run)
    expect(run.stderr).not.toContain(failedHook)
    expect(run.stderr).not.toContain("DIAGNOSED")
    // By exit code there was no way for it.
    if (event === "BeforeTool") expect(run.stderr).toContain("Hook system message: HINTED")
    expect(heard(run, "DIAGNOSED")).toEqual([])
  })
})

describe("what fails, and how", () => {
  it.each([
    ["an exit code of 2 and no word", "exit 2"],
    ["an exit code of 2 that does not arrive because the hook is killed", `echo '${reason}' >&2; kill -9 $$`],
    ["a document that does not arrive", "exit 0"],
    ["half a document", `printf '{"reason":"${reason}","deci'`]
  ])("blocks nothing: %s", async (_, words) => {
    register("BeforeTool", words)
    await start()
    expect(inProject(workspace, "ran")).toBe(true)
  })

  it.each([
    [
      "a reason on standard error with exit code 2, after half a document",
      `printf '{"reason":"${reason}","deci'; echo '${reason}' >&2; exit 2`
    ],
    ["a document whose hook is killed then", `echo '{"reason":"${reason}","decision":"deny"}'; kill -9 $$`]
  ])("blocks: %s", async (_, words) => {
    register("BeforeTool", words)
    await start()
    expect(inProject(workspace, "ran")).toBe(false)
  })
})
