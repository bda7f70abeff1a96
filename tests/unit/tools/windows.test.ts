/** What agents on Windows are told to start: never a shell script, and never a line that a shell there reads as another one. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parseTree } from "jsonc-parser"
import { describe, expect, it } from "vitest"
import { hookFile, hostFile, hostStart } from "../../../src/state/startedFiles.ts"
import { stateOf } from "../../../src/tools/install/command.ts"
import { dialects, type InstallAgent, installAgents } from "../../../src/tools/install/dialects.ts"
import { hostIn, hostNodeScript } from "../../../src/tools/install/hostScript.ts"
import { type InstallRequest, inspect, install, uninstall } from "../../../src/tools/install/installation.ts"
import { type InstallInput, planInstall, planUninstall } from "../../../src/tools/install/plan.ts"
import { registrationsOf } from "../../../src/tools/install/registrations.ts"
import { type WindowsNode, windowsFields, windowsNode } from "../../../src/tools/install/windows.ts"

const never = () => false
const always = () => true
const plain: WindowsNode = { node: "C:/node/node.exe", plain: "C:/node/node.exe" }
const spaced: WindowsNode = { node: "C:/Program Files/nodejs/node.exe", plain: "C:/PROGRA~1/nodejs/node.exe" }
const bin = hookFile("C:\\Users\\ada\\AppData\\Local\\hooktape", "win32")
const fields = (agent: InstallAgent, here = spaced, script = bin) =>
  windowsFields(here, { agent, bin: script, event: "Stop" })

it("what is started lies in the state directory, and is named with forward slashes where an agent reads it", () => {
  expect(bin).toBe("C:/Users/ada/AppData/Local/hooktape/bin/hook.cjs")
  expect(stateOf(bin)).toBe("C:/Users/ada/AppData/Local/hooktape")
  expect(hookFile("/home/ada/it\\s", "linux")).toBe("/home/ada/it\\s/bin/hook")
  expect(hostFile("/s", "darwin")).toBe("/s/bin/host")
  expect(hostStart("/s", "linux")).toEqual(["/s/bin/host", []])
  const [program, args] = hostStart("/s", "win32")
  expect([program, args.at(-1)]).toEqual([process.execPath, "/s/bin/host.cjs"])
})

describe("the Node that is started", () => {
  it("is none of our business elsewhere", () => {
    expect(windowsNode("linux", "/usr/bin/node", always)).toBeUndefined()
    expect(windowsNode("darwin", "/usr/bin/node", always)).toBeUndefined()
  })

  it("is named by a path that needs no quotation marks, where it has one", () => {
    expect(windowsNode("win32", "C:\\node\\node.exe", never)).toEqual(plain)
    expect(windowsNode("win32", "C:\\Program Files\\nodejs\\node.exe", always)).toEqual(spaced)
    expect(windowsNode("win32", "D:\\Program Files (x86)\\nodejs\\node.exe", always)?.plain).toBe(
      "D:/PROGRA~2/nodejs/node.exe"
    )
    // Another folder may have that short name, and none may be kept.
    expect(windowsNode("win32", "C:\\Program Files\\nodejs\\node.exe", never)?.plain).toBeUndefined()
    expect(windowsNode("win32", "C:\\My Node\\node.exe", always)?.plain).toBeUndefined()
    expect(windowsNode("win32", "\\\\server\\share\\node.exe", always)?.plain).toBeUndefined()
  })
})

describe("what stands in an entry", () => {
  it("is a program with its arguments for agents that take them", () => {
    const args = [bin, "claude-code", "Stop"]
    expect(fields("claude-code")).toEqual({ command: spaced.node, args })
    expect(fields("copilot")).toEqual({ exec: spaced.node, args: [bin, "copilot", "Stop"] })
  })

  it("is a line for PowerShell that hands the exit code on, where that is what reads it", () => {
    expect(fields("gemini-cli")).toEqual({
      command: `& 'C:/Program Files/nodejs/node.exe' '${bin}' gemini-cli Stop; exit $LASTEXITCODE`
    })
    expect(Object.keys(fields("vscode") ?? {})).toEqual(["windows"])
    expect(fields("windsurf", plain, "C:/o'neil/$x/bin/hook.cjs")).toEqual({
      powershell: "& 'C:/node/node.exe' 'C:/o''neil/$x/bin/hook.cjs' windsurf Stop; exit $LASTEXITCODE"
    })
  })

  it("is a line for cmd.exe to our own plugins, but none with what cmd.exe replaces", () => {
    expect(fields("cline")).toEqual({ command: `"${spaced.node}" "${bin}" cline Stop` })
    expect(fields("opencode", plain, "C:/a b/bin/hook.cjs")?.["command"]).toContain('"C:/a b/bin/hook.cjs"')
    expect(fields("opencode", plain, "C:/%PATH%/bin/hook.cjs")).toBeUndefined()
  })

  it.each(["codex", "qwen-code", "cursor", "droid", "kiro"] as const)(
    "is one that any shell takes for the same words, or none, for %s",
    (agent) => {
      expect(fields(agent)).toEqual({ command: `C:/PROGRA~1/nodejs/node.exe ${bin} ${agent} Stop` })
      expect(fields(agent, { ...spaced, plain: undefined })).toBeUndefined()
      for (const script of [
        "C:/a b/bin/hook.cjs",
        "C:/a&b/bin/hook.cjs",
        "C:/$a/bin/hook.cjs",
        "C:/%a%/bin/hook.cjs"
      ])
        expect(fields(agent, plain, script)).toBeUndefined()
    }
  )
})

const input = (agent: InstallAgent, more: Partial<InstallInput> = {}): InstallInput => ({
  agent,
  scope: "user",
  file: "C:/Users/ada/settings.json",
  events: ["Stop"],
  bin,
  windows: spaced,
  currentText: undefined,
  ...more
})
const refused = (more: InstallInput): string => Either.getOrThrow(Either.flip(planInstall(more))).message

describe("settings on Windows", () => {
  it.each(installAgents)(
    "%s: what is registered is recognised, kept as it is, and taken out again",
    (agent) => {
      const other = '{ "command": "node x/bin/hook.cjs other Stop" }'
      const hooks = dialects[agent].entries === "listed" ? `[ ${other} ]` : `{ "Stop": [ ${other} ] }`
      const before = `{\n  "hooks": ${hooks}\n}\n`
      const { nextText } = Either.getOrThrow(planInstall(input(agent, { currentText: before })))
      expect(nextText).not.toContain("exec '")
      expect(nextText).not.toContain("/bin/sh")
      const [only, ...others] = registrationsOf(parseTree(nextText))
      expect(others).toEqual([])
      expect(only).toMatchObject({ agent, bin, event: "Stop", under: "Stop" })
      const again = Either.getOrThrow(planInstall(input(agent, { currentText: nextText })))
      expect(again.changes).toEqual([])
      const { record } = Either.getOrThrow(planInstall(input(agent, { currentText: before })))
      expect(Either.getOrThrow(planUninstall("f", nextText, record)).nextText).toBe(before)
    }
  )

  it("is refused where no line is sure to be read as it is, and for a repository's script", () => {
    expect(refused(input("codex", { windows: { ...spaced, plain: undefined } }))).toContain(
      "Codex takes one command line, and no shell of Windows is sure to read"
    )
    expect(refused(input("claude-code", { shared: true }))).toContain("which Windows does not start")
  })

  it.each([
    { command: "C:/node/node.exe", args: ["C:/x/bin/other.cjs", "codex", "Stop"] },
    { command: "C:/node/node.exe", args: [bin, "someone", "Stop"] },
    { command: "C:/node/node.exe", args: [bin, "codex"] },
    { command: "C:/node/node.exe", args: [bin, "codex", "Stop", "--more"] },
    { command: `C:/node/node.exe ${bin} codex Stop & calc` },
    { command: `& 'C:/node/node.exe' '${bin}' codex Stop; exit $LASTEXITCODE; calc` },
    { args: [bin, "codex", "Stop"] },
    { command: "node /home/me/tools/bin/hook.cjs claude-code Stop" },
    { command: "bash /home/me/bin/hook.cjs droid Stop" },
    { command: "python3", args: [bin, "codex", "Stop"] },
    { command: `"C:/tools/deno.exe" "${bin}" cline Stop` }
  ])("leaves %j to whoever wrote it", (handler) => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [handler] }] } })
    expect(registrationsOf(parseTree(text))).toEqual([])
  })
})

it("an installation for Windows, made here, is seen as current and leaves the disk as it was", async () => {
  const root = mkdtempSync(join(tmpdir(), "hooktape-windows-"))
  const request: InstallRequest = {
    agent: "claude-code",
    scope: "user",
    home: root,
    project: join(root, "project"),
    env: {},
    state: join(root, "state"),
    // As it is there: what is ours is told by it.
    bin: "C:/Users/me/hooktape/bin/hook.cjs",
    platform: "win32",
    events: "Stop"
  }
  await Effect.runPromise(install(request))
  const text = readFileSync(join(root, ".claude", "settings.json"), "utf8")
  expect(JSON.parse(text).hooks.Stop[0].hooks[0]).toMatchObject({
    type: "command",
    command: process.execPath,
    args: ["C:/Users/me/hooktape/bin/hook.cjs", "claude-code", "Stop"]
  })
  const { registered } = await Effect.runPromise(inspect(request))
  expect(registered).toMatchObject([{ event: "Stop", current: true }])
  await Effect.runPromise(uninstall(request))
  expect(readdirSync(root)).toEqual(["state"])
})

it("the script that starts the host there loads it as if it had been started itself, without what loads code", () => {
  const root = mkdtempSync(join(tmpdir(), "hooktape-windows-"))
  const state = join(root, 'it\'s "a" state')
  mkdirSync(state)
  const host = join(root, "host.cjs")
  writeFileSync(
    host,
    "const { NODE_PATH, HOOKTAPE_HOME, KEPT } = process.env\nconsole.log(JSON.stringify([process.argv.slice(1), NODE_PATH, HOOKTAPE_HOME, KEPT]))\n"
  )
  const script = join(root, "start.cjs")
  writeFileSync(script, hostNodeScript({ host, state }))
  expect(hostIn(readFileSync(script, "utf8"))).toBe(host)
  expect(statSync(script).isFile()).toBe(true)
  const { stdout } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    env: { NODE_PATH: "/elsewhere", KEPT: "kept" }
  })
  expect(JSON.parse(stdout)).toEqual([[host, state], null, state, "kept"])
})
