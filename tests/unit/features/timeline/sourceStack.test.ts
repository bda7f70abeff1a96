/** Which frames of a stack tell an author something. */
import { expect, it } from "vitest"
import { tellingFrames } from "../../../../src/features/timeline/sourceStack.ts"

const stack = (...frames: readonly string[]): string =>
  ["NotAnIntent: returned 7", ...frames.map((frame) => `    at ${frame}`)].join("\n")

it("leaves out hooktape's own programs and Node's, which say nothing of the hook", () => {
  const own = [
    "vr (/home/u/site/node_modules/hooktape/dist/common.cjs:39:3757)",
    "/usr/lib/node_modules/hooktape/dist/host.cjs:1:20",
    "file:///usr/lib/node_modules/hooktape/dist/cli.js:1:20",
    "node:internal/process/task_queues:95:5",
    "process.processTicksAndRejections (node:internal/process/task_queues:95:5)"
  ]
  expect(tellingFrames(stack(...own), 8)).toEqual([])
  const others = ["connect (/home/u/site/node_modules/pg/lib/client.js:3:9)", "/home/u/hooktape/src/a.ts:1:1"]
  expect(tellingFrames(stack(...own, ...others), 8)).toEqual(others)
})
