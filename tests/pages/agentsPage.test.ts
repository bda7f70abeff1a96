/** The page of the agents says what the adapters do, and what the suite with the real agents runs. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { about, type SettingsAgent, settingsAgents } from "../../src/agents/about.ts"
import { adapters } from "../../src/agents/adapters.ts"
import { probes, probeTool } from "../../src/agents/probes.ts"
import type { Reply } from "../../src/agents/reply.ts"
import { byPlugin, settingsFiles } from "../../src/agents/settingsFiles.ts"
import { packages } from "../support/agents/install.ts"

const page = fileURLToPath(new URL("../../docs/reference/agents.md", import.meta.url))
const place = { home: "~", project: "<project>", env: {} }

const triedWith = (agent: SettingsAgent): string => {
  const [, tried] = Object.entries(packages).find(([name]) => name === agent) ?? []
  if (tried === undefined) expect(about[agent].isDocumentedOnly, agent).toBe(true)
  else expect(about[agent].isDocumentedOnly, agent).toBeUndefined()
  return tried === undefined ? "not tried: from its vendor's pages" : `\`${tried.name}\` ${tried.version}`
}

const asks: Reply = {
  ...probes.permission,
  permission: "ask",
  asks: [{ reason: "reason", ifCannotAsk: "block" }]
}

/** What becomes of it at the events before a tool, which are not of one mind in every agent. */
const beforeATool = (agent: SettingsAgent, slot: "block" | "permission" | "context" | "input"): string => {
  const { encode, events } = adapters[agent]
  const before = Object.keys(events).filter((name) => events[name]?.event === "tool.before")
  expect(before.length, agent).toBeGreaterThan(0)
  const reply = slot === "permission" ? asks : probes[slot]
  const able = before.filter((name) => {
    const carried = encode(name, "command", reply, probeTool).carried[slot]
    return carried !== undefined && "channel" in carried
  })
  if (able.length === before.length) return "yes"
  return able.length === 0 ? "–" : `at ${able.join(", ")}`
}

const row = (agent: SettingsAgent): string => {
  const files = settingsFiles[agent]
  const cells = [
    about[agent].title,
    `\`${agent}\``,
    triedWith(agent),
    `\`${files.user(place)}\`${byPlugin.some((name) => name === agent) ? ", and a plugin beside it" : ""}`,
    `\`${files.project(place)}\``,
    beforeATool(agent, "block"),
    beforeATool(agent, "permission"),
    beforeATool(agent, "context"),
    beforeATool(agent, "input")
  ]
  return `| ${cells.join(" | ")} |`
}

const text = (): string => `# Agents

What \`hooktape install --agent\` knows, the version that the suite with the real agents is pinned to, and where it writes. Made from the
adapters and that suite; do not edit.

| agent | \`--agent\` | tried with | your settings | a project's | stops a tool | asks before it | tells the model before it | changes its input |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${settingsAgents.map(row).join("\n")}

- Other versions work as long as they send what these send: an event or a field that hooktape does not know is recorded and passed through,
  never an error. \`npm run agents:latest\` in a clone installs the newest of those that were tried and runs their suite; of Claude Code, Codex and Gemini CLI it
  names what changed.
- Those with a version were run from their command line. An extension of an editor that reads the same settings file should call the same hooks: none was tried.
- An agent's own variable for its folder (\`CLAUDE_CONFIG_DIR\`, \`CODEX_HOME\`, \`GEMINI_CLI_HOME\` and the like) moves your settings, and \`install\` follows it.
  Claude Code and Droid have settings for one person in one project as well: \`--scope local\`.
- VS Code's own agent and GitHub Copilot CLI run every file of the same folders, each the other's as well, and each understands a block only as its own
  has it: registered for both, both are guarded, and each hook runs twice. With its setting \`chat.useClaudeHooks\`, which is off unless somebody sets it,
  VS Code runs what Claude Code has registered too. A session that it hands to another agent calls that agent's hooks.
- Kiro's files are read by its CLI since version 3, and by its editor since version 1. Kiro CLI 2 reads hooks from its agents' own files: there the same commands
  do under its own names, such as \`"preToolUse": [{ "command": "exec '<state directory>/bin/hook' kiro PreToolUse" }]\`; \`agentSpawn\` is SessionStart.
- Where an agent cannot ask, a hook's question [stops the call](options/ifCannotAsk.md) instead.
- What each event of each agent carries: [delivery](delivery.md). Which event is called what: [agents and events](events.md). An agent that is not here:
  \`hooktape run raw <Event>\` takes any JSON and answers in hooktape's own words.
`

it("docs/reference/agents.md is what the adapters and the agents' suite say; to make it anew: UPDATE_PAGES=1 npx vitest run tests/pages/agentsPage.test.ts", () => {
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(page, text())
  expect(readFileSync(page, "utf8")).toBe(text())
})
