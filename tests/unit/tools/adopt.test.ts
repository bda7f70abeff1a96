import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"
import { whenOf } from "../../../src/hooks/external.ts"
import type { HookContext } from "../../../src/hooks/HookContext.ts"
import { externalHook } from "../../../src/runtime/externalHook.ts"
import {
  type AdoptRequest,
  planAdoption,
  undoAdoption,
  writeAdoption
} from "../../../src/tools/adopt/adopt.ts"
import { takenFrom } from "../../../src/tools/adopt/takenFrom.ts"
import type { InstallAgent } from "../../../src/tools/install/dialects.ts"
import { parseDocument } from "../../../src/tools/install/document.ts"

const every = ["PreToolUse", "PostToolUse", "SessionStart", "Stop", "BeforeTool", "WorktreeCreate"]
const take = (hooks: object, agent: InstallAgent = "claude-code") => {
  const text = JSON.stringify({ hooks }, null, 2)
  const { root } = Either.getOrThrow(parseDocument(text))
  return takenFrom({ agent, text, root, registered: every, names: [] })
}
const group = (command: string, more: object = {}, handler: object = {}) => ({
  ...more,
  hooks: [{ type: "command", command, ...handler }]
})

describe("what is taken of an agent's hooks", () => {
  it("has matcher, event, agent and time as conditions of its own", () => {
    const { definitions, left, text } = take({
      PreToolUse: [group("python3 hooks/guard.py", { matcher: "Edit|Write" }, { timeout: 2 })],
      PostToolUse: [group("npm test", { matcher: "mcp__.*" })],
      SessionStart: [group("git status", { matcher: "startup|resume" })],
      Stop: [group("true", { matcher: "not looked at" })]
    })
    const common = { agents: ["claude-code"] }
    expect(definitions).toEqual([
      {
        ...common,
        name: "guard",
        on: "tool.before",
        run: "python3 hooks/guard.py",
        agentEvents: ["PreToolUse"],
        when: { toolName: ["Edit", "Write"] },
        deadline: 2000
      },
      {
        ...common,
        name: "npm",
        on: "tool.after",
        run: "npm test",
        agentEvents: ["PostToolUse"],
        when: { toolName: "/mcp__.*/" }
      },
      {
        ...common,
        name: "git",
        on: "session.start",
        run: "git status",
        agentEvents: ["SessionStart"],
        matcher: "startup|resume"
      },
      { ...common, name: "true", on: "turn.stop", run: "true", agentEvents: ["Stop"] }
    ])
    expect(left).toEqual([])
    expect(JSON.parse(text)).toEqual({ hooks: {} })
  })

  it("runs a command once whose matchers overlap, as the agent does", () => {
    const all = (...matchers: readonly (string | undefined)[]) =>
      take({ PreToolUse: matchers.map((matcher) => group("x", matcher === undefined ? {} : { matcher })) })
        .definitions
    expect(all("Bash", "Bash|Edit")).toMatchObject([{ when: { toolName: ["Bash", "Edit"] } }])
    expect(all("Bash", undefined)).toHaveLength(1)
    expect(all("Bash", undefined)[0]?.when).toBeUndefined()
    const [both] = all("Bash", "mcp__.*")
    const when = both && whenOf(both)
    const matches = (toolName: string) => new RegExp(when?.toolName as RegExp).test(toolName)
    expect(["Bash", "mcp__x", "BashOutput", "Read"].map(matches)).toEqual([true, true, false, false])
    const started = take({
      SessionStart: ["startup", "resume"].map((matcher) => group("x", { matcher }))
    }).definitions
    expect(started).toMatchObject([{ matcher: "(?:startup)|(?:resume)" }])
  })

  describe("of one command with different times", () => {
    /** Who runs it for a call, with which time. */
    const timesFor = (
      agent: InstallAgent,
      event: string,
      given: readonly (readonly [string | undefined, number?])[]
    ) => {
      const { definitions } = take(
        {
          [event]: given.map(([matcher, timeout]) =>
            group("x", matcher === undefined ? {} : { matcher }, timeout === undefined ? {} : { timeout })
          )
        },
        agent
      )
      return (told: string) =>
        definitions
          .filter((one) => {
            const { matches: isMatching, toolName } = whenOf(one)
            const names = [toolName ?? []].flat()
            const payload = { tool_name: told, source: told }
            return (
              (toolName instanceof RegExp
                ? toolName.test(told)
                : names.length === 0 || names.includes(told)) &&
              isMatching?.({ agentEvent: event, payload } as unknown as HookContext) !== false
            )
          })
          .map(({ deadline }) => deadline)
    }

    it("has the time of its own matcher for each call", () => {
      const named = timesFor("claude-code", "PreToolUse", [
        ["Bash", 5],
        ["Edit|Write", 60],
        ["mcp__.*"],
        ["Read", 5]
      ])
      expect(["Bash", "Edit", "Write", "Read", "mcp__x", "Glob"].map(named)).toEqual([
        [5000],
        [60_000],
        [60_000],
        [5000],
        [undefined],
        []
      ])
      const started = timesFor("claude-code", "SessionStart", [
        ["startup", 5],
        ["resume|clear", 60]
      ])
      expect(["startup", "resume", "clear", "compact"].map(started)).toEqual([[5000], [60_000], [60_000], []])
    })

    it("runs once for a call that several of them fit: with the last one's time in Claude Code", () => {
      const given = [
        ["Bash|Edit", 5],
        ["mcp__.*", 7],
        ["Bash", 60],
        ["mcp__x__.*|Bash$", 9]
      ] as const
      const time = timesFor("claude-code", "PreToolUse", given)
      expect(["Bash", "Edit", "mcp__y", "mcp__x__z", "BashOutput", "Glob"].map(time)).toEqual([
        [9000],
        [5000],
        [7000],
        [9000],
        [],
        []
      ])
      const all = timesFor("claude-code", "PreToolUse", [
        [undefined, 60],
        ["Bash", 5]
      ])
      expect([all("Bash"), all("Bash2"), all("Glob")]).toEqual([[5000], [60_000], [60_000]])
      const hidden = timesFor("claude-code", "PreToolUse", [
        ["Bash", 5],
        [undefined, 60]
      ])
      expect([hidden("Bash"), hidden("Glob")]).toEqual([[60_000], [60_000]])
      const started = timesFor("claude-code", "SessionStart", [
        [undefined, 60],
        ["startup|resume", 5]
      ])
      expect(["startup", "compact"].map(started)).toEqual([[5000], [60_000]])
    })

    it("has the first one's time in Gemini CLI, and runs for each of them in Codex", () => {
      const given = [
        ["write_file|replace", 5000],
        ["write_.*", 60_000]
      ] as const
      const gemini = timesFor("gemini-cli", "BeforeTool", given)
      expect(["write_file", "write_todos", "read_file"].map(gemini)).toEqual([[5000], [60_000], []])
      const codex = timesFor("codex", "PreToolUse", [
        ["Bash", 5],
        ["Bash", 60]
      ])
      expect(codex("Bash")).toEqual([5000, 60_000])
    })

    it("stands where its first matcher stood, and is another hook of Gemini CLI under another name", () => {
      const { definitions } = take({
        PreToolUse: [
          group("a", { matcher: "Bash" }, { timeout: 5 }),
          group("b"),
          group("a", { matcher: "Edit" }, { timeout: 6 })
        ]
      })
      expect(definitions.map(({ name }) => name)).toEqual(["a", "b", "a-2"])
      const named = ["one", "two"].map((name) => group("x", {}, { name }))
      expect(take({ BeforeTool: named }, "gemini-cli").definitions).toHaveLength(2)
      expect(take({ PreToolUse: named }).definitions).toHaveLength(1)
    })
  })

  it("leaves what has no counterpart, says why, and never takes our own", () => {
    const ours = "exec '/home/u/.local/state/hooktape/bin/hook' claude-code PreToolUse"
    const { definitions, left, text } = take({
      PreToolUse: [
        group(ours),
        group("a", {}, { async: true }),
        { hooks: [{ type: "http", url: "http://127.0.0.1" }] },
        { hooks: [{ command: "untyped" }] },
        group("b")
      ],
      PostToolUse: [{ matcher: "write", command: ["npx", "prettier"] }],
      WorktreeCreate: [group("c")],
      Notification: [group("d")]
    })
    expect(definitions.map(({ run }) => run)).toEqual(["b"])
    expect(left.map(({ command, reason }) => [command, reason])).toEqual([
      ["a", '"async" has no counterpart here'],
      ["", "it is of type http, no command"],
      ["untyped", 'it is not {"type": "command", "command": "…"}, and the agent runs nothing else'],
      ["", 'it stands in no group with "hooks", and the agent runs nothing else'],
      ["c", "its output is an answer that only the agent can be given"],
      ["d", "hooktape is not called at this event"]
    ])
    expect(JSON.parse(text).hooks.PreToolUse).toHaveLength(4)
  })

  it("takes no notice of what only tells people about a group", () => {
    const { definitions, left } = take({
      PreToolUse: [
        group("a", {
          matcher: "Bash",
          description: "Keeps hooks of git on",
          id: "pre:bash:a",
          _comment: "see the wiki"
        }),
        group("b", { sequential: true })
      ]
    })
    expect(definitions.map(({ run }) => run)).toEqual(["a"])
    expect(left.map(({ reason }) => reason)).toEqual(['"sequential" has no counterpart here'])
  })

  it("leaves a hook that stands in no group, as the agent does", () => {
    const flat = { SessionStart: [{ type: "command", command: "git config core.hooksPath hooks" }] }
    for (const agent of ["claude-code", "codex", "gemini-cli"] as const)
      expect(take(flat, agent)).toMatchObject({
        definitions: [],
        left: [{ reason: 'it stands in no group with "hooks", and the agent runs nothing else' }]
      })
  })

  it("leaves what Claude Code does not run beside one that stands in no group", () => {
    const hooks = {
      PreToolUse: [group("a"), { type: "command", command: "b" }],
      Stop: [group("c")]
    }
    const { definitions, left } = take(hooks)
    expect(definitions.map(({ run }) => run)).toEqual(["c"])
    expect(left.map(({ command, reason }) => [command, reason])).toEqual([
      ["a", "the agent runs none of an event's hooks while one of them stands in no group"],
      ["b", 'it stands in no group with "hooks", and the agent runs nothing else']
    ])
    const gemini = take({ BeforeTool: hooks.PreToolUse }, "gemini-cli").definitions
    expect(gemini.map(({ run }) => run)).toEqual(["a"])
  })

  it("keeps the command that Codex runs on Windows beside the other", () => {
    const { definitions, text } = take(
      { Stop: [group("sh check.sh", {}, { commandWindows: "powershell check.ps1" })] },
      "codex"
    )
    expect(definitions).toMatchObject([{ run: "sh check.sh", runOnWindows: "powershell check.ps1" }])
    expect(JSON.parse(text)).toEqual({ hooks: {} })
    const elsewhere = take({ Stop: [group("x", {}, { commandWindows: "y" })] }).left
    expect(elsewhere.map(({ reason }) => reason)).toEqual(['"commandWindows" has no counterpart here'])
  })

  it("is read as each agent reads matchers", () => {
    const gemini = take({ BeforeTool: [group("x", { matcher: "write_file" })] }, "gemini-cli").definitions[0]
    expect(gemini && whenOf(gemini).toolName).toEqual(/write_file/)
    const codex = take({ PreToolUse: [group("x", { matcher: "^Edit$" })] }, "codex").definitions[0]
    const { toolName } = codex ? whenOf(codex) : {}
    expect(["Edit", "apply_patch", "Bash"].map((name) => (toolName as RegExp).test(name))).toEqual([
      true,
      true,
      false
    ])
  })
})

const bash = (command: string): JsonObject => ({ tool_name: "Bash", tool_input: { command } })
const denied = (permissionDecisionReason: string, permissionDecision = "deny") => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason }
})
const python = (text: string): string => `python3 -c '${text}'`
const node = (text: string): string => `node -e '${text}'`

/** A set as repositories have them: the command, its event, a payload, and what the agent is told of it, as its own reference says. */
const sets: readonly (readonly [string, string, string, JsonObject, object | "failed" | "nothing"])[] = [
  ["shell, silent", "PreToolUse", "cat > /dev/null; exit 0", bash("ls"), "nothing"],
  [
    "shell, exit 2",
    "PreToolUse",
    "if grep -q 'rm -rf'; then echo 'no rm -rf' >&2; exit 2; fi",
    bash("rm -rf x"),
    denied("no rm -rf")
  ],
  ["shell, text at a tool", "PreToolUse", "echo hello", bash("ls"), "nothing"],
  [
    "shell, text at the start",
    "SessionStart",
    "echo 'branch: main'",
    { source: "startup" },
    { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "branch: main" } }
  ],
  ["shell, a failure", "PreToolUse", "echo broken >&2; exit 7", bash("ls"), "failed"],
  [
    "Python, a question",
    "PreToolUse",
    python(
      'import json,sys; c=json.load(sys.stdin)["tool_input"]["command"]; print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "publish " + c}}))'
    ),
    bash("npm publish"),
    denied("publish npm publish", "ask")
  ],
  [
    "Python, keeps going",
    "Stop",
    python('import json; print(json.dumps({"decision": "block", "reason": "run the tests"}))'),
    {},
    { decision: "block", reason: "run the tests" }
  ],
  [
    "Node, text beside a result",
    "PostToolUse",
    node(
      'process.stdin.resume(); console.log(JSON.stringify({hookSpecificOutput: {hookEventName: "PostToolUse", additionalContext: "2 warnings"}}))'
    ),
    { ...bash("npm run lint"), tool_response: { stdout: "", stderr: "" } },
    { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "2 warnings" } }
  ],
  [
    "Node, lets it end",
    "Stop",
    node('console.log(JSON.stringify({continue: false, decision: "block", reason: "more"}))'),
    {},
    "nothing"
  ],
  [
    "Node, allows",
    "PreToolUse",
    node('console.log(JSON.stringify({decision: "approve", reason: "known"}))'),
    bash("ls"),
    { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }
  ]
]

describe("a hook that was taken", () => {
  it.each(sets)("tells the agent what it told it before: %s", async (_, event, command, payload, told) => {
    const base = realpathSync(mkdtempSync(join(homedir(), "adopted-")))
    const [definition] = take({ [event]: [group(command)] }).definitions
    if (definition === undefined) throw new Error("nothing was taken")
    const hook = externalHook({ definition, base, parts: [command], files: [], owned: false })
    const context = {
      agent: "claude-code",
      agentEvent: event,
      cwd: base,
      project: base,
      payload: { session_id: "s", hook_event_name: event, ...payload },
      signal: new AbortController().signal,
      services: { call: (_name: string, _input: unknown, act: () => unknown) => Promise.resolve(act()) }
    } as unknown as HookContext
    const ran = Promise.resolve(hook.run(context) as Promise<never>)
    if (told === "failed") return expect(ran).rejects.toThrow("exit code 7: broken")
    const { exitCode, stdout } = adapters["claude-code"].encode(event, "command", fold(await ran))
    expect({ exitCode, document: stdout === "" ? "nothing" : JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      document: told
    })
  })
})

describe("an adoption", () => {
  const place = () => {
    const home = realpathSync(mkdtempSync(join(homedir(), "adoption-")))
    const put = (name: string, text: string): string => {
      const file = join(home, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    }
    const project = join(home, "project")
    const request: AdoptRequest = {
      agent: "claude-code",
      scope: "project",
      state: join(home, "state"),
      project,
      userFolder: join(home, ".config/hooktape"),
      home,
      env: {}
    }
    return { home, put, project, request }
  }
  const hooks = (command: string) => ({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } })

  it("moves hooks to the configuration, and its undoing restores every byte", async () => {
    const { project, put, request } = place()
    put(".claude/settings.json", JSON.stringify(hooks("exec '/x/bin/hook' claude-code PreToolUse")))
    const odd = `{\t"model": "x",\n "hooks":{"PreToolUse":[ {"matcher":"Bash", "hooks":[{"type":"command","command":"./a.sh"}]} ]}}\r\n`
    const settings = put("project/.claude/settings.json", odd)
    const configText = '{\n  // mine\n  "deadlineMs": 8000\n}\n'
    const config = put("project/.hooktape/config.json", configText)
    const seen: string[] = []
    const between = Effect.sync(() => void seen.push(readFileSync(settings, "utf8")))
    const adoption = await Effect.runPromise(planAdoption(request))
    await Effect.runPromise(writeAdoption(request, adoption, between))
    // While the hooks are built they run as before.
    expect(seen).toEqual([odd])
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ model: "x", hooks: {} })
    expect(readFileSync(config, "utf8")).toMatch(/\/\/ mine[\s\S]*"external": \[[\s\S]*"run": "\.\/a\.sh"/)
    expect(await Effect.runPromise(undoAdoption(request))).toEqual([settings, config])
    expect([readFileSync(settings, "utf8"), readFileSync(config, "utf8")]).toEqual([odd, configText])
    expect(existsSync(join(project, ".hooktape"))).toBe(true)
  })

  it("gives hooks the time that the agent gave them, in the agent's settings as well, and takes it back", async () => {
    const { put, request } = place()
    const ours = (bin: string, timeout: number) => ({
      type: "command",
      command: `exec '${bin}' claude-code PreToolUse`,
      timeout
    })
    const entry = (...hooks: readonly object[]) =>
      `${JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }, null, 2)}\n`
    const settings = put(
      "project/.claude/settings.json",
      entry({ type: "command", command: "./slow.sh", timeout: 120 }, ours("/x/bin/hook", 10))
    )
    const user = put(".claude/settings.json", entry(ours("/x/bin/hook", 10)))
    const local = put("project/.claude/settings.local.json", entry(ours("/x/bin/hook", 300)))
    const config = put("project/.hooktape/config.json", '{ "deadlineMs": 8000 }\n')
    const before = [settings, user, local, config].map((file) => readFileSync(file, "utf8"))
    const adoption = await Effect.runPromise(planAdoption(request))
    expect(adoption.deadlineMs).toBe(120_000)
    await Effect.runPromise(writeAdoption(request, adoption, Effect.void))
    expect(readFileSync(settings, "utf8")).toBe(entry(ours("/x/bin/hook", 125)))
    expect(readFileSync(user, "utf8")).toBe(entry(ours("/x/bin/hook", 125)))
    // What is longer stays.
    expect(readFileSync(local, "utf8")).toBe(before[2])
    expect(JSON.parse(readFileSync(config, "utf8"))).toMatchObject({ deadlineMs: 120_000 })
    expect(await Effect.runPromise(undoAdoption(request))).toEqual([settings, config, user])
    expect([settings, user, local, config].map((file) => readFileSync(file, "utf8"))).toEqual(before)
    expect(
      (await Effect.runPromise(planAdoption({ ...request, keepsDeadline: true }))).deadlineMs
    ).toBeUndefined()

    // Somebody's own settings do not stand in the way of a project's.
    await Effect.runPromise(
      writeAdoption(request, await Effect.runPromise(planAdoption(request)), Effect.void)
    )
    writeFileSync(user, entry(ours("/x/bin/hook", 125), { type: "command", command: "./new.sh" }))
    expect(await Effect.runPromise(undoAdoption(request))).toEqual([settings, config])
    expect(readFileSync(settings, "utf8")).toBe(before[0])
    expect(readFileSync(user, "utf8")).toContain("./new.sh")
  })

  it("takes no time where there is enough, and a minute for a command of which nothing is said", async () => {
    const { put, request } = place()
    put(".claude/settings.json", JSON.stringify(hooks("exec '/x/bin/hook' claude-code PreToolUse")))
    const of = async (timeout?: number) => {
      const one = { type: "command", command: "./a.sh", ...(timeout === undefined ? {} : { timeout }) }
      put("project/.claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [one] }] } }))
      return (await Effect.runPromise(planAdoption(request))).deadlineMs
    }
    expect(await of(4)).toBeUndefined()
    expect(await of(6)).toBe(6000)
    expect(await of()).toBe(60_000)
    expect(await of(10_000)).toBe(600_000)
  })

  it("is not undone over a change of somebody's, and needs hooktape to be called", async () => {
    const { put, request } = place()
    const settings = put("project/.claude/settings.json", JSON.stringify(hooks("./a.sh")))
    const refused = await Effect.runPromise(Effect.flip(planAdoption(request)))
    expect(refused.message).toContain('Run "hooktape install --agent claude-code" first')
    put(".claude/settings.json", JSON.stringify(hooks("exec '/x/bin/hook' claude-code PreToolUse")))
    const adoption = await Effect.runPromise(planAdoption(request))
    await Effect.runPromise(writeAdoption(request, adoption, Effect.void))
    writeFileSync(settings, '{"hooks": {}, "model": "new"}')
    const kept = await Effect.runPromise(Effect.flip(undoAdoption(request)))
    expect(kept.message).toContain("it was changed since")
    expect(readFileSync(settings, "utf8")).toBe('{"hooks": {}, "model": "new"}')
  })
})
