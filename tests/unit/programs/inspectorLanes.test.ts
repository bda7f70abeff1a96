/** Where the marks of the inspector's lanes stand. */
import { expect, it } from "vitest"
import type { Lane, ToolBar } from "../../../src/features/inspector/contract/live.ts"
import { layLanes } from "../../../src/programs/inspector/views/lanes/layout.ts"

const scale = { from: 0, to: 1000, left: 100, width: 1000 }

const widthOf = (more: Pick<ToolBar, "to" | "until">): number | undefined => {
  const tool: ToolBar = {
    use: "t-1",
    name: "Bash",
    kind: "shell",
    subject: "ls",
    subagent: null,
    from: 100,
    ok: null,
    verdict: null,
    before: [],
    after: [],
    ...more
  }
  const lane: Lane = {
    session: "s-1",
    agent: "codex",
    project: null,
    state: "working",
    last: 1000,
    waitedMs: 0,
    prompts: [],
    tools: [tool],
    calls: [],
    bins: null
  }
  return layLanes([lane], scale, 1, 1000).boxes[0]?.tools[0]?.w
}

it("a tool call goes on to its end, to that of its turn where no hook told it, or to now", () => {
  expect(widthOf({ to: 300 })).toBe(200)
  expect(widthOf({ to: null, until: 400 })).toBe(300)
  expect(widthOf({ to: null })).toBe(900)
})
