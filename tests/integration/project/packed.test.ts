/** What runs per hook is in the package: packed, unpacked elsewhere, installed from there, without the source tree. */
import { isAscii } from "node:buffer"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hostStatus } from "../../../src/runtime/host/askHost.ts"
import { bash } from "../../support/entrypoint.ts"
import { links } from "../../support/markdown.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "no-npm", on: "tool.before", when: { tool: "shell", command: /^npm / }, run: () => blockingFeedback("Use pnpm.") })
`

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

/** Relative links of a page that lead to nothing, or out of `root`. */
const deadLinks = (root: string, page: string): readonly string[] =>
  links(readFileSync(page, "utf8")).flatMap(({ line, target }) => {
    const [path = ""] = target.split("#")
    if (path === "" || /^[a-z]+:/.test(target)) return []
    const file = resolve(dirname(page), path)
    const isThere = existsSync(file) && !relative(root, file).startsWith("..")
    return isThere ? [] : [`${relative(root, page)}:${line}: ${target}`]
  })

describe("the package", () => {
  // The path of a socket has room for about a hundred characters.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hkt-")))
  const state = join(home, "state")
  const packed = join(home, "package")
  const env = { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: state }
  let host: ChildProcess | undefined

  const cli = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(packed, "dist", "cli.js"), ...args], {
      cwd: home,
      env,
      encoding: "utf8"
    })

  const command = (): string => {
    const settings = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"))
    return settings.hooks.PreToolUse[0].hooks[0].command
  }

  const fire = (more: NodeJS.ProcessEnv = {}) => {
    const { status, stderr, stdout } = spawnSync("/bin/sh", ["-c", command()], {
      cwd: home,
      env: { ...env, ...more },
      input: bash("npm install", { cwd: home }),
      encoding: "utf8"
    })
    return { status, stderr, stdout }
  }

  const transports = (): readonly string[] =>
    cli("log", "--json", "--type", "INVOCATION_OPENED")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).data.transport)

  beforeAll(() => {
    // Its cache is not the test's to fill.
    const quiet = { ...process.env, HOME: homedir() }
    execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", home], {
      cwd: root,
      env: quiet
    })
    const [tarball = ""] = readdirSync(home).filter((name) => name.endsWith(".tgz"))
    execFileSync("tar", ["-xzf", tarball], { cwd: home })
    symlinkSync(join(root, "node_modules"), join(packed, "node_modules"))
    const hooks = join(home, ".config", "hooktape", "hooks")
    mkdirSync(hooks, { recursive: true })
    writeFileSync(join(hooks, "guard.ts"), guard)
    mkdirSync(join(home, ".claude"))
    cli("install", "--agent", "claude-code")
  }, 120_000)

  afterAll(async () => {
    if (host !== undefined) {
      const ended = once(host, "exit")
      host.kill("SIGTERM")
      await ended
    }
    rmSync(home, { recursive: true, force: true })
  })

  it("answers in process and through its client and host, both from what was packed", async () => {
    const blocked = {
      status: 0,
      stdout: expect.stringContaining('"permissionDecisionReason":"Use pnpm.'),
      stderr: ""
    }
    expect(fire({ HOOKTAPE_HOST: "off" })).toEqual(blocked)
    host = spawn(join(state, "bin", "host"), [], { env, stdio: "ignore" })
    await Effect.runPromise(Effect.retry(hostStatus(state), Schedule.spaced("10 millis")))
    expect(fire()).toEqual(blocked)
    expect(transports()).toEqual(["entry", "socket"])
  }, 120_000)

  it("is ASCII in all that Node reads as it starts: V8 keeps anything else in twice the space", () => {
    const programs = filesIn(join(packed, "dist")).filter((file) => file.endsWith(".cjs"))
    expect(programs.length).toBeGreaterThan(8)
    expect(programs.filter((file) => !isAscii(readFileSync(file)))).toEqual([])
  })

  it("has all that its pages link to", () => {
    const ours = filesIn(packed).filter((file) => !file.includes("node_modules") && file.endsWith(".md"))
    expect(ours.length).toBeGreaterThan(100)
    expect(ours.flatMap((page) => deadLinks(packed, page))).toEqual([])
  })

  it("needs nothing of the source tree", () => {
    const mentions = filesIn(join(state, "bin"))
      .concat(filesIn(join(state, "build")), filesIn(join(state, "projects")))
      .filter((file) => {
        const bytes = readFileSync(file)
        return ["dist", "src", "events", "machines"].some((folder) => bytes.includes(join(root, folder, "/")))
      })
    expect(mentions).toEqual([])
    expect(readFileSync(join(state, "bin", "host"), "utf8")).toContain(join(packed, "dist", "host.cjs"))
  })
})
