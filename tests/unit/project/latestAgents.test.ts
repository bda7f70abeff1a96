/** What the newest agents are compared by: their own words about hooks, the fields that came, and the lines that tell two versions apart. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { adapters } from "../../../src/agents/adapters.ts"
import { differences } from "../../latest/differences.ts"
import { claudeWords, codexWords, geminiWords } from "../../latest/ownWords.ts"
import { shapeOf } from "../../latest/runSessions.ts"
import type { Survey } from "../../latest/Survey.ts"
import { agents } from "../../support/agents/agents.ts"
import { packages } from "../../support/agents/install.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const known = (agent: string): Survey =>
  JSON.parse(readFileSync(join(root, "tests", "latest", "known", `${agent}.json`), "utf8")) as Survey

describe("an agent's own words", () => {
  it("are read from Claude Code's list of events and the schema of its settings", () => {
    const list = (names: string) =>
      `x=[${names
        .split(" ")
        .map((name) => JSON.stringify(name))
        .join(",")}]`
    const text = `${list("Stop PreToolUse PostToolUse SessionStart SessionEnd Setup")};${list(
      "Stop PreToolUse PostToolUse SessionStart SessionEnd Setup Notification"
    )};a({type:E("command").describe("a } in quotes, {"),command:n(),if:n().describe('no: "key"'),timeout:v().describe("Timeout in seconds"),once:I({inner:1})});b({type:E("command"),status_message:n(),timeout:v()})`
    expect(claudeWords(text)).toEqual({
      events: ["Notification", "PostToolUse", "PreToolUse", "SessionEnd", "SessionStart", "Setup", "Stop"],
      settings: ["command", "if", "once", "timeout", "type: command"]
    })
  })

  it("are read from the schema that Codex prints", () => {
    const definitions = {
      HookEventName: { enum: ["preToolUse", "stop"] },
      ConfiguredHookHandler: {
        oneOf: [
          { properties: { type: { enum: ["command"] }, command: {} } },
          { properties: { type: { enum: ["prompt"] } } }
        ]
      }
    }
    expect(codexWords(definitions)).toEqual({
      events: ["PreToolUse", "Stop"],
      settings: ["command", "type: command", "type: prompt"]
    })
  })

  it("are read from Gemini CLI's enumeration and its page about hooks", () => {
    expect(
      geminiWords(
        'HookEventName2["BeforeTool"] = "BeforeTool"; HookEventName["AfterTool"]="AfterTool"',
        "| Field | Type |\n| :--- | :--- |\n| `timeout` | number |\n| plain | `no` |\n"
      )
    ).toEqual({ events: ["AfterTool", "BeforeTool"], settings: ["timeout"] })
  })
})

it("names each field of a payload with its type, whatever stands in it", () => {
  expect(shapeOf({ a: 1, list: [{ b: "x" }, { c: null }], empty: {} })).toEqual([
    "a: number",
    "list: list",
    "list[]: object",
    "list[].b: string",
    "list[]: object",
    "list[].c: null",
    "empty: object"
  ])
})

it("says of two versions what is gone and what is new, and nothing of what stayed", () => {
  const before: Survey = {
    version: "1",
    events: ["Stop", "Gone"],
    settings: ["timeout"],
    payloads: { Stop: ["cwd: string"] },
    environment: ["A"],
    answers: { refused: { ran: [], turns: 2, exitCode: 0, told: ["tool: WORD"] } }
  }
  const after: Survey = {
    version: "2",
    events: ["Stop", "New"],
    settings: ["timeout", "once"],
    payloads: { Stop: ["cwd: string", "reason: string"] },
    environment: [],
    answers: { refused: { ran: ["ran"], turns: 2, exitCode: 0, told: ["tool: WORD"] } }
  }
  expect(differences(before, before)).toEqual([])
  expect(differences(before, after)).toEqual([
    '+ answer refused, ran: ["ran"]',
    "- answer refused, ran: []",
    "- event Gone",
    "+ event New",
    "+ payload Stop reason: string",
    "+ setting once",
    "- variable A"
  ])
})

describe.each(agents)("what is kept of %s", (agent) => {
  it("is of the version that the tests run with", () => {
    expect(known(agent).version).toBe(packages[agent].version)
  })

  it("has no event that its adapter does not know", () => {
    const events = Object.keys(adapters[agent].events)
    expect(known(agent).events.filter((event) => !events.includes(event))).toEqual([])
  })
})
