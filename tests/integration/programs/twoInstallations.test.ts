/** Two projects with a copy of the package each, as `npm install --save-dev` leaves them, and one host for both. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type RunningHost, startHost } from "../../support/host.ts"

const root = join(import.meta.dirname, "..", "..", "..")

let home = ""
let host: RunningHost | undefined

afterEach(async () => {
  await host?.stop()
  host = undefined
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** A project with hooktape among its packages; what esbuild is needed for is found as it is anywhere. */
const projectWithCopy = (name: string): string => {
  const project = join(home, name)
  const copy = join(project, "node_modules", "hooktape")
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, "package.json"), join(copy, "package.json"))
  const own = join(root, "dist")
  const left = ["inspector", "docs", "plugins"].map((folder) => join(own, folder))
  cpSync(own, join(copy, "dist"), { recursive: true, filter: (file) => !left.includes(file) })
  for (const needed of ["esbuild", "@esbuild"]) {
    mkdirSync(dirname(join(project, "node_modules", needed)), { recursive: true })
    symlinkSync(join(root, "node_modules", needed), join(project, "node_modules", needed))
  }
  return project
}

describe("two projects that each have the package", () => {
  it("share a host that uses one SQLite, and lose nothing of the log", async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-two-")))
    const state = join(home, "state")
    const env = { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: state }
    const [first, second] = [projectWithCopy("first"), projectWithCopy("second")]
    const hooktape = (project: string, ...args: readonly string[]) =>
      spawnSync(process.execPath, [join(project, "node_modules", "hooktape", "dist", "cli.js"), ...args], {
        cwd: project,
        env,
        encoding: "utf8"
      })
    const fire = (event: string, payload: object) =>
      spawnSync(join(state, "bin", "hook"), ["claude-code", event], {
        input: JSON.stringify({ session_id: "s", cwd: second, hook_event_name: event, ...payload }),
        cwd: second,
        env,
        encoding: "utf8"
      })
    expect(hooktape(first, "install", "--agent", "claude-code").status).toBe(0)
    host = await startHost(
      { state, env },
      { program: join(first, "node_modules", "hooktape", "dist", "host.cjs") }
    )
    expect(hooktape(second, "install", "--agent", "claude-code").status).toBe(0)
    // Both have a hook that asks the log.
    fire("SessionStart", { source: "startup" })
    fire("UserPromptSubmit", { prompt: "go on" })
    // A reader that finds no lock of the host's takes the log's newest part for finished as it closes it.
    expect(hooktape(second, "log", "--json").status).toBe(0)
    fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "git push origin topic" } })
    expect((await host.status()).pid).toBe(host.child.pid)
    const log = hooktape(second, "log", "--json")
    expect(log.stdout).toContain("git push origin topic")
    expect(hooktape(second, "log", "verify")).toMatchObject({ status: 0 })
    if (process.platform !== "linux") return
    const maps = readFileSync(`/proc/${host.child.pid}/maps`, "utf8")
    expect(new Set(maps.match(/\/\S*sqlite\S*\.node/g)).size).toBe(1)
  })
})
