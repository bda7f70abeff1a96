/** A hook that never lets the real agents stop: after its limit they stop, the human hears of it, and the log has all of it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { agents } from "../../support/agents/agents.ts"
import { hooktapeIn } from "../../support/agents/hooktape.ts"
import { hookWords } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const insisting = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "insisting", on: "turn.stop", run: () => blockingFeedback("There is more to do.") })\n`

const stop = { "claude-code": "Stop", codex: "Stop", "gemini-cli": "AfterAgent" } as const
const held = "hooks have kept the agent from stopping 3 times in a row, and 3 is the most"

describe.each(agents)("%s with a hook that always refuses its stop", (agent) => {
  it("stops after three refusals in a row", async () => {
    const hooktape = hooktapeIn(workspace, { "hooks.ts": insisting })
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const run = await runAgent(agent, {
      workspace,
      // More than it may take.
      turns: Array.from({ length: 8 }, (_, nth) => ({ text: `Done for the ${nth + 1}. time.` }))
    })
    expect({ exitCode: run.exitCode, turnsTaken: run.turnsTaken }).toEqual({ exitCode: 0, turnsTaken: 4 })
    expect(hookWords(run).stopBlocks).toEqual(["There is more to do."])
    const facts = hooktape
      .calls(agent)
      .filter(({ event }) => event === stop[agent])
      .map(({ facts }) => facts)
    const plans = facts.flatMap((of) => of.filter((fact) => fact.type === "HANDLERS_PLANNED"))
    expect(plans.map(({ stops }) => stops)).toEqual([0, 1, 2, 3].map((blocked) => ({ blocked, most: 3 })))
    const replies = facts.flatMap((of) => of.filter((fact) => fact.type === "REPLY_DELIVERED"))
    const refusals = replies.map(({ stdout }) => stdout.includes('"reason":"There is more to do."'))
    expect(refusals).toEqual([true, true, true, false])
    const last = replies.at(-1)
    expect(last?.channels.find(({ intent }) => intent === "BLOCKING_FEEDBACK")).toEqual({
      intent: "BLOCKING_FEEDBACK",
      handler: "insisting",
      held: true,
      channel: "undeliverable",
      reason: held
    })
    const hint = last?.channels.find(({ intent }) => intent === "USER_HINT")
    expect(hint).toMatchObject({
      handler: "hooktape",
      channel: expect.stringMatching(/^stdout: systemMessage/)
    })
    expect(last?.stdout).toContain(held)
  })
})
