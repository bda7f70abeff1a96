/** The shipped guards as they are called: where a command runs, how it was given, and what becomes of a call that they cannot judge. */
import { expect, it } from "vitest"
import type { Tool } from "../../events/agentEvents.ts"
import { describeTool } from "../../src/adapters/toolCall.ts"
import { directoryOf } from "../../src/defaults/guard/directoryOf.ts"
import { guardDestructive } from "../../src/defaults/guardDestructive.ts"
import { ownGuards } from "../../src/defaults/ownGuards.ts"
import { plan } from "../../src/engine/registry.ts"

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
