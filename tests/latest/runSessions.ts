/** Runs an agent through the same few sessions, whatever its version, and writes down what its hooks met. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Agent, shellTool, writeTool } from "../support/agents/agents.ts"
import { type Capture, dumpHooks, type HookAnswer } from "../support/agents/dumpHooks.ts"
import { received } from "../support/agents/received.ts"
import { type AgentRun, type RunOptions, runAgent } from "../support/agents/runAgent.ts"
import { makeWorkspace, type Workspace } from "../support/agents/workspace.ts"
import { ownWords, sorted } from "./ownWords.ts"
import type { Outcome, Survey } from "./Survey.ts"

/** `path: type` of everything in it. The items of a list are one. */
export const shapeOf = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return [`${path}: list`, ...value.flatMap((item) => shapeOf(item, `${path}[]`))]
  if (typeof value !== "object" || value === null)
    return [`${path}: ${value === null ? "null" : typeof value}`]
  const inside = Object.entries(value).flatMap(([key, item]) =>
    shapeOf(item, path === "" ? key : `${path}.${key}`)
  )
  return path === "" ? inside : [`${path}: object`, ...inside]
}

const payloadsOf = (captures: ReadonlyArray<Capture>): Survey["payloads"] =>
  Object.fromEntries(
    sorted(captures.map(({ event }) => event)).map((event) => [
      event,
      sorted(captures.filter((one) => one.event === event).flatMap(({ payload }) => shapeOf(payload)))
    ])
  )

const points = {
  "claude-code": { prompt: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stop: "Stop" },
  codex: { prompt: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stop: "Stop" },
  "gemini-cli": { prompt: "BeforeAgent", before: "BeforeTool", after: "AfterTool", stop: "AfterAgent" }
} as const satisfies Readonly<Record<Agent, object>>

const json = (value: object): HookAnswer => ({ stdout: `${JSON.stringify(value)}\n` })
const specific = (hookEventName: string, fields: object): HookAnswer =>
  json({ hookSpecificOutput: { hookEventName, ...fields } })

const rewritten = "touch rewritten"

/** Each is tried in a session of its own, so that none hides what another does. */
const answersFor = (
  agent: Agent
): Readonly<Record<string, Readonly<Record<string, HookAnswer | ReadonlyArray<HookAnswer>>>>> => {
  const { after, before, prompt, stop } = points[agent]
  const refusal = { decision: agent === "gemini-cli" ? "deny" : "block", reason: "WORD" }
  const context = (event: string) => ({ [event]: specific(event, { additionalContext: "WORD" }) })
  const decided = (permissionDecision: string) => ({
    [before]:
      agent === "gemini-cli"
        ? json({ decision: permissionDecision, reason: "WORD" })
        : specific(before, { permissionDecision, permissionDecisionReason: "WORD" })
  })
  const input = { ...(shellTool[agent](rewritten).input as object), command: rewritten }
  return {
    "context at the start": context("SessionStart"),
    "context at a prompt": context(prompt),
    "context before a tool": context(before),
    "context after a tool": context(after),
    "a message to the human before a tool": { [before]: json({ systemMessage: "WORD" }) },
    "a prompt refused": { [prompt]: json(refusal) },
    "a prompt refused by exit code": { [prompt]: { stderr: "WORD", exitCode: 2 } },
    "a tool denied": decided("deny"),
    "a tool refused": { [before]: json(refusal) },
    "a tool refused by exit code": { [before]: { stderr: "WORD", exitCode: 2 } },
    "a tool asked about": decided("ask"),
    "another input": {
      [before]:
        agent === "gemini-cli"
          ? specific(before, { tool_input: input })
          : specific(before, { permissionDecision: "allow", updatedInput: input })
    },
    "an outcome refused": { [after]: json(refusal) },
    "a stop refused": { [stop]: [json(refusal)] },
    "a stop refused by exit code": { [stop]: [{ stderr: "WORD", exitCode: 2 }] },
    "no JSON": { [before]: { stdout: "WORD" } },
    "a failure": { [before]: { stderr: "WORD", exitCode: 1 } },
    "an end": { [after]: json({ continue: false, stopReason: "WORD" }) }
  }
}

/** A skill with a command in its text, for those who have both. */
const skill = {
  ".claude/skills/deep/SKILL.md": "---\nname: deep\ndescription: deep work\n---\nSeen: !`echo hello`\n"
}

const alone = async <T>(work: (workspace: Workspace) => Promise<T>): Promise<T> => {
  const workspace = makeWorkspace(skill)
  try {
    return await work(workspace)
  } finally {
    workspace.dispose()
  }
}

const turnsOf = (agent: Agent): RunOptions["turns"] => [
  { text: "Looking.", tool: shellTool[agent]("touch ran") },
  { text: "All done." },
  { text: "Goodbye." }
]

/** Of what an agent says beside a hook's word only that there is something: the wording is of its version. */
const withoutProse = (paragraph: string): string =>
  paragraph
    .split("\n")
    .map((line) => (line.includes("WORD") || line.length <= longestMark ? line : "…"))
    .join("\n")

/** In characters; longer lines are sentences. */
const longestMark = 80

const outcomeOf = (run: AgentRun, { cwd, root }: Workspace): Outcome => ({
  ran: ["ran", "rewritten"].filter((name) => existsSync(join(cwd, name))),
  turns: run.turnsTaken,
  exitCode: run.exitCode,
  told: received(run).flatMap(({ role, text }) =>
    text
      .split("\n\n")
      .filter((paragraph) => paragraph.includes("WORD"))
      .map((paragraph) => `${role}: ${withoutProse(paragraph).replaceAll(root, "‹root›")}`)
  )
})

const answered = (agent: Agent, answers: Parameters<typeof dumpHooks>[2]): Promise<Outcome> =>
  alone(async (workspace) => {
    dumpHooks(agent, workspace, answers)
    return outcomeOf(await runAgent(agent, { workspace, turns: turnsOf(agent) }), workspace)
  })

/** A command that succeeds, one that fails, a file that is written, a skill where there are any; once allowed everything, once not. */
const watched = (agent: Agent, careful: boolean): Promise<ReadonlyArray<Capture>> =>
  alone(async (workspace) => {
    const hooks = dumpHooks(agent, workspace)
    const path = agent === "codex" ? "new.txt" : join(workspace.cwd, "new.txt")
    await runAgent(agent, {
      workspace,
      careful,
      turns: [
        { text: "Looking.", tool: shellTool[agent]("echo hello") },
        { tool: shellTool[agent]("echo no >&2; exit 3") },
        { tool: writeTool[agent](path, "one\n") },
        ...(agent === "claude-code" ? [{ tool: { name: "Skill", input: { skill: "deep" } } }] : []),
        { text: "All done." }
      ]
    })
    return hooks.captures()
  })

/** What every process has, and what the harness gives. */
const given = ["PATH", "HOME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_", "LANG"]

export const survey = async (agent: Agent, version: string): Promise<Survey> => {
  const captures = [...(await watched(agent, false)), ...(await watched(agent, true))]
  const answers: Record<string, Outcome> = {}
  for (const [name, answer] of Object.entries(answersFor(agent)))
    answers[name] = await answered(agent, answer)
  return {
    version,
    ...ownWords(agent),
    payloads: payloadsOf(captures),
    environment: sorted(captures.flatMap(({ env }) => Object.keys(env))).filter(
      (name) => !given.includes(name) && !name.startsWith("HOOKTAPE_")
    ),
    answers
  }
}
