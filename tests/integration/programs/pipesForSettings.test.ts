/** Commands in a folder of strangers where a settings file is a pipe or a device: none waits for it, and none falls over it. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { cliFor } from "../../support/cli.ts"
import { outcomeOf } from "../../support/entrypoint.ts"

const settings = [
  ".hooktape/config.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/hooks.json",
  ".codex/config.toml",
  ".gemini/settings.json",
  "package.json",
  ".hooktape/package.json",
  "tsconfig.json",
  ".prettierrc"
]

const agents = ["claude-code", "codex", "gemini-cli"]

const commands: readonly (readonly string[])[] = [
  ["doctor"],
  ["check"],
  ["trust", "--yes"],
  ["build"],
  ["adopt", "--dry-run"],
  ["init"],
  ...agents.map((agent) => ["install", "--agent", agent, "--scope", "project"])
]

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

const hook = `import { defineHook } from "hooktape"
export default defineHook({ name: "a", on: "tool.before", run: () => undefined })
`

/** A device that ends: whoever does read it must not fill the memory of who finds that out. */
const kinds: Readonly<Record<string, (file: string) => void>> = {
  pipes: (file) => execFileSync("mkfifo", [file]),
  "links to a device": (file) => symlinkSync("/dev/null", file)
}

const cloneWith = (lay: (file: string) => void, names: readonly string[]) => {
  const home = realpathSync(mkdtempSync(join(homedir(), "pipes-")))
  homes.push(home)
  const project = join(home, "clone")
  const put = (name: string, made: (file: string) => void): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    made(join(project, name))
  }
  put(".git/HEAD", (file) => writeFileSync(file, "ref: refs/heads/main\n"))
  put(".hooktape/hooks/a.ts", (file) => writeFileSync(file, hook))
  for (const name of names) put(name, lay)
  const run = (args: readonly string[]) =>
    outcomeOf(
      spawn(process.execPath, [cliFor(args), ...args], {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: join(home, "state"), NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "pipe"],
        // Only one that waits takes as long.
        timeout: 40_000,
        killSignal: "SIGKILL"
      })
    )
  return { home, run }
}

const crash = /\n\s+at .+:\d+:\d+|UnhandledPromise|ERR_[A-Z]+|EAGAIN|ENXIO/

describe.runIf(process.platform !== "win32").each(Object.entries(kinds))("with %s", (_, lay) => {
  it.each(commands.map((args) => [args.join(" "), args] as const))(
    "%s ends",
    async (_, args) => {
      const { run } = cloneWith(lay, settings)
      const { code, signal, stderr, stdout } = await run(args)
      expect({ signal, crash: crash.exec(stdout + stderr)?.[0] }).toEqual({ signal: null, crash: undefined })
      expect([0, 1]).toContain(code)
    },
    60_000
  )

  it("settings that cannot be read are told to who installs", async () => {
    const { run } = cloneWith(lay, [".claude/settings.json"])
    const { code, stderr, stdout } = await run(["install", "--agent", "claude-code", "--scope", "project"])
    expect([code, stdout + stderr]).toEqual([
      1,
      // A link to a device leads out of the project, which is looked at before it is read.
      expect.stringMatching(/settings\.json.*(?:it is not a regular file|it leads out of the project)/s)
    ])
  })
})
