/** Hooks as repositories have them, run by the real agent itself and then through hooktape: what they say and stop stays the same. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { shellTool } from "../../support/agents/agents.ts"
import { hooktapeIn, inProject } from "../../support/agents/hooktape.ts"
import { heard, hookWords, toolResults } from "../../support/agents/received.ts"
import { runAgent } from "../../support/agents/runAgent.ts"
import { makeWorkspace, settingsFile, type Workspace } from "../../support/agents/workspace.ts"

const shell = (text: string): string => `#!/bin/sh\n${text}\n`
const script = (name: string): string => `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${name}`
const one = (command: string, more: object = {}) => ({ ...more, hooks: [{ type: "command", command }] })

interface HookSet {
  readonly hooks: object
  readonly scripts: Readonly<Record<string, string>>
  /** What the model is told beside why something is refused. */
  readonly says: readonly string[]
}

const sets: Readonly<Record<string, HookSet>> = {
  "shell scripts that answer by exit code and plain text": {
    hooks: {
      SessionStart: [one(".claude/hooks/topology.sh"), one(".claude/hooks/version.sh")],
      PreToolUse: [one(script("no-force.sh"), { matcher: "Bash" })],
      PostToolUse: [one("echo 'nobody is told this'", { matcher: "Bash" })],
      Stop: [one(script("green.sh"))]
    },
    scripts: {
      "topology.sh": shell('echo "rooted at $(basename "$PWD")"'),
      "version.sh": shell("echo 'version 3'"),
      "no-force.sh": shell(
        `if grep -q -- --force; then echo "force-push is for people, see CONTRIBUTING" >&2; exit 2; fi`
      ),
      "green.sh": shell(
        `grep -q '"stop_hook_active": *true' && exit 0; echo "unit tests fail: fix before finishing" >&2; exit 2`
      )
    },
    says: ["rooted at project", "version 3"]
  },
  "Node scripts that answer in JSON, and one that fails": {
    hooks: {
      UserPromptSubmit: [one("node .claude/hooks/context.js")],
      PreToolUse: [
        one("node .claude/hooks/guard.js", { matcher: "Bash|Edit|Write" }),
        one("no-such-program run")
      ],
      PostToolUse: [one(`node "$CLAUDE_PROJECT_DIR/.claude/hooks/after.js"`, { matcher: "Bash" })]
    },
    scripts: {
      "say.js": "module.exports = (answer) => console.log(JSON.stringify({ hookSpecificOutput: answer }))\n",
      "context.js": `require("./say.js")({ hookEventName: "UserPromptSubmit", additionalContext: "branch: topic" })\n`,
      "guard.js": `let text = ""
process.stdin.on("data", (chunk) => { text += chunk }).on("end", () => {
  const { tool_input: { command = "" } } = JSON.parse(text)
  if (command.includes("--force"))
    require("./say.js")({ hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not by an agent" })
})\n`,
      "after.js": `require("./say.js")({ hookEventName: "PostToolUse", additionalContext: "run the linter" })\n`
    },
    says: ["branch: topic", "run the linter"]
  }
}

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.dispose())

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const session = async ({ says }: HookSet) => {
  const commands = ["touch pushed && git push --force origin main", "echo plain >plain.txt"]
  const run = await runAgent("claude-code", {
    workspace,
    turns: [
      ...commands.map((command) => ({ tool: shellTool["claude-code"](command) })),
      { text: "Done." },
      { text: "Done again." }
    ]
  })
  const { stopBlocks, toolBlocks } = hookWords(run)
  return {
    exitCode: run.exitCode,
    turns: run.turnsTaken,
    says: says.filter((text) => heard(run, text).length > 0),
    stopBlocks,
    toolBlocks,
    refused: toolResults(run).map(({ failed }) => failed),
    ran: [inProject(workspace, "pushed"), inProject(workspace, "plain.txt")]
  }
}

describe.each(Object.entries(sets))("claude-code with %s", (_, set) => {
  const { hooks, scripts } = set
  it("says and stops the same once hooktape has adopted them, and has its settings back afterwards", async () => {
    for (const [name, text] of Object.entries(scripts)) {
      const file = join(workspace.cwd, ".claude", "hooks", name)
      put(file, text)
      chmodSync(file, 0o755)
    }
    const settings = settingsFile("claude-code", workspace)
    put(settings, JSON.stringify({ hooks }, null, 2))
    const text = readFileSync(settings, "utf8")
    const before = await session(set)
    expect(before.toolBlocks).toHaveLength(1)
    expect(before.says).toEqual(set.says)
    expect(before.ran).toEqual([false, true])

    const hooktape = hooktapeIn(workspace)
    hooktape.must("install", "--agent", "claude-code", "--scope", "user")
    hooktape.must("adopt", "--yes")
    expect(readFileSync(settings, "utf8")).not.toContain(".claude/hooks")
    const after = await session(set)
    expect(after).toEqual(before)
    expect(hooktape.calls("claude-code").map(({ event }) => event)).toContain("PreToolUse")

    hooktape.must("adopt", "--undo")
    expect(readFileSync(settings, "utf8")).toBe(text)
  })
})
