/** The command on what a released version left: any command says that something is due, `migrate` does it, `--rollback` undoes it; and a host does it by itself. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { layout } from "../../../src/state/layout.ts"
import { cli, person } from "../../support/cli.ts"
import { until } from "../../support/fire/place.ts"
import { contentsOf, type Golden, unpack } from "../../support/goldenState.ts"

const environment = ({ home, state }: Golden) => ({
  PATH: process.env["PATH"],
  HOME: home,
  HOOKTAPE_HOME: state
})

const command = (golden: Golden, program: string, ...words: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...words], {
    cwd: golden.home,
    env: environment(golden),
    encoding: "utf8"
  })
  return { status, stderr, stdout }
}

it("a command that only looks says what is due and changes nothing, migrate does it, and a rollback undoes it", () => {
  const golden = unpack()
  const { state } = golden
  const was = contentsOf(golden.home)
  const version = command(golden, cli, "--version")
  expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  expect(version.stderr).toBe(
    `hooktape: ${state} is as an earlier version left it. Run "hooktape migrate".\n`
  )
  const log = command(golden, cli, "log")
  expect(log.status).toBe(1)
  expect(log.stderr).toContain('run "hooktape migrate", which keeps a copy of it')
  const dry = command(golden, cli, "migrate", "--dry-run", "--json")
  expect(JSON.parse(dry.stdout)).toMatchObject({ kind: "behind", reached: 0, newest: layout })
  // What it remembers of the addon that it has compared is nothing that an earlier version left.
  const { ".local/state/hooktape/run/addons": _, ...left } = contentsOf(golden.home)
  expect(left).toEqual(was)

  const done = command(golden, cli, "migrate")
  expect(done).toMatchObject({ status: 0, stderr: "" })
  expect(done.stdout).toMatch(/✔ 0001 trust-by-content: .*\n[\s\S]*✔ 0004 sealed-log/)
  expect(command(golden, cli, "--version").stderr).toBe("")
  expect(
    command(golden, cli, "log", "--type", "MIGRATION_APPLIED", "--json").stdout.trim().split("\n")
  ).toHaveLength(3)

  // What a version that is yet to come was at: said after what was asked for.
  writeFileSync(join(state, "layout"), `${layout + 1}\n`)
  const listed = command(golden, cli, "jobs", "list")
  expect(listed.status).toBe(0)
  expect(listed.stderr).toMatch(/is of a newer hooktape .* Update it\.\n$/)
  writeFileSync(join(state, "layout"), `${layout}\n`)

  // Beneath an agent nobody takes anything back.
  const agents = spawnSync(process.execPath, [cli, "migrate", "--rollback"], {
    env: { ...environment(golden), CLAUDECODE: "1" },
    encoding: "utf8"
  })
  expect(agents.status).toBe(1)
  expect(agents.stderr).toContain("an agent does not decide about its own guards")
  const back = command(golden, person, "migrate", "--rollback")
  expect(back).toMatchObject({ status: 0, stderr: "" })
  expect(readFileSync(join(state, "trust.json"), "latin1")).toBe(was[".local/state/hooktape/trust.json"])
  expect(readFileSync(join(state, "layout"), "latin1")).toBe("0\n")
})

it("a host brings it up to date before it opens the log, its registrations too, and the log is as it was", async () => {
  const golden = unpack()
  const { state } = golden
  const dist = join(import.meta.dirname, "..", "..", "..", "dist")
  cpSync(join(dist, "load.cjs"), join(state, "bin", "load.cjs"))
  const settings = join(golden.home, ".codex", "hooks.json")
  const registered = readFileSync(settings, "utf8")
  writeFileSync(settings, registered.replaceAll('"timeout": 10', '"timeout": 6'))
  writeFileSync(join(state, "run", "starting"), "")
  const { spawn } = await import("node:child_process")
  const host = spawn(process.execPath, [join(dist, "host.cjs"), state], {
    env: environment(golden),
    stdio: "ignore"
  })
  try {
    await until(() => command(golden, cli, "host", "status").status === 0)
    expect(readFileSync(join(state, "layout"), "latin1")).toBe(`${layout}\n`)
    expect(command(golden, cli, "log", "--type", "MIGRATION_APPLIED", "--json").stdout).toContain(
      "sealed-log"
    )
    expect(readFileSync(settings, "utf8")).toBe(registered)
  } finally {
    host.kill()
  }
})

it("an offer says what stands for a hook of an earlier tool and whether that is on, and nothing due where nothing is installed", () => {
  const home = mkdtempSync(join(homedir(), "offers-"))
  const settings = {
    hooks: { Stop: [{ hooks: [{ type: "command", command: "python3 recall-monitor.py" }] }] }
  }
  mkdirSync(join(home, ".claude"))
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings))
  const golden = { home, state: join(home, "state") }
  const { status, stdout } = command(golden, cli, "migrate", "--dry-run")
  expect(status).toBe(0)
  expect(stdout).toContain(`nothing is due in ${golden.state}: nothing is installed in it\n`)
  expect(stdout).toContain(
    "Stop: python3 recall-monitor.py (session-monitor, which is off until HOOKTAPE_SESSION_MONITOR is true)"
  )
})
