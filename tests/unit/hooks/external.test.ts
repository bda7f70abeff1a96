import { describe, expect, it } from "vitest"
import { projectVariables } from "../../../src/agents/about.ts"
import { headOf, partsOf, whenOf } from "../../../src/hooks/external.ts"

describe("the head of a script", () => {
  it("is read from a comment on one line or several, in any language's comments", () => {
    expect(headOf('#!/bin/sh\n# hooktape: {"on": "tool.before"}\nexit 0\n')).toEqual({ on: "tool.before" })
    expect(headOf('#!/usr/bin/env node\n// hooktape: {\n//   "on": "tool.before"\n// }\n')).toEqual({
      on: "tool.before"
    })
    expect(headOf('-- hooktape: {"on":\n-- "notify"}')).toEqual({ on: "notify" })
  })

  it("says nothing where there is none, and is named where it is broken", () => {
    expect(headOf("#!/bin/sh\n# hooktape is mentioned\n")).toBeUndefined()
    expect(headOf('#!/bin/sh\n# hooktape: {"on": \nexit 0\n')).toMatch(/not a JSON object/)
  })
})

describe("the files that a command names", () => {
  const there = new Set(["guard.py", "hooks/a b.sh", "hooks/x.sh"])
  const parts = (command: string) => partsOf(command, (path) => (there.has(path) ? path : undefined))
  const at = (file: string, bare = false) => ({ file, bare })

  it("are found as words, through variables of agents, and within quotes", () => {
    expect(parts("python3 guard.py --strict")).toEqual(["python3 ", at("guard.py"), " --strict"])
    expect(parts('"$CLAUDE_PROJECT_DIR"/hooks/x.sh')).toEqual(["", at("hooks/x.sh"), ""])
    expect(parts('"$CLAUDE_PROJECT_DIR/hooks/a b.sh" 1')).toEqual(["", at("hooks/a b.sh"), " 1"])
    expect(parts("bash -c 'cd x && python3 ./guard.py'")).toEqual([
      "bash -c '",
      "cd x && python3 ",
      at("guard.py", true),
      "",
      "'"
    ])
    expect(parts('"$(git rev-parse --show-toplevel)/hooks/x.sh"')).toEqual(["", at("hooks/x.sh"), ""])
  })

  it("are found in the folder that the shell has gone to by then", () => {
    expect(parts("cd hooks && ./x.sh")).toEqual(["cd hooks && ", at("hooks/x.sh"), ""])
    expect(parts('cd "$CLAUDE_PROJECT_DIR/hooks" && sh x.sh')).toEqual([
      'cd "$CLAUDE_PROJECT_DIR/hooks" && sh ',
      at("hooks/x.sh"),
      ""
    ])
    expect(parts('cd "$CLAUDE_PROJECT_DIR" && cd hooks/ && ./x.sh')).toEqual([
      'cd "$CLAUDE_PROJECT_DIR" && cd hooks/ && ',
      at("hooks/x.sh"),
      ""
    ])
    expect(parts("bash -c 'cd hooks; ./x.sh'")).toEqual([
      "bash -c '",
      "cd hooks; ",
      at("hooks/x.sh", true),
      "",
      "'"
    ])
    expect(parts("cd $SOMEWHERE && python3 guard.py")).toEqual([
      "cd $SOMEWHERE && python3 ",
      at("guard.py"),
      ""
    ])
  })

  it.each(projectVariables)("are found through %s, which an agent has", (name) => {
    expect(parts(`"$${name}"/hooks/x.sh`)).toEqual(["", at("hooks/x.sh"), ""])
    expect(parts(`"\${${name}}/hooks/x.sh"`)).toEqual(["", at("hooks/x.sh"), ""])
  })

  it("are none of a pipe of programs", () => {
    const command = "jq -r '.tool_input.command' | grep -q 'rm -rf' && exit 2"
    expect(parts(command).join("")).toBe(command)
  })
})

describe("the conditions of a definition", () => {
  it("turn texts between slashes into patterns", () => {
    const when = whenOf({
      name: "x",
      on: "tool.before",
      run: "x",
      when: { toolName: "/^mcp__/", command: "rm" }
    })
    expect(when).toEqual({ toolName: /^mcp__/, command: "rm" })
  })

  it("hold a matcher against what the agent tells calls of the event apart by", () => {
    const { matches } = whenOf({
      name: "x",
      on: "session.start",
      run: "x",
      agentEvents: ["SessionStart"],
      matcher: "startup|resume"
    })
    const context = (source: string, agentEvent = "SessionStart") =>
      ({ agentEvent, payload: { source } }) as never
    expect(matches?.(context("startup"))).toBe(true)
    expect(matches?.(context("clear"))).toBe(false)
    expect(matches?.(context("startup", "Setup"))).toBe(false)
  })
})
