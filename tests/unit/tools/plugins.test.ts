/** What an agent installs as a plugin or an extension: command lines that start the hooktape its user has, whatever shell runs them. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  codexConfigs,
  pluginFolders,
  pluginSwitches,
  settingsFiles
} from "../../../src/agents/settingsFiles.ts"
import { stateDirectory } from "../../../src/state/state.ts"
import { commandLine } from "../../../src/tools/install/command.ts"
import { defaultEvents } from "../../../src/tools/install/events.ts"
import { ownRegistration } from "../../../src/tools/install/sharedHook.ts"
import { foundPlugins } from "../../../src/tools/plugins/foundPlugins.ts"
import { pluginAgents, pluginFiles, pluginLine } from "../../../src/tools/plugins/pluginFiles.ts"

const makeHome = (): string => realpathSync(mkdtempSync(join(homedir(), "hooktape plugins ")))

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const withHooktape = (home: string, env: Readonly<Record<string, string>> = {}): string => {
  const state = stateDirectory({ HOME: home, ...env })
  put(join(state, "bin", "hook"), '#!/bin/sh\nprintf "%s: " "$@"\ncat\n')
  chmodSync(join(state, "bin", "hook"), 0o755)
  return state
}

const call = (
  line: string,
  env: Readonly<Record<string, string>>,
  shell = "/bin/sh"
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
  const { status, stdout, stderr } = spawnSync(shell, ["-c", line], {
    env: { PATH: process.env["PATH"], ...env },
    input: "the payload",
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}

const silent = { status: 0, stdout: "", stderr: "" }

describe("a plugin's files", () => {
  it.each(pluginAgents)("of %s register every event that is always registered, with its time", (agent) => {
    const files = pluginFiles(agent, "1.2.3")
    const { hooks } = JSON.parse(files["hooks/hooks.json"] ?? "") as {
      readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly object[] }[]>>
    }
    expect(Object.keys(hooks)).toEqual(defaultEvents(agent))
    for (const [event, groups] of Object.entries(hooks)) {
      const hook = { type: "command", command: pluginLine(agent, event), timeout: expect.any(Number) }
      expect(groups).toEqual([{ hooks: [hook] }])
    }
    const named = Object.entries(files).filter(([file]) => /plugin\.json$|extension\.json$/.test(file))
    expect(named.map(([, text]) => JSON.parse(text))).toMatchObject([{ name: "hooktape", version: "1.2.3" }])
  })
})

describe.each(pluginAgents)("a line of the plugin of %s", (agent) => {
  it("starts the hooktape of whoever runs it, wherever its state lies", () => {
    const home = makeHome()
    const said = { ...silent, stdout: `${agent}: Stop: the payload` }
    for (const env of [
      {},
      { XDG_STATE_HOME: join(home, "of states") },
      { HOOKTAPE_HOME: join(home, "here") }
    ]) {
      withHooktape(home, env)
      expect(call(pluginLine(agent, "Stop"), { HOME: home, ...env })).toEqual(said)
    }
  })

  it("leaves to the user's own registration what that answers, and nothing else", () => {
    const home = makeHome()
    const state = withHooktape(home)
    const settings = join(home, "settings.json")
    put(ownRegistration(state, agent), `${settings}\n`)
    const line = commandLine(join(state, "bin", "hook"), agent, "Stop")
    put(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: line }] }] } }))
    expect(call(pluginLine(agent, "Stop"), { HOME: home })).toEqual(silent)
    expect(call(pluginLine(agent, "SessionEnd"), { HOME: home }).stdout).toBe(
      `${agent}: SessionEnd: the payload`
    )
    put(settings, "{}")
    expect(call(pluginLine(agent, "Stop"), { HOME: home }).stdout).toBe(`${agent}: Stop: the payload`)
  })

  it("says once in a session that there is none, as JSON, and is silent otherwise", () => {
    const home = makeHome()
    expect(call(pluginLine(agent, "PreToolUse"), { HOME: home })).toEqual(silent)
    const { stdout, ...rest } = call(pluginLine(agent, "SessionStart"), { HOME: home })
    expect(rest).toEqual({ status: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining("hooktape setup") })
  })

  it("is one word to the shell around it, whichever that is", () => {
    // Nothing but single quotes around it, none within: sh, bash, zsh and fish agree on that.
    const [before, script, after] = pluginLine(agent, "Stop").split("'")
    expect([before, after]).toEqual(["sh -c ", ` hooktape ${agent} Stop`])
    // fish takes a backslash before these two for its own.
    expect(script).not.toMatch(/\\['\\]/)
    const home = makeHome()
    withHooktape(home)
    expect(call(pluginLine(agent, "Stop"), { HOME: home }, "bash").stdout).toBe(`${agent}: Stop: the payload`)
  })
})

describe("the plugins that are there", () => {
  const makePlace = () => {
    const home = makeHome()
    const project = join(home, "work", "project")
    const place = { home, project, env: {} }
    const states = () => foundPlugins(place).map(({ agent, isOn }) => `${agent} ${isOn ? "on" : "off"}`)
    return { home, project, place, states }
  }

  it("are those that an agent has on", () => {
    const { place, states } = makePlace()
    expect(states()).toEqual([])
    const claude = settingsFiles["claude-code"].user(place)
    const codex = codexConfigs.user(place)
    put(claude, '{"enabledPlugins": {"hooktape@team": true, "other@team": true}}')
    put(
      codex,
      '[plugins."other@x"]\nenabled = true\n\n[plugins."hooktape@x"]\nsource = "y"\nenabled = true\n'
    )
    put(join(pluginFolders["gemini-cli"](place), "gemini-extension.json"), "{}")
    expect(states()).toEqual(["claude-code on", "codex on", "gemini-cli on"])
    put(claude, '{"enabledPlugins": {"hooktape@team": false}}')
    put(codex, '[plugins."hooktape@x"]\nenabled = false\n[plugins."other@x"]\nenabled = true\n')
    expect(states()).toEqual(["claude-code off", "codex off", "gemini-cli on"])
    put(claude, "{")
    put(codex, "")
    expect(states()).toEqual(["gemini-cli on"])
  })

  it("may be off in a project, by its settings or its user's; a project's word alone is none", () => {
    const { home, place, project, states } = makePlace()
    const { local, project: shared, user } = settingsFiles["claude-code"]
    put(shared(place), '{"enabledPlugins": {"hooktape@team": false}}')
    put(codexConfigs.project(place), '[plugins."hooktape@x"]\nenabled = false\n')
    expect(states()).toEqual([])
    put(user(place), '{"enabledPlugins": {"hooktape@team": true}}')
    put(codexConfigs.user(place), '[plugins."hooktape@x"]\nenabled = true\n')
    expect(states()).toEqual(["claude-code off", "codex off"])
    expect(foundPlugins(place)[0]?.file).toBe(shared(place))
    put(local(place), '{"enabledPlugins": {"hooktape@team": true}}')
    put(codexConfigs.project(place), "")
    expect(states()).toEqual(["claude-code on", "codex on"])

    put(join(pluginFolders["gemini-cli"](place), "gemini-extension.json"), "{}")
    const rules = (...overrides: readonly string[]) =>
      put(pluginSwitches["gemini-cli"](place), JSON.stringify({ hooktape: { overrides } }))
    rules(`${home}/*`)
    expect(states()).toContain("gemini-cli on")
    rules(`${home}/*`, `!${project}/*`)
    expect(states()).toContain("gemini-cli off")
    rules(`!${home}/elsewhere/*`)
    expect(states()).toContain("gemini-cli on")
    rules(`!${home}/*`, `${home}/work/*`)
    expect(states()).toContain("gemini-cli on")
  })
})
