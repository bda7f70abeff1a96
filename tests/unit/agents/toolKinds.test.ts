/** What hooks ask for in `when`: the kind of each tool, its command and its path, whichever agent calls it by which name. */
import { describe, expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

const before: Partial<Record<Agent, string>> = { "gemini-cli": "BeforeTool", cursor: "preToolUse" }

const toolOf = (agent: Agent, tool_name: string, tool_input: JsonObject) =>
  adapters[agent].decode(before[agent] ?? "PreToolUse", { tool_name, tool_input }).tool

/** Each with the field of its input that has its command or its path. */
const tools: Partial<Record<Agent, string>> = {
  "claude-code": `shell Bash:command PowerShell:command | read Read:file_path NotebookRead:notebook_path
    | edit Write:file_path Edit:file_path MultiEdit:file_path NotebookEdit:notebook_path
    | search Glob:path Grep:path LS:path ToolSearch | web WebFetch WebSearch
    | task Task Agent TodoWrite TaskCreate TaskUpdate TaskList TaskGet | mcp mcp__a__b | other mcp_a constructor`,
  codex: `shell Bash:command shell:command exec_command:cmd | edit apply_patch | read view_image:path
    | task update_plan | mcp mcp__a | other mcp_a unheard`,
  "gemini-cli": `shell run_shell_command:command | read read_file:file_path read_file:absolute_path read_many_files
    | edit write_file:file_path replace:file_path
    | search glob:path grep_search:path search_file_content:path list_directory:dir_path glob:absolute_path
    | web web_fetch google_web_search | task write_todos | mcp mcp_a_b | other unheard`,
  "qwen-code": `shell run_shell_command:command | read read_file:file_path | edit write_file:file_path edit:file_path
    | search glob:path grep_search:path list_directory:path tool_search | web web_fetch | task agent todo_write
    | mcp mcp__a | other mcp_a`,
  droid: `shell Execute:command Bash:command | read Read:file_path
    | edit Create:file_path Write:file_path Edit:file_path MultiEdit:file_path ApplyPatch
    | search Glob:path Grep:path LS:path | web WebSearch WebFetch FetchUrl | task Task TodoWrite | mcp mcp__a | other mcp_a`,
  vscode: `shell run_in_terminal:command runTerminalCommand:command | read read_file:filePath
    | edit create_file:filePath replace_string_in_file:filePath insert_edit_into_file:filePath edit_notebook_file:filePath
    | edit createFile:path deleteFile:path editFiles multi_replace_string_in_file apply_patch
    | search list_dir:path file_search grep_search semantic_search | web fetch_webpage | task runSubagent manage_todo_list
    | mcp mcp_a_b | other mcp constructor`,
  kiro: `shell execute_bash:command execute_cmd:command execute_pwsh:command shell:command
    | read fs_read:path read:path read_file:path
    | edit fs_write:path fs_append:path str_replace:path delete_file:path write:path
    | search glob:path grep:path list_directory:path file_search:path grep_search:path | web web_search web_fetch
    | task use_subagent subagent todo_list todo | mcp @a/b | other mcp_a constructor`,
  copilot: `shell Bash:command PowerShell:command | read Read:path | edit Write:path Edit:path | search Glob:path Grep:path
    | web WebFetch WebSearch | task Agent | mcp mcp__a | other mcp_a`,
  opencode: `shell bash:command | read read:filePath | edit write:filePath edit:filePath multiedit:filePath apply_patch
    | search glob:path grep:path list:path | web webfetch websearch codesearch | task task todowrite todoread | other a_b`,
  cline: `shell run_commands | read read_files | search search_codebase | web fetch_web_content | edit apply_patch editor:path
    | task spawn_agent team_run_task team_task | mcp a__b | other a_b`,
  cursor: `shell Shell:command | read Read:file_path Read:path Read:target_file
    | edit Write:file_path Edit:file_path Delete:file_path Delete:path | search Grep:path Glob:path Grep:target_file
    | task Task | mcp MCP:a | other MCPa`
}

/** `Bash:command`; a name may have a colon of its own. */
const parted = (tool: string): readonly [name: string, field: string | undefined] => {
  const [name = "", field] = tool.startsWith("MCP:") ? [tool] : tool.split(":")
  return [name, field]
}

const rows = Object.entries(tools).flatMap(([agent, text]) =>
  text.split("|").flatMap((group) => {
    const [kind = "", ...names] = group.trim().split(/\s+/)
    return names.map((name) => [agent as Agent, ...parted(name), kind] as const)
  })
)

describe("a tool", () => {
  it.each(rows)("of %s called %s (%s) is one of %s", (agent, name, field, kind) => {
    const marked = { [field ?? "none"]: "here" }
    const { input: _, ...tool } = toolOf(agent, name, marked) ?? { input: null }
    const told = field === undefined ? {} : kind === "shell" ? { command: "here" } : { path: "here" }
    expect(tool).toEqual({ kind, name, ...told })
  })

  it("has no path of a field that is not its own", () => {
    expect(toolOf("gemini-cli", "write_file", { absolute_path: "a" })).not.toHaveProperty("path")
    expect(toolOf("gemini-cli", "web_fetch", { absolute_path: "a" })).not.toHaveProperty("path")
    expect(toolOf("cursor", "Task", { path: "a" })).not.toHaveProperty("path")
    expect(toolOf("cursor", "Read", { target_file: "c", path: "b", file_path: "a" })).toMatchObject({
      path: "a"
    })
    expect(toolOf("cursor", "Read", { target_file: "c", path: "b" })).toMatchObject({ path: "b" })
  })

  it("that does several things in one call says all of them", () => {
    const commands = { commands: ["ls", { command: "pwd" }, { other: 1 }, 7] }
    expect(toolOf("cline", "run_commands", commands)).toMatchObject({ command: "ls\npwd" })
    expect(toolOf("cline", "run_commands", { commands: [] })).not.toHaveProperty("command")
    expect(toolOf("cline", "read_files", { files: ["a", { path: "b" }, {}] })).toMatchObject({
      path: "a",
      paths: ["a", "b"]
    })
    expect(toolOf("kiro", "fs_read", { operations: [{ path: "a" }, 7, { path: "b" }] })).toMatchObject({
      path: "a",
      paths: ["a", "b"]
    })
    const replacements = [{ filePath: "a" }, { filePath: "b" }, { filePath: "a" }, {}]
    expect(toolOf("vscode", "multi_replace_string_in_file", { replacements })).toMatchObject({
      path: "a",
      paths: ["a", "b"]
    })
    expect(toolOf("vscode", "editFiles", { files: ["a", 7] })).toMatchObject({ path: "a" })
    const patch = "*** Begin Patch\n*** Add File: a\n*** Delete File: b\n*** End Patch"
    for (const [agent, name, field] of [
      ["codex", "apply_patch", "command"],
      ["codex", "apply_patch", "input"],
      ["droid", "ApplyPatch", "input"],
      ["vscode", "apply_patch", "input"],
      ["opencode", "apply_patch", "patchText"],
      ["cline", "apply_patch", "input"]
    ] as const)
      expect(toolOf(agent, name, { [field]: patch })).toMatchObject({ path: "a", paths: ["a", "b"] })
  })
})
