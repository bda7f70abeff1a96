import { describe, expect, it } from "vitest"
import { projectVariables } from "../../../src/agents/about.ts"
import { partsOf } from "../../../src/hooks/commandParts.ts"
import { headOf, whenOf } from "../../../src/hooks/external.ts"

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
  const there = new Set(["state.json", "notes.log", "prog.awk", "guard.py", "hooks/a b.sh", "hooks/x.sh"])
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

  it("are not what it writes to, or what programs are given that only read and write", () => {
    for (const command of [
      "jq -r .tool_input.command >> notes.log",
      'jq -r .tool_input.command >> "$CLAUDE_PROJECT_DIR"/notes.log',
      "jq '.turns+=1' state.json > state.tmp && mv state.tmp state.json",
      "cat state.json; date 2>&1 | tee -a notes.log",
      "if grep -q x notes.log; then echo seen >&2; exit 2; fi",
      "grep -qiE 'a|b' notes.log && exit 2",
      "sed -i '1d' notes.log",
      "[ -f state.json ] || printf '{}' >| state.json",
      "awk '{ print }' notes.log"
    ])
      expect(parts(command).join("")).toBe(command)
    expect(parts("python3 guard.py >> notes.log")).toEqual(["python3 ", at("guard.py"), " >> notes.log"])
    expect(parts("python3 guard.py | tee notes.log")).toEqual([
      "python3 ",
      at("guard.py"),
      " | tee notes.log"
    ])
  })

  it("are what may run, whoever reads it", () => {
    expect(parts("cat state.json | sh")).toEqual(["cat ", at("state.json"), " | sh"])
    expect(parts("cat notes.log; sh < state.json")).toContainEqual(at("state.json"))
    expect(parts("awk -f prog.awk notes.log")).toContainEqual(at("prog.awk"))
    expect(parts("grep -qf notes.log && exit 2")).toContainEqual(at("notes.log"))
    expect(parts("jq -f -r prog.awk")).toContainEqual(at("prog.awk"))
    expect(parts("awk -E prog.awk")).toContainEqual(at("prog.awk"))
    expect(parts("bash <> hooks/x.sh")).toContainEqual(at("hooks/x.sh"))
    expect(parts("hooks/x.sh state.json")).toEqual(["", at("hooks/x.sh"), " ", at("state.json"), ""])
    expect(parts("cat hooks/x.sh > state.json; bash state.json")).toContainEqual(at("state.json"))
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
