/** What the inspector's page says of what facts and a machine's context hold. */
import { describe, expect, it } from "vitest"
import { labelOf, valueWords } from "../../../src/programs/inspector/core/valueWords.ts"

const planned = {
  handler: "collect-failures",
  event: "tool.after",
  index: 0,
  priority: 500,
  deadlineMs: 5000,
  onFailure: "allow",
  source: "/home/dev/hooks/collect-failures.ts"
}
const block = { type: "BLOCKING_FEEDBACK", reason: "others have pulled it" }

describe("a value is said in words", () => {
  it.each<readonly [string, unknown, string]>([
    ["running", { planned, spentMs: 0 }, "collect-failures"],
    ["running", { planned, spentMs: 12.34 }, "collect-failures, 12.3 ms spent before"],
    ["queue", [planned, { ...planned, handler: "types" }], "collect-failures, types"],
    ["handlers", [planned], "collect-failures"],
    ["left", [{ handler: "asleep", event: "tool.before", reason: "it is off" }], "asleep (it is off)"],
    ["intents", [{ handler: "no-force", intent: block }], "no-force: BLOCKING_FEEDBACK"],
    ["intents", [block], "BLOCKING_FEEDBACK: others have pulled it"],
    [
      "channels",
      [{ handler: "no-force", intent: "BLOCKING_FEEDBACK", channel: "stderr" }],
      "no-force: BLOCKING_FEEDBACK → stderr"
    ],
    [
      "error",
      { name: "TypeError", message: "it broke", stack: "TypeError: it broke\n at x" },
      "TypeError: it broke"
    ],
    ["tool", { kind: "shell", name: "Bash", command: "ls -l" }, "Bash ls -l"],
    ["events", [{ event: "tool.before", data: {} }], "tool.before"],
    ["ms", { buffering: 0.31, handling: 12 }, "buffering 0.3 ms, handling 12.0 ms"],
    ["stops", { blocked: 1, most: 3 }, "blocked 1, most 3"],
    ["fromUs", 17_124, "17.1 ms"],
    ["deadlineMs", 60_000, "1 m 0 s"],
    ["ms", 0.5, "0.5 ms"],
    ["bytes", 1_681, "1 681"],
    ["current", undefined, "none"],
    ["queue", [], "empty"],
    ["noise", "", "empty"],
    ["hinted", true, "yes"]
  ])("%s: %j", (name, value, words) => expect(valueWords(name, value)).toBe(words))

  it("is cut between two words", () => {
    expect(valueWords("payload", "push a new branch ".repeat(40))).toMatch(/ (push|a|new|branch)…$/)
  })

  it("has a name without the unit", () => {
    expect(["fromUs", "deadlineMs", "ms", "toolUseId", "stops", "bytes"].map(labelOf)).toEqual([
      "started at",
      "deadline",
      "took",
      "tool use id",
      "stops",
      "bytes"
    ])
  })
})
