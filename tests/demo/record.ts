/**
 * Records the demo's input: sessions of the real agents against a scripted model, their hook calls read back from the log, with
 * everything that tells of this machine taken out.
 *
 *     npm run build && node .ci/run-ts.mjs tests/demo/record.ts
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { homedir, hostname, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { type Agent, agents, shellTool, writeTool } from "../support/agents/agents.ts"
import type { ToolCall, Turn } from "../support/agents/dialects.ts"
import { demoHooks, hooktapeIn } from "../support/agents/hooktape.ts"
import { installAgents } from "../support/agents/install.ts"
import { runAgent } from "../support/agents/runAgent.ts"
import { makeWorkspace, toolPath, type Workspace } from "../support/agents/workspace.ts"
import type { Call } from "./stage.ts"

const files = {
  "sum.mjs": "export const sum = (numbers) => numbers.reduce((all, one) => all - one, 0)\n",
  "sum.test.mjs": [
    'import assert from "node:assert/strict"',
    'import { sum } from "./sum.mjs"',
    "",
    "assert.equal(sum([1, 2, 3]), 6)",
    'console.log("1 test passed")',
    ""
  ].join("\n")
}

const fixed = files["sum.mjs"].replace("all - one", "all + one")

/** The same edit in each agent's own words. */
const edits: Readonly<Record<Agent, (project: string) => ToolCall>> = {
  "claude-code": (project) => ({
    name: "Edit",
    input: { file_path: join(project, "sum.mjs"), old_string: "all - one", new_string: "all + one" }
  }),
  codex: () => ({
    name: "apply_patch",
    input: [
      "*** Begin Patch",
      "*** Update File: sum.mjs",
      "@@",
      `-${files["sum.mjs"].trimEnd()}`,
      `+${fixed.trimEnd()}`,
      "*** End Patch",
      ""
    ].join("\n")
  }),
  "gemini-cli": (project) => ({
    name: "replace",
    input: {
      file_path: join(project, "sum.mjs"),
      instruction: "Add instead of subtracting.",
      old_string: "all - one",
      new_string: "all + one"
    }
  })
}

const reads: Readonly<Record<Agent, (project: string) => ToolCall>> = {
  "claude-code": (project) => ({ name: "Read", input: { file_path: join(project, "sum.mjs") } }),
  codex: () => shellTool.codex("cat sum.mjs"),
  "gemini-cli": (project) => ({ name: "read_file", input: { file_path: join(project, "sum.mjs") } })
}

/** A bug is found, mended and pushed, the last of it not in the way that was tried first. */
const mending = (agent: Agent, project: string): readonly Turn[] => {
  const shell = shellTool[agent]
  return [
    { text: "I run the test first.", tool: shell("node sum.test.mjs") },
    { tool: reads[agent](project) },
    { text: "It subtracts.", tool: edits[agent](project) },
    { tool: shell("node sum.test.mjs") },
    { tool: shell("git commit -q -am 'Add the numbers up' && git push --force origin main") },
    { tool: shell("git commit -q -am 'Add the numbers up' && git push -q --force-with-lease origin main") },
    { text: "The test passes, and the fix is pushed." }
  ]
}

const telling = (agent: Agent, project: string): readonly Turn[] => [
  {
    tool: writeTool[agent](
      agent === "codex" ? "CHANGELOG.md" : join(project, "CHANGELOG.md"),
      "# Changes\n\n- `sum` adds.\n"
    )
  },
  { text: "Written." }
]

/** A remote to push to and a name to commit under. */
const prepare = ({ home, cwd }: Workspace): void => {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd, env: { PATH: toolPath(), HOME: home }, stdio: "ignore" })
  const remote = join(home, "remote.git")
  mkdirSync(remote)
  git("init", "-q", "--bare", remote)
  git("remote", "add", "origin", remote)
  git("push", "-q", "origin", "main")
  // Of the repository: not every agent lets its commands see the settings of a home.
  git("config", "user.name", "dev")
  git("config", "user.email", "dev@localhost")
  // Hooks of one's own are no part of what is pushed.
  writeFileSync(join(cwd, ".git", "info", "exclude"), ".hooktape/\n")
}

/** Agents also name a directory with its slashes turned into dashes. */
const dashed = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-")

const scrub = (text: string, { root, home, cwd, tmp }: Workspace): string =>
  [
    [cwd, "{{project}}"],
    [home, "{{home}}"],
    [tmp, "/tmp"],
    [dashed(cwd), "-home-dev-project"],
    [dashed(root), "-home-dev"]
  ].reduce((all, [from, to]) => all.replaceAll(from ?? "", to ?? ""), text)

const insist = (call: Call, { root }: Workspace): Call => {
  const telltales = [
    root,
    dashed(root),
    homedir(),
    hostname(),
    userInfo().username,
    dirname(process.execPath)
  ]
  const told = telltales.filter((one) =>
    new RegExp(`(?<![\\w-])${one.replaceAll(/\W/g, "\\$&")}(?![\\w-])`).test(call.payload)
  )
  if (told.length === 0) return call
  throw new Error(`the payload of ${call.agent} ${call.event} tells of this machine: ${told.join(", ")}`)
}

const record = async (agent: Agent): Promise<readonly Call[]> => {
  const workspace = makeWorkspace(files)
  try {
    prepare(workspace)
    const hooktape = hooktapeIn(workspace, {}, demoHooks)
    hooktape.must("install", "--agent", agent, "--scope", "user")
    const prompts = [
      ["The test fails. Find out why, mend it and push.", mending],
      ["Write down what changed.", telling]
    ] as const
    for (const [prompt, turns] of prompts) {
      const run = await runAgent(agent, { workspace, prompt, turns: turns(agent, workspace.cwd) })
      if (run.exitCode !== 0) throw new Error(`${agent} ended with ${run.exitCode}: ${run.stderr}`)
    }
    return hooktape
      .calls(agent)
      .map(({ event, payload = "" }) =>
        insist({ agent, event, payload: scrub(payload, workspace) }, workspace)
      )
  } finally {
    workspace.dispose()
  }
}

await installAgents()
const recorded: Call[] = []
for (const agent of agents) {
  const calls = await record(agent)
  process.stdout.write(`${agent}: ${calls.length} hook calls\n`)
  recorded.push(...calls)
}
writeFileSync(join(import.meta.dirname, "recording.json"), `${JSON.stringify(recorded, null, 2)}\n`)
process.stdout.write(`${recorded.length} hook calls in tests/demo/recording.json\n`)
