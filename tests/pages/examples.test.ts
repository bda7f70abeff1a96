/** The examples run: each is built as anybody would build it, and fires under Claude Code, Codex and Gemini CLI. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { dataOf, type Fired, type Run, type Station, station } from "../support/entrypoint.ts"
import { rows } from "../support/markdown.ts"

const folder = join(import.meta.dirname, "..", "..", "examples")
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"))

type Payload = { readonly event: string; readonly [key: string]: unknown }
interface Dialect {
  readonly prompt: (prompt: string) => Payload
  readonly shell: (command: string) => Payload
  readonly ran: (command: string, output: string, exitCode: number) => Payload
  readonly edit: (path: string) => Payload
  readonly edited: (path: string) => Payload
  readonly stop: Payload
}

const added = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`
const dialects: Readonly<Record<string, Dialect>> = {
  "claude-code": {
    prompt: (prompt) => ({ event: "UserPromptSubmit", prompt }),
    shell: (command) => ({
      event: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "t",
      tool_input: { command }
    }),
    // A command that fails is a failure of the tool there.
    ran: (command, output, exitCode) => ({
      event: "PostToolUseFailure",
      tool_name: "Bash",
      tool_use_id: "t",
      tool_input: { command },
      error: `Exit code ${exitCode}\n${output}`
    }),
    edit: (file_path) => ({
      event: "PreToolUse",
      tool_name: "Write",
      tool_use_id: "t",
      tool_input: { file_path, content: "x" }
    }),
    edited: (file_path) => ({
      event: "PostToolUse",
      tool_name: "Write",
      tool_use_id: "t",
      tool_input: { file_path, content: "x" },
      tool_response: { type: "create", filePath: file_path }
    }),
    stop: { event: "Stop", stop_hook_active: false }
  },
  codex: {
    prompt: (prompt) => ({ event: "UserPromptSubmit", prompt }),
    shell: (command) => ({
      event: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "t",
      tool_input: { command }
    }),
    ran: (command, output) => ({
      event: "PostToolUse",
      tool_name: "Bash",
      tool_use_id: "t",
      tool_input: { command },
      tool_response: output
    }),
    edit: (path) => ({
      event: "PreToolUse",
      tool_name: "apply_patch",
      tool_use_id: "t",
      tool_input: { command: added(path) }
    }),
    edited: (path) => ({
      event: "PostToolUse",
      tool_name: "apply_patch",
      tool_use_id: "t",
      tool_input: { command: added(path) },
      tool_response: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n"
    }),
    stop: { event: "Stop", stop_hook_active: false }
  },
  "gemini-cli": {
    prompt: (prompt) => ({ event: "BeforeAgent", prompt }),
    shell: (command) => ({ event: "BeforeTool", tool_name: "run_shell_command", tool_input: { command } }),
    ran: (command, output, exitCode) => ({
      event: "AfterTool",
      tool_name: "run_shell_command",
      tool_input: { command },
      tool_response: { llmContent: `Output: ${output}\nExit Code: ${exitCode}` }
    }),
    edit: (file_path) => ({
      event: "BeforeTool",
      tool_name: "write_file",
      tool_input: { file_path, content: "x" }
    }),
    edited: (file_path) => ({
      event: "AfterTool",
      tool_name: "write_file",
      tool_input: { file_path, content: "x" },
      tool_response: { llmContent: "Successfully created." }
    }),
    stop: { event: "AfterAgent", prompt: "x", prompt_response: "Done.", stop_hook_active: false }
  }
}

const key = `AKIA${"QWERTYUIOPASDFGH"}`

describe.each(Object.keys(dialects))("the examples under %s", (agent) => {
  const dialect = dialects[agent] as Dialect
  let place: Station
  let session = 0
  beforeAll(async () => {
    place = await station()
    const hooks = join(place.userFolder, "hooks")
    mkdirSync(hooks, { recursive: true })
    for (const name of examples) copyFileSync(join(folder, name), join(hooks, name))
    place.put("package.json", '{ "scripts": { "build": "tsc", "test": "vitest" } }')
    writeFileSync(
      join(place.userFolder, "config.json"),
      JSON.stringify({
        hooks: {
          "tool-budget": { settings: { most: 1 } },
          "no-commits-on-main": { settings: { branches: ["ABC-123-topic"] } }
        }
      })
    )
    place.put("key.txt", `${key}\n`)
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: place.project, stdio: "ignore" })
    git("init", "-q", "-b", "ABC-123-topic")
    git("add", "key.txt")
    await place.build()
  }, 120_000)

  const fire = ({ event, ...payload }: Payload): Promise<Fired> =>
    place.fire({
      agent,
      event,
      input: JSON.stringify({
        session_id: `s-${session}`,
        cwd: place.project,
        hook_event_name: event,
        ...payload
      })
    })

  /** What the hook of that name wanted. */
  const wanted = (run: Run, handler: string) =>
    dataOf(run, "HANDLER_SUCCEEDED")
      .filter((fact) => fact.handler === handler)
      .flatMap(({ intents }) => intents)
  const says = async (handler: string, payload: Payload) =>
    wanted(await place.runOf(await fire(payload)), handler)

  it("do what they say", async () => {
    expect(await says("branch", dialect.prompt("hello"))).toEqual([
      {
        type: "MODEL_CONTEXT",
        text: expect.stringMatching(/^The branch is ABC-123-topic; \d+ files are not committed\.$/)
      }
    ])
    expect(await says("ticket", dialect.prompt("hello"))).toEqual([])
    expect(await says("protect-paths", dialect.edit("dist/a.js"))).toMatchObject([
      { type: "BLOCKING_FEEDBACK" }
    ])
    expect(await says("protect-paths", dialect.edit("src/a.js"))).toEqual([])
    expect(await says("ask-before-publish", dialect.shell("npm publish"))).toEqual([
      { type: "MODEL_CONTEXT", permission: "ask", reason: "What is published cannot be taken back." }
    ])
    expect(await says("no-keys-in-commits", dialect.shell("git commit -m x"))).toMatchObject([
      { type: "BLOCKING_FEEDBACK" }
    ])
    expect(
      await says("not-found", dialect.ran("biuld", "sh: 1: biuld: command not found", 127))
    ).toMatchObject([{ text: "The project's scripts are: npm run build, npm run test." }])
    expect(await says("remember", dialect.prompt("Remember: tabs, not spaces"))).toEqual([
      { type: "USER_HINT", text: "noted" }
    ])
    expect(await says("remember", dialect.prompt("do you remember?"))).toEqual([])

    expect(await says("no-commits-on-main", dialect.shell("git commit -m x"))).toMatchObject([
      { type: "BLOCKING_FEEDBACK", reason: expect.stringContaining("Nothing is committed on ABC-123-topic") }
    ])

    session++
    expect(await says("ticket", dialect.prompt("hello"))).toMatchObject([
      { text: "This branch is for ticket ABC-123: begin commit messages with it." }
    ])
    expect(await says("tool-budget", dialect.shell("ls"))).toEqual([])
    expect(await says("tool-budget", dialect.shell("ls"))).toMatchObject([{ type: "BLOCKING_FEEDBACK" }])

    session++
    await fire(dialect.prompt("change it"))
    const edit = await place.runOf(await fire(dialect.edited("src/a.ts")))
    expect(dataOf(edit, "HANDLERS_PLANNED")[0]?.background).toMatchObject([
      { handler: "affected-tests", deliver: { keep: "newest" } }
    ])
    const stopped = await place.runOf(await fire(dialect.stop))
    expect(wanted(stopped, "tests-after-edits")).toMatchObject([{ type: "USER_HINT" }])
    expect(
      dataOf(stopped, "HANDLERS_PLANNED")[0]
        ?.background?.map(({ handler }) => handler)
        .toSorted()
    ).toEqual(["notify", "turn-times", "webhook"])
  }, 120_000)
})

describe("examples/README.md", () => {
  it("lists every example with its event, and there are at least eight", () => {
    const told = rows(readFileSync(join(folder, "README.md"), "utf8")).flatMap(([file = "", on = ""]) => {
      const name = /^\[`([\w.-]+)`\]/.exec(file)?.[1]
      return name === undefined ? [] : [[name, on]]
    })
    const there = examples.map((name) => {
      const text = readFileSync(join(folder, name), "utf8")
      expect(/name: "([\w-]+)"/.exec(text)?.[1]).toBe(basename(name, ".ts"))
      return [name, `\`${/on: "([\w.]+)"/.exec(text)?.[1]}\``]
    })
    expect(told.toSorted()).toEqual(there.toSorted())
    expect(there.length).toBeGreaterThanOrEqual(8)
  })
})
