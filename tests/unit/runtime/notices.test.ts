/** What the runtime says by itself reaches somebody, whichever agent asks. */
import { describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { diagnostic, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"
import { versionHint } from "../../../src/runtime/builds/versionHint.ts"
import { hintFor, noticesOf } from "../../../src/runtime/notices.ts"
import { registered, tell } from "../../support/world.ts"

const text = 'hooktape: updated from 0.1.0 to 0.2.0. Run "hooktape install" again.'

describe("a hint of the runtime", () => {
  const everywhere = agents.flatMap((agent) =>
    Object.keys(adapters[agent].events).map((event) => ({ agent, event }))
  )

  it("takes the channel that the agent has at the event, and no other", () => {
    expect(everywhere.length).toBeGreaterThan(60)
    for (const { agent, event } of everywhere) {
      const { carried, stderr, stdout } = adapters[agent].encode(
        event,
        "command",
        fold([hintFor(adapters[agent], event, text, "command")])
      )
      const said = [stdout.includes("updated from 0.1.0"), stderr.includes("updated from 0.1.0")]
      expect(said.filter(Boolean), `${agent} ${event}: ${JSON.stringify(carried)}`).toHaveLength(1)
    }
  })

  it("is in the document of Codex, and on standard error where there is no document", () => {
    expect(hintFor(adapters.codex, "SessionStart", text, "command")).toEqual(userHint(text))
    expect(hintFor(adapters.codex, "SessionEnd", text, "command")).toEqual(
      diagnostic("warn", text.replace("hooktape: ", ""))
    )
    expect(hintFor(adapters.codex, "Unheard", text, "command").type).toBe("DIAGNOSTIC")
    expect(hintFor(adapters.codex, "constructor", text, "command").type).toBe("DIAGNOSTIC")
  })
})

describe("what was found on the way to the handlers", () => {
  const notices = [userHint("hooktape: A"), diagnostic("warn", "B")]
  const found = {
    notices,
    warnings: ["C"],
    hints: ["hooktape: A", "hooktape: D"],
    transport: "command"
  } as const

  it("is said where the human looks, each hint once", () =>
    expect(noticesOf({ ...found, adapter: adapters.codex, agentEvent: "SessionStart" })).toEqual([
      ...notices,
      diagnostic("warn", "C"),
      userHint("hooktape: D")
    ]))

  it("is a warning where the agent has no field for the human, whoever found it", () => {
    for (const [agent, agentEvent] of [
      ["windsurf", "pre_user_prompt"],
      ["claude-code", "SessionEnd"]
    ] as const)
      expect(noticesOf({ ...found, adapter: adapters[agent], agentEvent })).toEqual(
        ["A", "B", "C", "D"].map((text) => diagnostic("warn", text))
      )
  })
})

describe("a version", () => {
  const of = (hooktape: string | undefined, cli = "/nowhere/dist/cli.js") => ({
    cli,
    ...(hooktape === undefined ? {} : { hooktape })
  })

  it("is told of when it changed, or could not be changed to, and not otherwise", () => {
    expect(versionHint(of("0.1.0"), of("0.2.0"))).toContain("updated from 0.1.0 to 0.2.0")
    expect(versionHint(of("0.1.0"), of("0.1.0"))).toBeUndefined()
    expect(versionHint(of(undefined), of("0.2.0"))).toBeUndefined()
    const ours = new URL("../../../dist/cli.js", import.meta.url).pathname
    expect(versionHint(of("0.0.0", ours), of("0.0.0", ours))).toMatch(
      /^hooktape: \d+\.\d+\.\d+\S* is installed, and hooks still run as 0\.0\.0 built them\. Run "hooktape build"\.$/
    )
  })
})

describe("an event that the adapter does not know", () => {
  const unheard = { adapter: adapters.codex, agentEvent: "PreToolUze", payload: { session_id: "s" } }

  it("is a warning and exit 0", async () => {
    const { delivered, find } = await tell(unheard)
    expect(delivered[0]).toMatchObject({ stdout: "", exitCode: 0 })
    expect(delivered[0]?.stderr).toBe(
      'hooktape warn: unknown event of codex: PreToolUze. It is recorded; a hook can subscribe to it as "agent.PreToolUze".\n'
    )
    expect(find("HANDLERS_PLANNED")[0]?.notices).toHaveLength(1)
  })

  it("is none where a hook subscribes to it, where the adapter knows it, or where it is named as passed through", async () => {
    const quiet = [
      { ...unheard, registry: registered({ a: { on: "agent.PreToolUze", run: () => {} } }) },
      { ...unheard, registry: registered({ a: { on: "agent.PreToolUze", enabled: false, run: () => {} } }) },
      { ...unheard, agentEvent: "PreToolUse" },
      { ...unheard, adapter: adapters["claude-code"], agentEvent: "WorktreeCreate" },
      { ...unheard, adapter: adapters.raw, agentEvent: "agent.Own" },
      { ...unheard, adapter: adapters.raw, agentEvent: "file.edited" }
    ]
    for (const world of quiet) expect((await tell(world)).delivered[0]?.stderr).toBe("")
  })
})
