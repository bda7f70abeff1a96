/** Commands in the text of a skill, which Claude Code runs as it loads it: what guards a tool call guards them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard } from "../../support/agents/received.ts"
import { type AgentRun, runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../../support/agents/workspace.ts"

let workspace: Workspace
const skill = (name: string, command: string): Readonly<Record<string, string>> => ({
  [`.claude/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: what ${name} does\n---\nSeen: !\`${command}\`\n`
})
beforeEach(() => {
  workspace = makeWorkspace({
    // Claude Code by itself would not run what removes a home.
    ...skill("tidy", "git push --force origin main"),
    ...skill("refused", "touch refused"),
    ...skill("asked", "touch asked"),
    ...skill("changed", "touch first"),
    ...skill("told", "touch told && echo OUTPUT")
  })
})
afterEach(() => workspace.dispose())

const hooks = `import { blockingFeedback, defineHook, modelContext, userHint } from "hooktape"
const onCommand = (name, command, run) => defineHook({ name, on: "tool.before", when: { tool: "shell", command }, run })
export const refusing = onCommand("refusing", "touch refused", () => blockingFeedback("REASON no"))
export const asking = onCommand("asking", "touch asked", () => modelContext({ permission: "ask", reason: "REASON ask" }))
export const changing = onCommand("changing", "touch first", () => modelContext({ updatedInput: { command: "touch second" } }))
export const telling = onCommand("telling", "touch told", () => [modelContext("CONTEXT told"), userHint("HINT told")])
`

const load = (name: string, by: "model" | "human"): Promise<AgentRun> =>
  runAgent("claude-code", {
    workspace,
    prompt: by === "human" ? `/${name}` : "Do the work.",
    turns: [
      ...(by === "human" ? [] : [{ tool: { name: "Skill", input: { skill: name } } }]),
      { text: "Done." }
    ],
    env: { HOOKTAPE_DEFAULTS: "on" }
  })

describe.each(["model", "human"] as const)("a skill that the %s loads", (by) => {
  it("is guarded: what is refused or asked about does not run, and the model reads why in its place", async () => {
    const hooktape = hooktapeIn(workspace, { "hooks.ts": hooks }, undefined, "on")
    hooktape.must("install", "--agent", "claude-code", "--scope", "user")

    const guarded = await load("tidy", by)
    expect(guarded.exitCode).toBe(0)
    expect(heard(guarded, "Seen: [not run: blocked by hook: guard-destructive (force-push): ")).not.toEqual(
      []
    )

    const refused = await load("refused", by)
    expect(inProject(workspace, "refused")).toBe(false)
    expect(heard(refused, "Seen: [not run: blocked by hook: REASON no]")).not.toEqual([])

    const asked = await load("asked", by)
    expect(inProject(workspace, "asked")).toBe(false)
    expect(heard(asked, "REASON ask")).not.toEqual([])

    const changed = await load("changed", by)
    expect(heard(changed, "blocked by hook")).toEqual([])
    expect(["first", "second"].filter((name) => inProject(workspace, name))).toEqual(["first"])

    const told = await load("told", by)
    expect(inProject(workspace, "told")).toBe(true)
    expect(heard(told, "Seen: OUTPUT")).not.toEqual([])

    const channels = hooktape
      .calls("claude-code")
      .filter(({ event }) => event === "PreSkillShellCommand")
      .map(({ facts }) => facts.flatMap((one) => (one.type === "REPLY_DELIVERED" ? one.channels : [])))
      .map((sent) => sent.map(({ channel, handler, intent }) => `${handler} ${intent} ${channel}`))
    expect(channels).toEqual([
      ["guard-destructive BLOCKING_FEEDBACK stdout: hookSpecificOutput.permissionDecisionReason"],
      ["refusing BLOCKING_FEEDBACK stdout: hookSpecificOutput.permissionDecisionReason"],
      ["asking MODEL_CONTEXT.permission undeliverable"],
      ["changing MODEL_CONTEXT.input undeliverable"],
      ["telling MODEL_CONTEXT.context undeliverable", "telling USER_HINT stdout: systemMessage"]
    ])
  })
})
