import { describe, expect, it } from "vitest"
import { projectVariables } from "../../../src/agents/about.ts"
import { partsOf } from "../../../src/hooks/commandParts.ts"
import { definedHere, hasPattern, headOf, listedIn, matches, whenOf } from "../../../src/hooks/external.ts"

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
    expect(headOf("# hooktape: {")).toMatch(/not a JSON object/)
    expect(headOf("# hooktape: []")).toBeUndefined()
    expect(headOf('echo # hooktape: {"on": "notify"}')).toBeUndefined()
  })

  it("has at most sixty lines, and lines may end as on Windows", () => {
    const head = '# hooktape: {"on": "notify"}'
    expect(headOf(`${"#\n".repeat(59)}${head}`)).toEqual({ on: "notify" })
    expect(headOf(`${"#\n".repeat(60)}${head}`)).toBeUndefined()
    expect(headOf('  ;; hooktape:{\r\n%% "on":\r\n  ;"notify"}\r\nrest')).toEqual({ on: "notify" })
  })
})

describe("the command of a definition", () => {
  it("is another on Windows where it says so", () => {
    const both = { name: "a", on: "turn.stop", run: "sh a.sh", runOnWindows: "powershell a.ps1" }
    expect(definedHere(both, "win32").run).toBe("powershell a.ps1")
    expect([definedHere(both, "linux"), definedHere(both, "darwin")]).toEqual([both, both])
    expect(definedHere({ name: "a", on: "turn.stop", run: "x" }, "win32").run).toBe("x")
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
    const when = whenOf({
      name: "x",
      on: "session.start",
      run: "x",
      agentEvents: ["SessionStart"],
      matcher: "startup|resume"
    })
    const context = (source: string, agentEvent = "SessionStart") =>
      ({ agentEvent, payload: { source } }) as never
    expect(when.matches?.(context("startup"))).toBe(true)
    expect(when.matches?.(context("clear"))).toBe(false)
    expect(when.matches?.(context("startup", "Setup"))).toBe(false)
  })

  it.each([
    ["SessionStart", "source"],
    ["ConfigChange", "source"],
    ["DirectoryAdded", "source"],
    ["Setup", "trigger"],
    ["PreCompact", "trigger"],
    ["PostCompact", "trigger"],
    ["PreCompress", "trigger"],
    ["SessionEnd", "reason"],
    ["Notification", "notification_type"],
    ["SubagentStart", "agent_type"],
    ["SubagentStop", "agent_type"],
    ["StopFailure", "error"],
    ["InstructionsLoaded", "load_reason"],
    ["UserPromptExpansion", "command_name"],
    ["Elicitation", "mcp_server_name"],
    ["ElicitationResult", "mcp_server_name"],
    ["PreToolUse", "tool_name"]
  ])("tell calls of %s apart by their %s, as its agent does", (agentEvent, field) => {
    const when = whenOf({ name: "x", on: "notify", run: "x", matcher: "this" })
    const told = (payload: object) => when.matches?.({ agentEvent, payload } as never)
    expect(told({ [field]: "this" })).toBe(true)
    expect(told({ [field]: "that", other: "this" })).toBe(false)
    expect(told({ [field]: ["this"] })).toBe(false)
    expect(told({})).toBe(false)
  })

  it("ask for the event alone where nothing else is said, and for nothing where nothing is", () => {
    const when = whenOf({
      name: "x",
      on: "notify",
      run: "x",
      when: { tool: "edit" },
      agentEvents: ["A", "B"]
    })
    expect(when).toEqual({ tool: "edit", matches: expect.any(Function) })
    expect(when.matches?.({ agentEvent: "B", payload: {} } as never)).toBe(true)
    expect(when.matches?.({ agentEvent: "C", payload: {} } as never)).toBe(false)
    expect(whenOf({ name: "x", on: "notify", run: "x" })).toEqual({})
    const patterns = { toolName: "/a b/i", command: "/x\ny/s", path: "/etc/" }
    expect(whenOf({ name: "x", on: "notify", run: "x", when: patterns })).toEqual({
      toolName: /a b/i,
      command: /x\ny/s,
      path: "/etc/"
    })
    for (const text of ["//", "a/b/", "/a/g", "/a/ "])
      expect(whenOf({ name: "x", on: "notify", run: "x", when: { command: text } })).toEqual({
        command: text
      })
  })
})

describe("a matcher", () => {
  it.each<[string | undefined, readonly string[], readonly string[]]>([
    [undefined, ["", "Bash"], []],
    ["", ["", "Bash"], []],
    ["*", ["", "Bash"], []],
    ["Bash", ["Bash"], ["", "Bas", "BashOutput"]],
    ["Edit | Write,Read", ["Edit", "Write", "Read"], ["Edit ", "|", ""]],
    ["my-tool_2", ["my-tool_2"], ["my-tool_22"]],
    ["mcp__.*", ["mcp__a", "xmcp__"], ["mcp_"]],
    ["^Bash$", ["Bash"], ["Bash2"]]
  ])("%s lets through what its agent would", (matcher, yes, no) => {
    expect(yes.filter((value) => !matches(matcher, value))).toEqual([])
    expect(no.filter((value) => matches(matcher, value))).toEqual([])
  })

  it("lists names, or is a pattern", () => {
    expect(listedIn(" Edit |, Write|")).toEqual(["Edit", "Write"])
    expect(listedIn("Edit.*")).toBeUndefined()
    expect(listedIn("")).toBeUndefined()
  })

  it("is watched only where it is a pattern", () => {
    const has = (more: object) => hasPattern({ name: "x", on: "notify", run: "x", ...more })
    expect(has({})).toBe(false)
    for (const matcher of ["", "*", "Edit|Write"]) expect(has({ matcher })).toBe(false)
    expect(has({ matcher: "Edit.*" })).toBe(true)
    expect(has({ when: { toolName: "a", command: "b" } })).toBe(false)
    expect(has({ when: { toolName: "/a/" } })).toBe(true)
    expect(has({ when: { command: "/a/" } })).toBe(true)
    expect(has({ when: { path: "/a/" } })).toBe(false)
  })
})
