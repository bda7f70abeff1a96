/** Gives every test file a home of its own, and fails a test that found its way back to the real one. */
import { mkdirSync, mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { afterEach, expect, vi } from "vitest"

// Files share a process: what one before this one stood in for must not come back at the first test of this one.
vi.unstubAllEnvs()
vi.unstubAllGlobals()
vi.useRealTimers()

const required = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`${name} is not set: run the tests through vitest`)
  return value
}

const realHome = required("HOOKTAPE_TEST_REAL_HOME")
const root = required("HOOKTAPE_TEST_ROOT")
const home = mkdtempSync(join(root, "home-"))

/** What the developer's shell may carry and a test must not inherit. */
const foreign = (name: string): boolean =>
  (name.startsWith("HOOKTAPE") && !name.startsWith("HOOKTAPE_TEST_")) ||
  name.startsWith("CLAUDE") ||
  name.startsWith("CODEX_") ||
  name.startsWith("GEMINI_") ||
  name.startsWith("CURSOR_") ||
  name.startsWith("QWEN_") ||
  name.startsWith("OPENCODE") ||
  name.startsWith("COPILOT_") ||
  name.startsWith("CLINE_") ||
  name.startsWith("FACTORY_") ||
  // Adds 50 ms to every Node 20 start.
  name === "NODE_EXTRA_CA_CERTS" ||
  name === "NODE_OPTIONS" ||
  name === "NO_COLOR" ||
  name === "FORCE_COLOR"

for (const name of Object.keys(process.env)) if (foreign(name)) delete process.env[name]

const isolated: Record<string, string> = {
  HOME: home,
  USERPROFILE: home,
  HOOKTAPE_HOME: join(home, "state", "hooktape"),
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_DATA_HOME: join(home, ".local", "share"),
  XDG_STATE_HOME: join(home, "state"),
  XDG_CACHE_HOME: join(home, ".cache"),
  XDG_RUNTIME_DIR: join(home, "run")
}

// A test that wants a host starts one, and ends it; hooks of all others must not leave one behind.
process.env["HOOKTAPE_HOST"] = "off"
// A test that is about the hooks that come with hooktape says so; all others are about their own.
process.env["HOOKTAPE_DEFAULTS"] = "off"
for (const [name, value] of Object.entries(isolated)) process.env[name] = value
mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 })

const inRealHome = (path: string): boolean =>
  // The temporary directory may itself lie inside the real home.
  (path === realHome || path.startsWith(`${realHome}/`)) && !path.startsWith(root)

// Tests that wait for processes hold the loop; between two of them the runner gets to say what it heard.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))

afterEach(() => {
  const seen = Object.keys(isolated).map((name) => [name, process.env[name] ?? ""] as const)
  // Without HOME, Node asks the user database: that is the real one again.
  const strayed = [...seen, ["os.homedir()", homedir()] as const].filter(([, path]) => inRealHome(path))
  expect(strayed, "a test may never see the real home").toEqual([])
})

// Tests that wait for nothing follow each other without a turn of the loop: on a slow machine a file of them hears nothing for a minute, which
// counts as an error of the run.
afterEach(() => turn())
