/** Codex's newer `exec` holds JavaScript that calls its tools: what is read of the commands and patches within. */
import { expect, it } from "vitest"
import { observedOf, ofType } from "../../../support/observed.ts"

const at = "2026-07-12T06:25:35.000Z"
const row = (type: string, payload: object) => ({ timestamp: at, type, payload })
const meta = row("session_meta", {
  id: "019f5500-0feb-79c0-a61c-f45ef5610725",
  cwd: "/p",
  cli_version: "0.145.0"
})

const script = (call_id: string, input: string) =>
  row("response_item", { type: "custom_tool_call", name: "exec", call_id, input })
const heading = (state: string) => `Script ${state}\nWall time 0.1 seconds\nOutput:\n`
const told = (call_id: string, ...texts: readonly string[]) =>
  row("response_item", {
    type: "custom_tool_call_output",
    call_id,
    output: [heading("completed"), ...texts].map((text) => ({ type: "input_text", text }))
  })
const yielded = (call_id: string, cell: number) =>
  row("response_item", {
    type: "custom_tool_call_output",
    call_id,
    output: heading(`running with cell ID ${cell}`)
  })
const asked = (call_id: string, name: string, args: object) =>
  row("response_item", { type: "function_call", call_id, name, arguments: JSON.stringify(args) })
const answered = (call_id: string, ...texts: readonly string[]) =>
  row("response_item", {
    type: "function_call_output",
    call_id,
    output: [heading("completed"), ...texts].map((text) => ({ type: "input_text", text }))
  })
const result = (exit_code: number, output: string) => ({
  chunk_id: "a1",
  wall_time_seconds: 0,
  exit_code,
  output
})

const callsOf = async (...rows: readonly object[]) =>
  ofType(await observedOf([meta, ...rows]), "TOOL_CALL_OBSERVED")
const seen = async (...rows: readonly object[]) =>
  (await callsOf(...rows)).map((one) => [one.call, one.name, one.told, one.exitCode])
const commandsOf = async (...rows: readonly object[]) =>
  (await callsOf(...rows)).map(({ cwd, input }) => [(input as { readonly command?: string }).command, cwd])

it("the command is read however it is written, with its folder", async () => {
  const code = [
    'const r = await tools.exec_command({"cmd": "npm test", "workdir": "/p/a"}); text(r.output)',
    "const r = await tools.exec_command({ cmd: 'echo \"x\"', workdir: '/p/a' }); text(r.output)",
    "const r = await tools.exec_command({ cmd: `npm test\nls`, workdir: `/p/a` }); text(r.output)",
    'const cmd = "npm test"\nconst r = await tools.exec_command({ cmd, workdir: "/p/a" }); text(r.output)'
  ]
  const rows = code.flatMap((input, nth) => [script(`c${nth}`, input), told(`c${nth}`, "")])
  expect(await commandsOf(...rows)).toEqual([
    ["npm test", "/p/a"],
    ['echo "x"', "/p/a"],
    ["npm test\nls", "/p/a"],
    ["npm test", "/p/a"]
  ])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands in a script that is read
  const unknown = script("c", "const r = await tools.exec_command({ cmd: `rg ${word}` }); text(r.output)")
  expect(await seen(unknown, told("c", ""))).toEqual([["c", "exec", "ok", undefined]])
})

it.each([
  'const r = await tools.exec_command({ cmd: "npm test " + name })',
  'const cmd = "npm test "\n  + name\nconst r = await tools.exec_command({ cmd })',
  'const r = await tools.exec_command({ cmd: "npm test".concat(name) })',
  'let cmd = "npm test"\nif (isOne) cmd += " one"\nconst r = await tools.exec_command({ cmd })'
])("a command that is put together as the script runs is not known: %s", async (code) =>
  expect(await seen(script("c", code), told("c", ""))).toEqual([["c", "exec", "ok", undefined]])
)

it("a command is known where a remark, or the next statement, stands behind it", async () => {
  const code = [
    'const r = await tools.exec_command({ cmd: "ls" /* all */ })',
    'const cmd = "ls" // all\nconst r = await tools.exec_command({ cmd })'
  ]
  const rows = code.flatMap((input, nth) => [script(`c${nth}`, input), told(`c${nth}`, "")])
  expect((await commandsOf(...rows)).map(([command]) => command)).toEqual(["ls", "ls"])
})

it("a script that is no model's costs no more than its length", async () => {
  const many = "tools.exec_command({cmd})".repeat(20_000)
  const long = `tools.exec_command({cmd:"${"a".repeat(9_000_000)}"})`
  const begun = performance.now()
  expect(await seen(script("a", many), told("a", ""), script("b", long), told("b", ""))).toEqual([
    ["a", "exec", "ok", undefined],
    ["b", "exec", "ok", undefined]
  ])
  expect(performance.now() - begun).toBeLessThan(5000)
})

it("several commands are one line, one below the other; the exit code is known where each has told its own", async () => {
  const two =
    'const [a, b] = await Promise.all([\n tools.exec_command({cmd:"npm test", workdir:"/p"}),\n tools.exec_command({cmd:"npm run lint", workdir:"/p"})\n])\n'
  expect(await commandsOf(script("c", two), told("c", ""))).toEqual([["npm test\nnpm run lint", "/p"]])
  const results = JSON.stringify([result(1, "boom"), result(0, "fine")], null, 2)
  expect(
    await callsOf(script("c", `${two}text(JSON.stringify([a, b], null, 2))`), told("c", results))
  ).toMatchObject([{ call: "c", name: "Bash", told: "failed", exitCode: 1, response: "boom\nfine" }])
  const named = JSON.stringify({ test: "boom", lint: "fine" })
  expect(await seen(script("c", two), told("c", named))).toEqual([["c", "Bash", "untold", undefined]])
})

it("a script that goes on ends where it is waited for, and a process where a script asks for it", async () => {
  const run = 'const r = await tools.exec_command({cmd:"make"}); text(JSON.stringify(r))'
  const cell = [script("c", run), yielded("c", 25), asked("w", "wait", { cell_id: "25" })]
  expect(await seen(...cell, answered("w", JSON.stringify(result(2, "boom"))))).toEqual([
    ["c", "Bash", "failed", 2]
  ])
  const running = JSON.stringify({ chunk_id: "a", session_id: 7, output: "one " }, null, 2)
  const poll = "const r = await tools.write_stdin({ session_id: 7, chars: '' }); text(JSON.stringify(r))"
  expect(
    await callsOf(
      script("c", run),
      told("c", running),
      script("p", poll),
      told("p", JSON.stringify(result(0, "two")))
    )
  ).toMatchObject([{ call: "c", told: "ok", exitCode: 0, response: "one two" }])
})

it("what an event tells of a call within is that call, and the script none of its own", async () => {
  const patch =
    'text(await tools.apply_patch("*** Begin Patch\\n*** Update File: a.ts\\n@@\\n-a\\n+b\\n*** End Patch"))'
  const patched = row("event_msg", {
    type: "patch_apply_end",
    call_id: "exec-1",
    success: true,
    stdout: "Success.",
    changes: { "/p/a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+b\n" } }
  })
  expect(await seen(script("c", patch), patched, told("c", "{}"))).toEqual([
    ["exec-1", "apply_patch", "ok", 0]
  ])
  expect(await seen(script("c", patch), told("c", "{}"))).toEqual([["c", "apply_patch", "untold", undefined]])
  const ran = row("event_msg", {
    type: "item_completed",
    item: {
      type: "CommandExecution",
      id: "exec-2",
      command: ["bash", "-lc", "ls"],
      exit_code: 0,
      aggregated_output: "a"
    }
  })
  const list = 'const r = await tools.exec_command({cmd:"ls"}); text(r.output)'
  expect(await seen(script("c", list), ran, told("c", "a"))).toEqual([["exec-2", "Bash", "ok", 0]])
})

it("what an event tells of a call within is told once, though the script's own end never comes", async () => {
  const patch = 'const a = 1; text(await tools.apply_patch("*** Begin Patch\\n*** End Patch"))'
  const patched = row("event_msg", {
    type: "patch_apply_end",
    call_id: "exec-1",
    success: true,
    stdout: "Success.",
    changes: { "/p/a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+b\n" } }
  })
  const once = [["exec-1", "apply_patch", "ok", 0]]
  expect(await seen(script("c", patch), patched)).toEqual(once)
  expect(await seen(script("c", patch), patched, yielded("c", 3))).toEqual(once)
  expect(await seen(script("c", patch), yielded("c", 3), patched)).toEqual(once)
})

it("a patch that a script could not apply is refused", async () => {
  const patch = 'const patch = "*** Begin Patch\\n*** End Patch"; text(await tools.apply_patch(patch))'
  const error = "Script error:\napply_patch verification failed: Failed to find expected lines in /p/a.ts"
  const failed = row("response_item", {
    type: "custom_tool_call_output",
    call_id: "c",
    output: [heading("failed"), error].map((text) => ({ type: "input_text", text }))
  })
  expect(await seen(script("c", patch), failed)).toEqual([["c", "apply_patch", "rejected", undefined]])
  const thrown = 'const r = await tools.exec_command({cmd:"ls"}); text(r.nothing.there)'
  expect(await seen(script("c", thrown), failed)).toEqual([["c", "Bash", "failed", undefined]])
})

it("of what goes on in the background, and is never asked for, no more is kept than some hundreds", async () => {
  const many = 1200
  const rows = Array.from({ length: many }, (_, nth) => [
    asked(`c${nth}`, "exec_command", { cmd: `serve ${nth}` }),
    answered(`c${nth}`, JSON.stringify({ chunk_id: "a", session_id: nth, output: "up" }))
  ])
  const calls = await seen(...rows.flat())
  expect(calls).toHaveLength(many)
  expect(new Set(calls.map(([, , end]) => end))).toEqual(new Set(["running"]))
})
