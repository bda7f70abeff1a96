/** The shipped guards as they are called: where a command runs, how it was given, and what becomes of a call that they cannot judge. */
import { describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import type { Adapter } from "../../../src/agents/Adapter.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { describeTool } from "../../../src/agents/toolCall.ts"
import { directoryOf } from "../../../src/features/guard/directoryOf.ts"
import { guardDestructive } from "../../../src/features/guard/guardDestructive.ts"
import { ownGuards } from "../../../src/features/ownGuards/ownGuards.ts"
import { plan } from "../../../src/runtime/registry.ts"
import { tell } from "../../support/world.ts"

const shell = (input: Tool["input"]): Tool =>
  ({ kind: "shell", name: "exec", input, command: "rm x" }) as Tool

it.each<readonly [Tool["input"], string]>([
  [{ cmd: "rm x" }, "/work"],
  [{ cmd: "rm x", workdir: "/etc" }, "/etc"],
  [{ command: "rm x", dir_path: "../other" }, "/other"],
  [{ command: "rm x", directory: "sub" }, "/work/sub"],
  [{ command: "rm x", workdir: 7 }, "/work"]
])("a command runs where its tool is told to: %j", (input, directory) => {
  expect(directoryOf(shell(input), "/work")).toBe(directory)
})

it("one word of a list stays one", () => {
  const input = { command: ["bash", "-lc", "rm -rf ~ && ls"] }
  expect(describeTool({ kind: "shell", command: "command" }, "shell", input).command).toBe(
    "bash -lc 'rm -rf ~ && ls'"
  )
})

it.each([ownGuards, guardDestructive])("the human is asked about what $name cannot judge", (hook) => {
  const planned = plan([{ hook, source: `hooktape:${hook.name}` } as never], {
    agent: "claude-code",
    project: "/work",
    tool: shell({ command: "rm x" }),
    events: [{ event: "tool.before", data: {} }] as never,
    deadlineMs: 1000,
    context: () => {
      throw new Error("cannot be told")
    }
  })
  expect(planned.handlers).toMatchObject([
    { handler: hook.name, onFailure: "ask", stuck: expect.any(String) }
  ])
})

/** What a shipped guard answers to a call, as it is planned and run; undefined where it has nothing to say or is not even started. */
const answer = async (hook: typeof ownGuards | typeof guardDestructive, tool: Tool): Promise<unknown> => {
  const context = {
    cwd: "/home/me/work",
    project: "/home/me/work",
    tool,
    settings: {},
    services: { call: () => undefined }
  }
  const { handlers } = plan([{ hook, source: `hooktape:${hook.name}` } as never], {
    agent: "claude-code",
    project: "/home/me/work",
    tool,
    events: [{ event: "tool.before", data: {} }] as never,
    deadlineMs: 1000,
    context: () => context as never
  })
  return handlers.length === 0 ? "not started" : hook.run(context as never)
}

const given = (input: Tool["input"], kind: Tool["kind"]): Tool => ({
  kind,
  name: "mcp__term__run",
  input
})

describe("a command line in a tool that is no shell by its kind", () => {
  it.each<readonly [Tool["input"], Tool["kind"]]>([
    [{ command: "rm -rf ~", description: "x", timeout_ms: 1, persistent: true }, "other"],
    [{ command: "rm -rf ~" }, "mcp"],
    [{ cmd: "ls; rm -rf ~" }, "mcp"],
    [{ script: "#!/bin/sh\nrm -rf ~" }, "mcp"],
    [{ commandLine: "rm -rf ~" }, "mcp"],
    [{ shell_command: "rm -rf ~" }, "mcp"],
    [{ command: ["rm", "-rf", "/home/me"] }, "mcp"],
    [{ command: ["bash", "-c", "rm -rf ~ && ls"] }, "mcp"],
    [{ argv: ["rm", "-rf", "/home/me"] }, "mcp"],
    [{ command: "rm", args: ["-rf", "/home/me"] }, "mcp"],
    [{ program: "rm", arguments: ["-rf", "/home/me"] }, "mcp"],
    [{ commands: ["ls", "rm -rf ~"] }, "mcp"],
    [
      {
        steps: [
          { name: "a", run: "ls" },
          { name: "b", run: "rm -rf ~" }
        ]
      },
      "mcp"
    ],
    [{ input: { request: { command: "rm -rf ~" } } }, "mcp"],
    [{ command: "rm -rf me", cwd: "/home" }, "mcp"],
    [{ command: "view", other: { command: "rm -rf ~" } }, "mcp"]
  ])("is read by guard-destructive: %j", async (input, kind) => {
    expect(await answer(guardDestructive, given(input, kind))).toMatchObject({ type: "BLOCKING_FEEDBACK" })
  })

  it.each<readonly [name: string, Tool["input"]]>([
    ["mcp__py__run", { code: "import shutil; shutil.rmtree('/home/me')" }],
    ["mcp__sandbox__eval", { language: "javascript", code: "fs.rmSync('/home/me', { recursive: true })" }],
    ["mcp__sandbox__eval", { language: "bash", code: "ls; rm -rf ~" }],
    ["mcp__terminal__send", { input: "rm -rf ~\n" }],
    ["write_stdin", { session_id: 3, chars: "rm -rf ~\n" }],
    ["mcp__term__type", { text: "rm -rf ~\n" }],
    ["mcp__iterm2__write", { input: "rm -rf ~\r" }],
    ["mcp__pty__keys", { keys: "rm -rf ~\n" }],
    ["mcp__ide__executeCode", { code: "!rm -rf ~" }],
    ["mcp__ide__executeCode", { code: "import os\nout = !rm -rf /home/me\nprint(out)" }],
    ["mcp__jupyter__run_cell", { source: "%%bash\ncd ~\nrm -rf .ssh" }],
    ["mcp__jupyter__run_cell", { source: "%sx rm -rf ~", language: "python" }],
    ["mcp__jupyter__run_cell", { source: "a, b = !rm -rf ~" }],
    ["mcp__jupyter__run_cell", { source: "obj.x = !rm -rf ~" }],
    ["mcp__jupyter__run_cell", { source: "found['a'] = !rm -rf ~" }],
    ["mcp__jupyter__run_cell", { source: "%alias x rm -rf ~\nx" }],
    ["mcp__jupyter__run_cell", { source: "# clean\n\n%%bash\nrm -rf ~" }],
    ["mcp__repl__send_note", { text: "rm -rf ~" }]
  ])("is read by guard-destructive under other names: %s %j", async (name, input) => {
    expect(await answer(guardDestructive, { kind: "other", name, input })).toMatchObject({
      type: "BLOCKING_FEEDBACK"
    })
  })

  it.each<readonly [name: string, Tool["input"]]>([
    ["mcp__postgres__query", { sql: "TRUNCATE users" }],
    ["mcp__postgres__execute_sql", { query: "DROP TABLE users" }],
    ["mcp__db__run", { query: "delete from users", database: "app" }],
    ["mcp__warehouse__ask", { sql: "DROP SCHEMA public" }],
    ["mcp__postgres__batch", { statements: ["SELECT 1", "DROP TABLE users"] }],
    ["mcp__postgres__batch", { sql: ["DROP TABLE users"] }],
    ["mcp__postgres__search_users", { sql: "DROP TABLE users" }]
  ])("is asked about where it is told to a database: %s %j", async (name, input) => {
    expect(await answer(guardDestructive, { kind: "mcp", name, input })).toMatchObject({ permission: "ask" })
  })

  it.each<readonly [name: string, Tool["input"]]>([
    ["mcp__postgres__query", { sql: "select * from users where id = 1" }],
    ["mcp__postgres__query", { sql: "drop table x", database: "app_test" }],
    ["mcp__postgres__execute_sql", { query: "delete from sessions where id = 5" }],
    ["mcp__github__search_issues", { query: "drop table users" }],
    ["mcp__graphql__query", { query: "mutation { deleteUser(id: 1) { id } }" }],
    ["mcp__browser__type", { text: "rm -rf ~" }],
    ["mcp__terms__search", { text: "rm -rf ~" }],
    ["mcp__ide__executeCode", { code: "!ls -la\n!pip install pandas" }],
    ["mcp__sandbox__eval", { language: "javascript", code: "!rm && go()" }],
    ["mcp__py__run", { code: "import shutil; shutil.rmtree('build')" }],
    ["mcp__sandbox__eval", { language: "bash", code: "npm ci && npm test" }],
    ["mcp__docs__search", { input: "what does rm -rf ~ do" }],
    ["mcp__context7-db__search", { query: "Delete from users" }],
    ["mcp__supabase__search_docs", { query: "DROP TABLE users" }],
    ["mcp__supabase__searchDocs", { query: "DROP TABLE users" }],
    ["mcp__console_ninja__search", { text: "git push --force" }],
    ["mcp__repl__note", { text: "do not run rm -rf ~" }],
    ["mcp__postgres__batch", { statements: ["SELECT 1", "SELECT 2"] }],
    ["mcp__jupyter__run_cell", { source: "# a comment\n# %%bash\nprint(1 if a else b)" }],
    ["write_stdin", { session_id: 3, chars: "y\n" }]
  ])("of every day passes under other names: %s %j", async (name, input) => {
    expect(["not started", undefined]).toContain(
      await answer(guardDestructive, { kind: "other", name, input })
    )
  })

  it.each<readonly [Tool["input"], Tool["kind"]]>([
    [{ command: "hooktape trust --yes" }, "other"],
    [{ cmd: ["hooktape", "hooks", "disable", "own-guards"] }, "mcp"],
    [{ script: "export HOOKTAPE=0" }, "mcp"]
  ])("is read by own-guards: %j", async (input, kind) => {
    expect(await answer(ownGuards, given(input, kind))).toMatchObject({ permission: "ask" })
  })

  it.each<readonly [Tool["input"], Tool["kind"]]>([
    [{ command: "str_replace", path: "src/a.ts", old_str: "rm -rf ~", new_str: "hooktape trust" }, "mcp"],
    [{ command: "tail -f build.log | grep --line-buffered Error", description: "errors" }, "other"],
    [{ command: "npm", args: ["run", "build"] }, "mcp"],
    [{ command: ["git", "commit", "-m", "never rm -rf ~"] }, "mcp"],
    [{ script: "() => { document.title = `a`; return a => a > 1 }" }, "mcp"],
    [{ commands: ["npm ci", "npm test"] }, "mcp"],
    [{ command: "rm -rf dist" }, "mcp"],
    [{ cmd: "" }, "mcp"],
    [{ run: true, command: null, script: 7 }, "mcp"]
  ])("of every day passes: %j", async (input, kind) => {
    expect(["not started", undefined]).toContain(await answer(guardDestructive, given(input, kind)))
    expect(["not started", undefined]).toContain(await answer(ownGuards, given(input, kind)))
  })

  it.each<readonly [Tool["input"], Tool["kind"]]>([
    [{ text: "rm -rf ~", body: { content: "rm -rf ~" } }, "mcp"],
    [{ query: "rm -rf ~" }, "mcp"],
    [{ command: "git status", description: "x" }, "other"],
    ["rm -rf ~", "mcp"],
    [null, "other"]
  ])("starts no guard where there is none, or one that only looks: %j", async (input, kind) => {
    const tool = { ...given(input, kind), name: "mcp__notes__add" }
    expect(await answer(guardDestructive, tool)).toBe("not started")
    expect(await answer(ownGuards, tool)).toBe("not started")
  })
})

it("the payload of a call is read once for all shipped guards that have nothing to say", async () => {
  let decodings = 0
  const adapter: Adapter = {
    ...adapters["claude-code"],
    decode: (...args) => {
      decodings++
      return adapters["claude-code"].decode(...args)
    }
  }
  const registry = [ownGuards, guardDestructive].map((hook) => ({ hook, source: `hooktape:${hook.name}` }))
  const payload = { session_id: "s", cwd: "/work", tool_name: "Bash", tool_input: { command: "ls -la" } }
  const { find } = await tell({ adapter, agentEvent: "PreToolUse", payload, registry: registry as never })
  expect(find("HANDLERS_PLANNED")[0]).toMatchObject({ handlers: [] })
  expect(decodings).toBe(1)
})
