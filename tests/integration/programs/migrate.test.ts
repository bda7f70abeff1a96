/** The command on what a released version left: any command says that something is due, `migrate` does it, `--rollback` undoes it; and a host does it by itself. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
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

/** Whose work it is to make the directory ready for what comes: what they write would be a new shape beside an old one. */
const preparing = ["adopt", "build", "dev", "host", "install", "run", "setup", "trust"]

it("is brought up to date by commands that set something up, and by no other", () => {
  const folder = join(import.meta.dirname, "..", "..", "..", "src", "programs", "cli", "commands")
  const calls = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/\bprepareState\(([^)]*)\)/g)].map(
      ([, given = ""]) => ({
        command: name.replace(/\.ts$/, ""),
        migrates: !given.includes("migrates: false")
      })
    )
  )
  expect(
    [...new Set(calls.flatMap(({ command, migrates }) => (migrates ? [command] : [])))].toSorted()
  ).toEqual(preparing)
})

/** A line of each command that is not among them; of what it refuses it says so, and nothing is changed either way. */
const others: readonly (readonly string[])[] = [
  ["note", "something"],
  ["search", "something"],
  ["checkpoint"],
  ["log"],
  ["log", "verify"],
  ["show", "last"],
  ["report", "last"],
  ["replay", "last"],
  ["backtest"],
  ["metrics", "pace"],
  ["notes", "list"],
  ["chains", "list"],
  ["checkpoints", "list"],
  ["hooks", "list"],
  ["hooks", "disable", "guard-destructive"],
  ["jobs", "list"],
  ["actors"],
  ["host", "status"],
  ["ship", "status"],
  ["explain", "ls"],
  ["doctor"],
  ["trust", "list"],
  ["policy", "show"],
  ["migrate", "--dry-run"]
]

it.each(others)("%s %s leaves what an earlier version left as it is", (...words) => {
  const golden = unpack()
  const was = contentsOf(golden.home)
  const { status, stderr, stdout } = command(golden, person, ...words)
  const said = `${status} ${stdout}${stderr}`
  // What it remembers of the addon that it has compared, and marks of what runs, are nothing that an earlier version left.
  const left = Object.keys(was).filter((name) => contentsOf(golden.home)[name] !== was[name])
  expect(left, said).toEqual([])
  expect(readdirSync(golden.state), said).not.toContain("layout")
  // What is due, in the words of `migrate` itself; or, before anything is looked at, that nothing is built here.
  expect(said).toMatch(/hooktape migrate|0001 trust-by-content|hooks: nothing is built/)
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

it("a rollback with nothing to take back ends no host", () => {
  const home = mkdtempSync(join(homedir(), "nothing-back-"))
  const golden = { home, state: join(home, "state") }
  const pid = () => JSON.parse(command(golden, cli, "host", "status", "--json").stdout).pid
  expect(command(golden, cli, "host", "start").status).toBe(0)
  const before = pid()
  expect(before).toBeGreaterThan(0)
  try {
    const { status, stdout } = command(golden, person, "migrate", "--rollback")
    expect({ status, stdout }).toEqual({ status: 0, stdout: "there is no migration to take back\n" })
    expect(pid()).toBe(before)
  } finally {
    command(golden, person, "host", "stop")
  }
})
