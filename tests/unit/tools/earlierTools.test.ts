/** Hooks of earlier tools in agents' settings: known, offered, replaced on somebody's word, and put back to the byte. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { checkEarlierHooks } from "../../../src/programs/cli/doctor/migrations.ts"
import { layout, layoutFile, reachedLayout } from "../../../src/state/layout.ts"
import { openState } from "../../../src/state/state.ts"
import { findRegistrations } from "../../../src/tools/install/plan.ts"
import { sharedHookFile, sharedHookText } from "../../../src/tools/install/sharedHook.ts"
import { recordFile } from "../../../src/tools/install/store.ts"
import { earlierCommand } from "../../../src/tools/migrations/earlierCommands.ts"
import { earlierHooks } from "../../../src/tools/migrations/earlierTools.ts"
import { readJournal } from "../../../src/tools/migrations/journal.ts"
import { rollBack } from "../../../src/tools/migrations/rollBack.ts"
import { realPorts, runMigrations } from "../../../src/tools/migrations/runMigrations.ts"

describe("a command", () => {
  it.each([
    ["kuzu-memory hooks session-start", "session-brief"],
    ["/home/me/.local/bin/kuzu-memory hooks enhance", "context"],
    ["uv run kuzu-memory hooks learn", "learn"],
    ["python3 -m kuzu_memory hooks learn 2>/dev/null || true", "learn"],
    ["/opt/py/kuzu_memory/hooks/bash/learn_hook.sh", "learn"],
    ['bash "/opt/kuzu-memory/hooks/bash/session_start_hook.sh"', "session-brief"],
    ["python ~/.claude/hooks/recall-monitor.py", "session-monitor"],
    ["uv run --script /opt/recall-monitor.py", "session-monitor"]
  ])("%s does what %s does", (command, hook) => {
    expect(earlierCommand(command)?.hook).toBe(hook)
  })

  it.each([
    "kuzu-memory hooks status",
    "kuzu-memory recall x",
    "kuzu-memory hooks learn; rm -rf ~",
    "kuzu-memory hooks learn && ./mine.sh",
    "./mine.sh | kuzu-memory hooks learn",
    "kuzu-memory hooks learn > ~/mine.log",
    "kuzu-memory hooks learn $(./mine.sh)",
    "my-kuzu-memory hooks learn",
    "/my/guard.sh;/usr/bin/kuzu-memory hooks enhance",
    "/my/guard4.sh&&/x/recall-monitor",
    "X=$(/my/guard3.sh) kuzu-memory hooks enhance",
    "kuzu-memory hooks learn\n/my/guard2.sh",
    "/my/guard.sh\nkuzu-memory hooks learn",
    "kuzu-memory hooks learn || /my/guard.sh",
    "kuzu-memory hooks learn & /my/guard.sh",
    "python -c 'x' kuzu-memory hooks learn",
    "python mine.py",
    "echo recall-monitor.py",
    `kuzu-memory hooks learn ${"x".repeat(3000)}`
  ])("%s is somebody's own", (command) => {
    expect(earlierCommand(command)).toBeUndefined()
  })
})

describe("settings with such hooks", () => {
  let home = ""
  let state = ""
  let project = ""

  beforeEach(() => {
    home = mkdtempSync(join(homedir(), "earlier-"))
    vi.stubEnv("HOME", home)
    for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"]) vi.stubEnv(name, "")
    state = join(home, "state")
    project = join(home, "project")
    openState(state)
    mkdirSync(join(state, "bin"), { mode: 0o700 })
    writeFileSync(join(state, "bin", "hook"), "", { mode: 0o700 })
    writeFileSync(layoutFile(state), `${layout}\n`, { mode: 0o600 })
  })

  const put = (file: string, text: string): string => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o640 })
    return file
  }

  const entry = (command: string) => ({ hooks: [{ type: "command", command, timeout: 10 }] })
  const settings = `{
  "model": "opus", // kept
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "kuzu-memory hooks session-start" }] }
    ],
    "Stop": [
      { "hooks": [{ "type": "command", "command": "./mine.sh" }, { "type": "command", "command": "kuzu-memory hooks learn" }] }
    ]
  }
}
`
  const commandsIn = (file: string): readonly string[] =>
    [...readFileSync(file, "utf8").matchAll(/"command": ?"((?:[^"\\]|\\.)*)"/g)].map(([, one = ""]) => one)

  it("are found in each agent's file, the user's and a project's, and doctor says so", () => {
    put(join(home, ".claude/settings.json"), settings)
    put(
      join(home, ".gemini/settings.json"),
      JSON.stringify({ hooks: { SessionStart: [entry("kuzu-memory hooks session-start")] } })
    )
    put(
      join(home, ".cursor/hooks.json"),
      JSON.stringify({ version: 1, hooks: { stop: [{ command: "kuzu-memory hooks learn" }] } })
    )
    put(
      join(project, ".claude/settings.local.json"),
      JSON.stringify({ hooks: { SessionEnd: [entry("python recall-monitor.py")] } })
    )
    expect(
      earlierHooks([project]).map(({ agent, hooks, scope }) => [agent, scope, hooks.map(({ hook }) => hook)])
    ).toEqual([
      ["claude-code", "user", ["session-brief", "learn"]],
      ["gemini-cli", "user", ["session-brief"]],
      ["cursor", "user", ["learn"]],
      ["claude-code", "local", ["session-monitor"]]
    ])
    expect(checkEarlierHooks(project).map(({ status }) => status)).toEqual(["warn", "warn", "warn", "warn"])
    expect(checkEarlierHooks(project)[0]?.message).toContain(
      "calls kuzu-memory for what session-brief, learn do too"
    )
  })

  it("are replaced on somebody's word, with a copy first, and come back to the byte", () => {
    const file = put(join(home, ".claude/settings.json"), settings)
    const unasked = runMigrations({ state, projects: [project] }).results
    expect(unasked.filter(({ status }) => status !== "nothing to do")).toEqual([])
    expect(readFileSync(file, "utf8")).toBe(settings)

    const report = runMigrations({ state, projects: [project], replace: true })
    expect(report.results.map(({ name, status }) => [name, status])).toEqual([
      ["earlier-tools", "done"],
      ["earlier-tools", "nothing to do"]
    ])
    expect(report.results[0]?.backups.map((backup) => readFileSync(backup, "utf8"))).toEqual([settings])
    const text = readFileSync(file, "utf8")
    const ours = Either.getOrThrow(findRegistrations(file, text)).map(({ under }) => under)
    expect(ours).toContain("SessionStart")
    expect(ours).toContain("Stop")
    expect(commandsIn(file).filter((one) => /kuzu/.test(one))).toEqual([])
    expect(commandsIn(file)).toContain("./mine.sh")
    expect(text).toContain('"model": "opus", // kept')
    expect(reachedLayout(state)).toBe(layout)
    expect(earlierHooks([project])).toEqual([])

    expect(existsSync(recordFile(state, file))).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o640)

    expect(rollBack({ state })?.names).toEqual(["earlier-tools"])
    expect(readFileSync(file, "utf8")).toBe(settings)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    // What was made for it is gone again.
    expect(existsSync(recordFile(state, file))).toBe(false)
    expect(reachedLayout(state)).toBe(layout)
  })

  it("are only taken out where hooktape is registered already", () => {
    const file = put(join(home, ".claude/settings.json"), settings)
    runMigrations({ state, replace: true })
    const registered = readFileSync(file, "utf8")
    const inProject = put(
      join(project, ".claude/settings.json"),
      JSON.stringify({
        hooks: { Stop: [entry("kuzu-memory hooks learn")], Notification: [entry("./mine.sh")] }
      })
    )
    runMigrations({ state, projects: [project], replace: true })
    expect(Either.getOrThrow(findRegistrations(file, registered)).length).toBeGreaterThan(5)
    expect(JSON.parse(readFileSync(inProject, "utf8"))).toEqual({
      hooks: { Notification: [entry("./mine.sh")] }
    })
    expect(readFileSync(file, "utf8")).toBe(registered)
  })

  it("are replaced in a repository by what everybody who has it can start", () => {
    const file = put(
      join(project, ".claude/settings.json"),
      JSON.stringify({ hooks: { Stop: [entry("kuzu-memory hooks learn")] } })
    )
    const before = readFileSync(file, "utf8")
    runMigrations({ state, projects: [project], replace: true })
    expect(readFileSync(file, "utf8")).not.toContain(home)
    expect(new Set(commandsIn(file).map((one) => one.replace(/ \w+$/, "")))).toEqual(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the agent's
      new Set(['exec \\"${CLAUDE_PROJECT_DIR}/.hooktape/agent-hook\\" claude-code'])
    )
    const script = sharedHookFile(project)
    expect(readFileSync(script, "utf8")).toBe(sharedHookText)
    expect(lstatSync(script).mode & 0o777).toBe(0o755)
    expect(lstatSync(dirname(script)).mode & 0o777).toBe(0o755)

    rollBack({ state })
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(existsSync(script)).toBe(false)
  })

  it("are replaced for several agents of a repository at once, by a script that can be started", () => {
    put(
      join(project, ".claude/settings.json"),
      JSON.stringify({ hooks: { Stop: [entry("kuzu-memory hooks learn")] } })
    )
    put(
      join(project, ".gemini/settings.json"),
      JSON.stringify({ hooks: { SessionStart: [entry("kuzu-memory hooks session-start")] } })
    )
    const script = put(sharedHookFile(project), sharedHookText)
    const report = runMigrations({ state, projects: [project], replace: true })
    expect(report.results.map(({ status }) => status)).toContain("done")
    expect(report.results.map(({ status }) => status)).not.toContain("failed")
    expect(lstatSync(script).mode & 0o777).toBe(0o755)
    expect(earlierHooks([project])).toEqual([])
  })

  it("that lie behind a link are changed where they lie", () => {
    const real = put(join(home, "dotfiles/claude.json"), settings)
    mkdirSync(join(home, ".claude"))
    symlinkSync(real, join(home, ".claude/settings.json"))
    expect(earlierHooks([])).toHaveLength(1)
    expect(runMigrations({ state, replace: true }).results).toMatchObject([{ status: "done" }])
    expect(commandsIn(real).filter((one) => /kuzu/.test(one))).toEqual([])
    rollBack({ state })
    expect(readFileSync(real, "utf8")).toBe(settings)
    expect(lstatSync(join(home, ".claude/settings.json")).isSymbolicLink()).toBe(true)
  })

  it("that are no JSON are left alone, and that is said", () => {
    const file = put(join(home, ".claude/settings.json"), '{"hooks": kuzu-memory hooks learn')
    expect(earlierHooks([])).toEqual([])
    expect(runMigrations({ state, replace: true }).results).toMatchObject([
      { status: "failed", reason: expect.stringContaining("no JSON") }
    ])
    expect(readFileSync(file, "utf8")).toBe('{"hooks": kuzu-memory hooks learn')
  })

  it("are brought to their end where the work was cut off, by whoever migrates next", () => {
    const file = put(join(home, ".claude/settings.json"), settings)
    const disk = {
      ...realPorts.disk,
      rename: (from: string, to: string) => {
        if (to === file) throw new Error("cut off")
        realPorts.disk.rename(from, to)
      }
    }
    expect(() => runMigrations({ state, replace: true }, { ...realPorts, disk })).toThrow("cut off")
    expect(readFileSync(file, "utf8")).toBe(settings)
    runMigrations({ state })
    expect(commandsIn(file).filter((one) => /kuzu/.test(one))).toEqual([])
    expect(readJournal(state).runs.at(-1)?.state).toBe("done")
    rollBack({ state })
    expect(readFileSync(file, "utf8")).toBe(settings)
  })
})
