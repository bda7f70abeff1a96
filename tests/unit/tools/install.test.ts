/** What registering makes of settings files as people really have them, and what it says when it cannot. */
import * as Either from "effect/Either"
import { parseTree } from "jsonc-parser"
import { describe, expect, it } from "vitest"
import { commandLine, parseCommand } from "../../../src/tools/install/command.ts"
import { codexHooksOff, concernsOf } from "../../../src/tools/install/concerns.ts"
import {
  dialects,
  fileBeside,
  installAgents,
  type Place,
  settingsFile,
  timeoutOf
} from "../../../src/tools/install/dialects.ts"
import { unifiedDiff } from "../../../src/tools/install/diff.ts"
import { entriesOf, withoutEntry } from "../../../src/tools/install/entries.ts"
import { chooseEvents, defaultEvents } from "../../../src/tools/install/events.ts"
import { type InstallInput, planInstall, planUninstall } from "../../../src/tools/install/plan.ts"
import type { InstallRecord } from "../../../src/tools/install/record.ts"
import { sharedLine } from "../../../src/tools/install/sharedHook.ts"

const bin = "/home/ada/.local/state/hooktape/bin/hook"
const claude = (currentText?: string, more: Partial<InstallInput> = {}): InstallInput => ({
  agent: "claude-code",
  scope: "user",
  file: "/home/ada/.claude/settings.json",
  events: ["PreToolUse", "SessionEnd"],
  bin,
  currentText,
  ...more
})
const next = (input: InstallInput): string => Either.getOrThrow(planInstall(input)).nextText
const failure = <A>(either: Either.Either<A, Error>): string => Either.getOrThrow(Either.flip(either)).message

describe("the command line", () => {
  it("is one that a POSIX shell passes on as three words", () => {
    expect(commandLine(bin, "codex", "Stop")).toBe(`exec '${bin}' codex Stop`)
    expect(commandLine("/a b/o'neil/bin/hook", "codex", "Stop")).toBe(
      `exec '/a b/o'\\''neil/bin/hook' codex Stop`
    )
  })

  it.each(["/x/bin/hook", "/o'neil/$HOME/`a`/bin/hook", "/with\nbreak/bin/hook", '/"/bin/hook'])(
    "of %j is recognised again",
    (path) => {
      const command = commandLine(path, "gemini-cli", "BeforeTool")
      expect(parseCommand(command)).toEqual({ bin: path, agent: "gemini-cli", event: "BeforeTool" })
    }
  )

  it("is recognised in its older, looser shapes only under our name", () => {
    expect(parseCommand("/srv/hooktape/bin/hook codex Stop")?.bin).toBe("/srv/hooktape/bin/hook")
    expect(parseCommand('"/srv/my hooktape/bin/hook" codex Stop')?.bin).toBe("/srv/my hooktape/bin/hook")
    expect(parseCommand("/srv/other/bin/hook codex Stop")).toBeUndefined()
  })

  it.each([
    "exec '/x/bin/hook' codex",
    "exec '/x/bin/hooks' codex Stop",
    "exec '/x/bin/hook' some-agent stop",
    "exec '/x/bin/hook' codex Stop && rm -r x",
    "exec '/x/bin/hook' codex Stop; true",
    "hooktape run codex Stop"
  ])("is not seen in %j", (command) => expect(parseCommand(command)).toBeUndefined())
})

describe("where and what", () => {
  const place = (agent: Place["agent"], scope: Place["scope"], env: Place["env"] = {}): string =>
    Either.getOrThrow(settingsFile({ agent, scope, home: "/home/ada", project: "/src/app", env }))

  it("each agent has its files", () => {
    expect(place("claude-code", "user")).toBe("/home/ada/.claude/settings.json")
    expect(place("claude-code", "project")).toBe("/src/app/.claude/settings.json")
    expect(place("claude-code", "local")).toBe("/src/app/.claude/settings.local.json")
    expect(place("codex", "user")).toBe("/home/ada/.codex/hooks.json")
    expect(place("codex", "project")).toBe("/src/app/.codex/hooks.json")
    expect(place("gemini-cli", "user")).toBe("/home/ada/.gemini/settings.json")
    expect(place("gemini-cli", "project")).toBe("/src/app/.gemini/settings.json")
    expect(place("qwen-code", "user")).toBe("/home/ada/.qwen/settings.json")
    expect(place("qwen-code", "project")).toBe("/src/app/.qwen/settings.json")
    expect(place("qwen-code", "user", { QWEN_HOME: "/q" })).toBe("/q/settings.json")
    expect(place("opencode", "user")).toBe("/home/ada/.config/opencode/hooktape.json")
    expect(place("opencode", "user", { XDG_CONFIG_HOME: "/x" })).toBe("/x/opencode/hooktape.json")
    expect(place("opencode", "user", { OPENCODE_CONFIG_DIR: "/o" })).toBe("/o/hooktape.json")
    expect(place("opencode", "project")).toBe("/src/app/.opencode/hooktape.json")
    expect(place("droid", "user")).toBe("/home/ada/.factory/settings.json")
    expect(place("droid", "local")).toBe("/src/app/.factory/settings.local.json")
    expect(place("cline", "user")).toBe("/home/ada/.cline/hooktape.json")
    expect(place("cline", "user", { CLINE_DIR: "/c" })).toBe("/c/hooktape.json")
    expect(place("cline", "project")).toBe("/src/app/.cline/hooktape.json")
    expect(place("copilot", "user")).toBe("/home/ada/.copilot/hooks/hooktape.json")
    expect(place("copilot", "project")).toBe("/src/app/.github/hooks/hooktape.json")
    expect(place("cursor", "user")).toBe("/home/ada/.cursor/hooks.json")
    expect(place("cursor", "project")).toBe("/src/app/.cursor/hooks.json")
    expect(place("vscode", "user")).toBe("/home/ada/.copilot/hooks/hooktape-vscode.json")
    expect(place("vscode", "project")).toBe("/src/app/.github/hooks/hooktape-vscode.json")
    expect(place("kiro", "user")).toBe("/home/ada/.kiro/hooks/hooktape.json")
    expect(place("kiro", "project")).toBe("/src/app/.kiro/hooks/hooktape.json")
    expect(place("windsurf", "user")).toBe("/home/ada/.codeium/windsurf/hooks.json")
    expect(place("windsurf", "project")).toBe("/src/app/.windsurf/hooks.json")
  })

  it("follows the agents' own variables", () => {
    expect(place("claude-code", "user", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/settings.json")
    expect(place("codex", "user", { CODEX_HOME: "/c" })).toBe("/c/hooks.json")
    expect(place("gemini-cli", "user", { GEMINI_CLI_HOME: "/c" })).toBe("/c/.gemini/settings.json")
    expect(place("copilot", "user", { COPILOT_HOME: "/c" })).toBe("/c/hooks/hooktape.json")
    expect(place("codex", "project", { CODEX_HOME: "/c" })).toBe("/src/app/.codex/hooks.json")
  })

  it("names the scopes there are when asked for one that is not", () => {
    expect(failure(settingsFile({ agent: "codex", scope: "local", home: "/", project: "/", env: {} }))).toBe(
      'Codex has no settings of scope "local". Use --scope user or --scope project.'
    )
  })

  it("registers all events but those per token or model call, and those that change the agent", () => {
    const left = (agent: Place["agent"]): readonly string[] =>
      Object.keys(dialects[agent].events).filter((event) => !defaultEvents(agent).includes(event))
    expect(installAgents.map((agent) => Object.keys(dialects[agent].events).length)).toEqual([
      34, 14, 11, 14, 10, 14, 10, 21, 12, 9, 8, 5
    ])
    expect(left("claude-code")).toEqual(["MessageDisplay", "FileChanged", "WorktreeCreate", "WorktreeRemove"])
    expect(left("codex")).toEqual(["PreModelRequest", "PostModelRequest"])
    expect(left("gemini-cli")).toEqual(["BeforeModel", "BeforeToolSelection", "AfterModel"])
    expect(left("windsurf")).toEqual(["post_cascade_response_with_transcript"])
    expect(left("cursor")).toEqual([
      "workspaceOpen",
      "beforeShellExecution",
      "afterShellExecution",
      "beforeMCPExecution",
      "afterMCPExecution",
      "beforeReadFile",
      "afterFileEdit",
      "beforeTabFileRead",
      "afterTabFileEdit",
      "afterAgentThought"
    ])
  })

  it("registers a frequent event once a hook wants it, one that changes the agent only by name", () => {
    const events = defaultEvents("claude-code", {
      handled: ["MessageDisplay", "WorktreeCreate", "PreToolUse"]
    })
    expect(events).toContain("MessageDisplay")
    expect(events).not.toContain("WorktreeCreate")
    const named = Either.getOrThrow(chooseEvents("claude-code", { events: "+WorktreeCreate" }))
    expect(named).toContain("WorktreeCreate")
    expect(named.length).toBe(defaultEvents("claude-code").length + 1)
  })

  it("narrows and widens", () => {
    const choose = (events: string) => Either.getOrThrow(chooseEvents("gemini-cli", { events }))
    expect(choose("SessionEnd, BeforeTool")).toEqual(["BeforeTool", "SessionEnd"])
    expect(choose("all")).toEqual(Object.keys(dialects["gemini-cli"].events))
    expect(choose("-Notification,+AfterModel")).not.toContain("Notification")
    expect(choose("-Notification,+AfterModel")).toContain("AfterModel")
  })

  it("refuses events that are not there", () => {
    const refusal = (events: string): string => failure(chooseEvents("codex", { events }))
    expect(refusal("pretooluse")).toMatch(
      /^Codex has no event "pretooluse" \(did you mean PreToolUse\?\)\. Codex has: Ses/
    )
    expect(refusal("Stop,+Interrupt")).toContain("mixes plain names with + and -")
    expect(refusal(" , ")).toContain("--events names no event")
    expect(refusal("-all")).toContain("--events leaves no event")
  })

  it("writes time-outs in the agent's unit, above the deadlines and inside what the agent allows", () => {
    expect(timeoutOf("claude-code", "PreToolUse")).toBe(10)
    expect(timeoutOf("claude-code", "SessionEnd")).toBe(3)
    expect(timeoutOf("codex", "SessionEnd")).toBe(3)
    expect(timeoutOf("codex", "Interrupt")).toBe(3)
    expect(timeoutOf("gemini-cli", "BeforeTool")).toBe(10_000)
    expect(timeoutOf("claude-code", "PreToolUse", 30_000)).toBe(35)
    expect(timeoutOf("codex", "Interrupt", 30_000)).toBe(3)
  })
})

describe("a settings file", () => {
  it("of Claude Code keeps its comments, order and the hooks of others", () => {
    const text = `{
    // my model
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] } // careful
        ],
        "Stop": []
    },
    "env": { "A": "1" }, // last
}
`
    expect(next(claude(text))).toBe(`{
    // my model
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] }, // careful
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "exec '${bin}' claude-code PreToolUse",
                        "timeout": 10
                    }
                ]
            }
        ],
        "Stop": [],
        "SessionEnd": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "exec '${bin}' claude-code SessionEnd",
                        "timeout": 3
                    }
                ]
            }
        ]
    },
    "env": { "A": "1" }, // last
}
`)
  })

  it("of Gemini CLI gets milliseconds and nothing that is not needed", () => {
    const text = '{\n\t"security": { "auth": { "selectedType": "gemini-api-key" } }\n}'
    expect(next(claude(text, { agent: "gemini-cli", events: ["BeforeTool"] }))).toBe(
      `{\n\t"security": { "auth": { "selectedType": "gemini-api-key" } },\n\t"hooks": {\n\t\t"BeforeTool": [\n\t\t\t{\n` +
        `\t\t\t\t"hooks": [\n\t\t\t\t\t{\n\t\t\t\t\t\t"type": "command",\n` +
        `\t\t\t\t\t\t"command": "exec '${bin}' gemini-cli BeforeTool",\n\t\t\t\t\t\t"timeout": 10000\n` +
        "\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"
    )
  })

  it("of Codex that is on one line stays on one", () => {
    const handler = `{"type":"command","command":"exec '${bin}' codex Stop","timeout":10}`
    expect(next(claude('{"hooks":{"Stop":[{"hooks":[]}]}}\n', { agent: "codex", events: ["Stop"] }))).toBe(
      `{"hooks":{"Stop":[{"hooks":[]},{"hooks":[${handler}]}]}}\n`
    )
  })

  it("keeps its line ends and its byte order mark", () => {
    const text = next(claude('\uFEFF{\r\n  "model": "opus"\r\n}\r\n'))
    expect(text.startsWith('\uFEFF{\r\n  "model": "opus",\r\n  "hooks": {\r\n')).toBe(true)
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
  })

  it("that is not there is made, and deleted again", () => {
    const plan = Either.getOrThrow(planInstall(claude(undefined)))
    expect(Object.keys(JSON.parse(plan.nextText).hooks)).toEqual(["PreToolUse", "SessionEnd"])
    expect(plan.nextText.endsWith("}\n")).toBe(true)
    expect(Either.getOrThrow(planUninstall("f", plan.nextText, plan.record)).nextText).toBeUndefined()
  })

  it("that was made for us stays once someone else uses it", () => {
    const plan = Either.getOrThrow(planInstall(claude(undefined)))
    const used = plan.nextText.replace('{\n  "hooks"', '{\n  "model": "opus",\n  "hooks"')
    expect(Either.getOrThrow(planUninstall("f", used, plan.record)).nextText).toBe(
      '{\n  "model": "opus"\n}\n'
    )
  })

  it("loses our entries even when nothing is remembered of them", () => {
    const installed = next(claude('{\n  "model": "opus"\n}\n'))
    expect(Either.getOrThrow(planUninstall("f", installed)).nextText).toBe('{\n  "model": "opus"\n}\n')
  })

  it("with a foreign handler in our group keeps that handler", () => {
    const { nextText, record } = Either.getOrThrow(planInstall(claude("{}", { events: ["Stop"] })))
    const shared = nextText.replace(/("timeout": 10\s*\})/, '$1, { "command": "other" }')
    expect(shared).not.toBe(nextText)
    const left = Either.getOrThrow(planUninstall("f", shared, record)).nextText
    expect(JSON.parse(left ?? "")).toEqual({ hooks: { Stop: [{ hooks: [{ command: "other" }] }] } })
  })

  it("moves to a new state directory instead of being written twice", () => {
    const old = Either.getOrThrow(planInstall(claude("{}", { bin: "/old/bin/hook" })))
    const plan = Either.getOrThrow(planInstall(claude(old.nextText, { previousRecord: old.record })))
    expect(plan.changes.map(({ event, kind }) => [event, kind])).toEqual([
      ["PreToolUse", "replaced"],
      ["SessionEnd", "replaced"]
    ])
    expect(plan.nextText).toBe(next(claude("{}")))
  })

  it("has its older shapes, doubles and narrowed entries repaired", () => {
    const entry = (command: string, more = {}) => ({ ...more, hooks: [{ type: "command", command }] })
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [
          entry(`"${bin}" claude-code PreToolUse`),
          entry("first.sh"),
          entry(commandLine(bin, "claude-code", "PreToolUse"), { matcher: "Bash" })
        ],
        Stop: [entry(commandLine(bin, "claude-code", "Stop"))]
      }
    })
    const plan = Either.getOrThrow(planInstall(claude(text)))
    expect(plan.changes.map(({ event, kind }) => [event, kind])).toEqual([
      ["PreToolUse", "replaced"],
      ["SessionEnd", "added"],
      ["Stop", "removed"]
    ])
    const { hooks } = JSON.parse(plan.nextText)
    expect(
      hooks.PreToolUse.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command)
    ).toEqual(["first.sh", commandLine(bin, "claude-code", "PreToolUse")])
    expect(hooks.PreToolUse[1].matcher).toBeUndefined()
    expect(hooks.Stop).toBeUndefined()
  })

  it("with a name written twice is read as the agents read it: the last counts", () => {
    const text = '{ "hooks": 1, "hooks": { "Stop": 2, "Stop": [] } }'
    const { nextText, record } = Either.getOrThrow(planInstall(claude(text, { events: ["Stop"] })))
    expect(JSON.parse(nextText).hooks.Stop).toHaveLength(1)
    expect(Either.getOrThrow(planUninstall("f", nextText, record)).nextText).toBe(text)
  })

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma is expected"],
    ['{ "a": "x', "line 1, column 8: a string is not closed"],
    ["{ 'a': 1 }", "line 1, column 3"],
    ["[]", "line 1, column 1: the file is array, an object is expected"],
    ['{\r\n"hooks": []}', 'line 2, column 10: "hooks" is array, an object is expected'],
    [
      '{"hooks": {"SessionEnd": {}}}',
      'line 1, column 26: "hooks.SessionEnd" is object, an array is expected'
    ],
    ["[".repeat(100_000), "nested too deep"]
  ])("that is broken is refused with the place: %j", (text, reason) => {
    const message = failure(planInstall(claude(text)))
    expect(message).toContain(`/home/ada/.claude/settings.json: `)
    expect(message).toContain(reason)
    expect(message).toContain("Correct the file, then run the command again; nothing was changed.")
  })
})

describe("a list without groups", () => {
  const install = (agent: "cursor" | "windsurf", currentText?: string) =>
    Either.getOrThrow(
      planInstall({
        ...claude(currentText),
        agent,
        events: agent === "cursor" ? ["preToolUse", "sessionEnd"] : ["pre_run_command"]
      })
    )

  it("of Cursor holds commands with seconds, in a file with its version", () => {
    const { nextText, record } = install("cursor")
    expect(JSON.parse(nextText)).toEqual({
      version: 1,
      hooks: {
        preToolUse: [{ command: commandLine(bin, "cursor", "preToolUse"), timeout: 10 }],
        sessionEnd: [{ command: commandLine(bin, "cursor", "sessionEnd"), timeout: 3 }]
      }
    })
    expect(Either.getOrThrow(planUninstall("f", nextText, record)).nextText).toBeUndefined()
  })

  it("of Windsurf holds commands alone", () => {
    const { nextText } = install("windsurf")
    expect(JSON.parse(nextText)).toEqual({
      hooks: { pre_run_command: [{ command: commandLine(bin, "windsurf", "pre_run_command") }] }
    })
  })

  it("keeps what others have in it, their version and their keys", () => {
    const text = '{"version": 1, "hooks": {"preToolUse": [{"command": "mine.sh", "matcher": "Shell"}]}}'
    const { nextText, record } = install("cursor", text)
    expect(JSON.parse(nextText).hooks.preToolUse[0]).toEqual({ command: "mine.sh", matcher: "Shell" })
    expect(Either.getOrThrow(planUninstall("f", nextText, record)).nextText).toBe(text)
    const opened = install("cursor")
    const added = opened.nextText.replace('"version": 1,', '"version": 1,\n  "mine": true,')
    const left = Either.getOrThrow(planUninstall("f", added, opened.record)).nextText
    expect(JSON.parse(left ?? "")).toEqual({ version: 1, mine: true })
  })
})

describe("entries that say that they are commands", () => {
  it("stand right under their event for VS Code", () => {
    const { nextText, record } = Either.getOrThrow(
      planInstall({ ...claude(), agent: "vscode", events: ["PreToolUse"] })
    )
    expect(JSON.parse(nextText)).toEqual({
      hooks: {
        PreToolUse: [{ type: "command", command: commandLine(bin, "vscode", "PreToolUse"), timeout: 10 }]
      }
    })
    expect(Either.getOrThrow(planUninstall("f", nextText, record)).nextText).toBeUndefined()
  })
})

it("what a repository carries for VS Code is found from any folder of it, since Copilot CLI refuses a call whose hook is not", () => {
  for (const agent of ["vscode", "copilot"] as const)
    expect(sharedLine(agent, "PreToolUse")).toContain("$(git rev-parse --show-toplevel)/")
  expect(sharedLine("kiro", "Stop")).toMatch(/^exec "\.\/\.hooktape\//)
})

describe("one list for all events", () => {
  const listed = (event: string) => ({
    name: `hooktape ${event}`,
    trigger: event,
    action: { type: "command", command: commandLine(bin, "kiro", event) },
    timeout: 10
  })
  const install = (currentText?: string, events = ["PreToolUse", "Stop"], previousRecord?: InstallRecord) =>
    Either.getOrThrow(planInstall({ ...claude(currentText), agent: "kiro", events, previousRecord }))
  const uninstall = (text: string, record?: InstallRecord) =>
    Either.getOrThrow(planUninstall("f", text, record)).nextText

  it("of Kiro names each entry's event, in a file with its version", () => {
    const { nextText, record } = install()
    expect(JSON.parse(nextText)).toEqual({ version: "v1", hooks: [listed("PreToolUse"), listed("Stop")] })
    expect(uninstall(nextText, record)).toBeUndefined()
    expect(install(nextText).changes).toEqual([])
    // Without a record the file stays, and nothing of ours in it.
    expect(uninstall(nextText)).not.toContain("hooktape")
  })

  it.each([
    '{"version": "v1", "hooks": []}',
    '{\n  "version": "v1",\n  "hooks": [\n    { "name": "mine", "trigger": "Stop", "action": { "type": "agent", "prompt": "p" } }\n  ]\n}\n',
    '{\n  "version": "v1"\n}\n'
  ])("keeps what others have in it: %j", (text) => {
    const { nextText, record } = install(text)
    const { hooks } = JSON.parse(nextText) as { hooks: readonly object[] }
    expect(hooks.slice(-2)).toEqual([listed("PreToolUse"), listed("Stop")])
    expect(uninstall(nextText, record)).toBe(text)
  })

  it("is put right where an entry was switched off, doubled or is not wanted any more", () => {
    const first = install()
    const off = first.nextText.replace('"timeout": 10', '"timeout": 10,\n      "enabled": false')
    expect(install(off, ["PreToolUse", "Stop"], first.record)).toMatchObject({
      nextText: first.nextText,
      changes: [{ event: "PreToolUse", kind: "replaced" }]
    })
    expect(install(first.nextText, ["Stop"], first.record).changes).toMatchObject([
      { event: "PreToolUse", kind: "removed" }
    ])
  })

  it("is not made of what is none", () => {
    expect(failure(planInstall({ ...claude('{"hooks": {}}'), agent: "kiro", events: ["Stop"] }))).toContain(
      '"hooks" is object, an array is expected'
    )
  })

  it("is left without one entry of somebody else's", () => {
    const text = '{"hooks": [{"trigger": "Stop", "action": {"type": "command", "command": "a"}}]}'
    const [only] = entriesOf(parseTree(text))
    expect(only?.under).toBe("Stop")
    expect(only && withoutEntry(text, only)).toBe('{"hooks": []}')
  })
})

describe("concerns", () => {
  const place = (agent: Place["agent"], scope: Place["scope"] = "user"): Place => ({
    agent,
    scope,
    home: "/h",
    project: "/p",
    env: {}
  })
  const warnings = (agent: Place["agent"], text: string, toml?: string): readonly string[] =>
    concernsOf(place(agent), text, toml).flatMap(({ level, message }) => (level === "warn" ? [message] : []))

  it("are raised by switches that are off", () => {
    expect(warnings("claude-code", '{"disableAllHooks": true}')[0]).toContain("disableAllHooks")
    expect(warnings("gemini-cli", '{"hooksConfig": {"enabled": false}}')[0]).toContain("hooksConfig.enabled")
    const disabled = JSON.stringify({
      hooksConfig: { disabled: [commandLine(bin, "gemini-cli", "BeforeTool")] }
    })
    expect(warnings("gemini-cli", disabled)[0]).toContain("names 1 of our hooks")
    expect(warnings("codex", "{}", "[features]\nhooks = false\n")[0]).toContain("[features] hooks = false")
    expect(warnings("codex", "{} // x")[0]).toContain("strict JSON")
  })

  it("are none where nothing is off", () => {
    for (const agent of installAgents)
      expect(
        warnings(
          agent,
          agent === "kiro" ? '{"version":"v1"}' : '{"version":1}',
          agent === "codex" ? "[features]\nhooks = true\n" : undefined
        )
      ).toEqual([])
  })

  it("name what an event changes by being registered", () => {
    const text = next(claude(undefined, { events: ["WorktreeCreate"] }))
    expect(warnings("claude-code", text)[0]).toContain("WorktreeCreate is registered")
  })

  it("say of Droid when another file is read in place of this one", () => {
    expect(concernsOf(place("droid"), "{}").map(({ level }) => level)).not.toContain("warn")
    expect(concernsOf(place("droid"), "{}", "{}")[0]?.message).toContain("hooks.json beside this file")
  })

  it("say of VS Code and Copilot CLI that each runs the other's file as well", () => {
    for (const [agent, other] of [
      ["vscode", "copilot"],
      ["copilot", "vscode"]
    ] as const) {
      expect(fileBeside(place(agent), Either.getOrThrow(settingsFile(place(agent))))).toBe(
        Either.getOrThrow(settingsFile(place(other)))
      )
      expect(warnings(agent, "{}")).toEqual([])
      expect(warnings(agent, "{}", '{"hooks": {}}')).toEqual([])
      const beside = next(claude(undefined, { agent: other, events: ["PreToolUse"] }))
      expect(warnings(agent, "{}", beside)[0]).toContain("each hook runs twice")
    }
    expect(warnings("vscode", '{"disableAllHooks": true}')[0]).toContain("disableAllHooks")
  })

  it("say of Kiro when the file does not say what it is", () => {
    expect(warnings("kiro", "{}")[0]).toContain('"version": "v1"')
  })

  it("say of Cursor, Windsurf, Droid, VS Code and Kiro that they were not tried, and of Cursor what would run twice", () => {
    for (const agent of ["cursor", "windsurf", "droid", "vscode", "kiro"] as const)
      expect(concernsOf(place(agent), '{"version":1}').at(-1)?.message).toMatch(
        /documentation: tried .* it was not/
      )
    expect(warnings("cursor", "{}")[0]).toContain('"version": 1')
    const twice = { agent: "cursor", events: ["preToolUse", "beforeShellExecution"] } as const
    expect(warnings("cursor", next(claude(undefined, twice)))[0]).toContain("run twice")
    expect(
      warnings("cursor", next(claude(undefined, { ...twice, events: ["beforeShellExecution"] })))
    ).toEqual([])
  })

  it("say that Codex asks for trust", () => {
    expect(concernsOf(place("codex"), "{}").map(({ message }) => message)).toEqual([
      "Codex asks for trust before it runs new hooks: start it and open /hooks."
    ])
  })

  it.each([
    ["[features]\nhooks = false", true],
    ["[features] # x\r\ncodex_hooks=false # off", true],
    ["features.hooks = false", true],
    ["features = { a = true, hooks = false }", true],
    ["[features]\nhooks = true", false],
    ["[features]\nweb = false\n[other]\nhooks = false", false],
    ["# [features]\n# hooks = false", false],
    ["", false]
  ])("reads the switch of Codex in %j", (toml, off) => expect(codexHooksOff(toml)).toBe(off))
})

describe("the diff", () => {
  it("shows what is put in with its surroundings", () => {
    expect(unifiedDiff("s.json", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": 2\n}\n')).toBe(
      '--- s.json\n+++ s.json\n@@ -1,3 +1,4 @@\n {\n-  "a": 1\n+  "a": 1,\n+  "b": 2\n }\n'
    )
  })

  it("keeps far changes apart", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `${at}\n`)
    const changed = lines.map((line, at) => (at === 2 || at === 25 ? "new\n" : line))
    const diff = unifiedDiff("f", lines.join(""), changed.join(""))
    expect(diff.match(/^@@.*@@$/gm)).toEqual(["@@ -1,6 +1,6 @@", "@@ -23,7 +23,7 @@"])
  })

  it("tells a new file, a deleted one, a missing last newline and no difference", () => {
    expect(unifiedDiff("f", undefined, "a\n")).toBe("--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n")
    expect(unifiedDiff("f", "a\n", undefined)).toBe("--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    expect(unifiedDiff("f", "a", "a\n")).toBe(
      "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    )
    expect(unifiedDiff("f", "a\n", "a\n")).toBe("")
  })
})
