import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { build as compile } from "esbuild"
import { beforeAll, describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { buildLock, isBeingBuilt } from "../../../src/runtime/builds/beingBuilt.ts"
import { bundleOf, userManifest } from "../../../src/state/manifest.ts"
import { takeOwnerLock } from "../../../src/state/ownerLock.ts"
import type { BuildResult } from "../../../src/tools/build/build.ts"
import { findCore } from "../../../src/tools/build/core.ts"
import { Warms, warm } from "../../../src/tools/build/warm.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"
import { dist } from "../../support/host.ts"

const core = findCore()
const shop = workshop()
const loader = join(shop.state, "bin", "load.cjs")
let result: BuildResult

const payload = (name: string, more: object = {}): string =>
  JSON.stringify({ session_id: "s", transcript_path: "", cwd: shop.home, hook_event_name: name, ...more })

const call = (agent: string, event: string, input: string) =>
  spawnSync(process.execPath, [loader, agent, event], {
    input,
    cwd: shop.home,
    encoding: "utf8",
    env: { ...process.env, HOOKTAPE_LAUNCHER: String(process.pid) }
  })

beforeAll(async () => {
  shop.putUser(
    "hooks/guard.ts",
    `import { blockingFeedback, defineHook } from "hooktape"
    export default defineHook({
      name: "guard", on: "tool.before", when: { tool: "shell", command: /\\brm -rf\\b/g },
      run: ({ tool }) => blockingFeedback("not: " + tool.command)
    })`
  )
  shop.putUser(
    "hooks/loads.ts",
    `import { createRequire } from "node:module"
    import { defineHook, userHint } from "hooktape"
    const modules = () => Object.keys(createRequire("/").cache).filter((file) => file.endsWith(".node"))
    export default defineHook({ name: "loads", on: "compact.before", run: () => userHint("addons: " + modules().length) })`
  )
  shop.putUser(
    "hooks/edits.ts",
    hookFile("edits", '["file.edited", "session.start", "agent.WorktreeCreate"]')
  )
  shop.putUser(
    "hooks/effectful.ts",
    `import * as Effect from "effect/Effect"
    import { defineHook, userHint } from "hooktape"
    export default defineHook({ name: "effectful", on: "turn.stop", run: () => Effect.succeed(userHint("computed")) })`
  )
  result = await shop.builtUser({ core })
  mkdirSync(join(shop.state, "bin"), { recursive: true })
  await compile({
    entryPoints: [core.main.replace(/main(\.[jt]s)$/, "load$1")],
    outfile: loader,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: true,
    tsconfigRaw: {},
    logLevel: "silent"
  })
}, 60_000)

describe("a build with the real entrypoint", () => {
  it("knows every agent's own events", () => {
    expect(Object.keys(result.manifest.natives)).toEqual([...agents])
    expect(result.manifest.natives["claude-code"]?.["PreToolUse"]).toBe("tool.before")
    expect(result.manifest.natives["gemini-cli"]?.["BeforeTool"]).toBe("tool.before")
  })

  it("holds no schema, and Effect only where a hook brings it", () => {
    const files = readdirSync(result.manifest.dir).filter((name) => name.endsWith(".cjs"))
    expect(files.sort()).toEqual([
      "agent.WorktreeCreate.cjs",
      "compact.before.cjs",
      "core.cjs",
      "default.cjs",
      "session.start.cjs",
      "tool.after.cjs",
      "tool.before.cjs",
      "turn.stop.cjs"
    ])
    for (const file of files) {
      const text = readFileSync(join(result.manifest.dir, file), "utf8")
      expect(text, file).not.toMatch(/ParseError|effect\/annotation\/Identifier/)
      expect(text.includes("FiberRuntime"), file).toBe(file === "turn.stop.cjs")
      // What all share stands once.
      if (file !== "turn.stop.cjs")
        expect(text.length, file).toBeLessThan(file === "core.cjs" ? 950_000 : 8000)
    }
  })

  it("answers a hook call", () => {
    const blocked = call(
      "claude-code",
      "PreToolUse",
      payload("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf /" } })
    )
    expect(blocked).toMatchObject({ status: 0, stderr: "" })
    expect(JSON.parse(blocked.stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "not: rm -rf /"
    })
    const passed = call(
      "claude-code",
      "PreToolUse",
      payload("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } })
    )
    expect(passed).toMatchObject({ status: 0, stdout: "", stderr: "" })
    const computed = call("claude-code", "Stop", payload("Stop", { stop_hook_active: false }))
    expect(computed.status).toBe(0)
    expect(JSON.parse(computed.stdout)).toMatchObject({ systemMessage: "computed" })
  })

  it("loads no native addon unless a handler asks for what needs it", () => {
    const { stdout } = call("claude-code", "PreCompact", payload("PreCompact", { trigger: "manual" }))
    expect(JSON.parse(stdout)).toMatchObject({ systemMessage: "addons: 0" })
  })

  it("answers an event that nobody knows with a warning and exit 0", () => {
    expect(call("claude-code", "Unheard", payload("Unheard"))).toMatchObject({
      status: 0,
      stdout: "",
      stderr:
        'hooktape warn: unknown event of claude-code: Unheard. It is recorded; a hook can subscribe to it as "agent.Unheard".\n'
    })
  })

  const caches = () => readdirSync(result.manifest.dir).filter((name) => name.endsWith(".cache"))
  const shared = () => caches().filter((name) => /^(core|shell-guards)\.cjs\.all\./.test(name))

  it("is warmed in what all calls share, and without a word on the spool", async () => {
    const spooled = () =>
      existsSync(join(shop.state, "spool")) ? readdirSync(join(shop.state, "spool")).length : 0
    const before = spooled()
    for (const name of caches()) rmSync(join(result.manifest.dir, name))
    await Effect.runPromise(warm({ manifest: result.manifest, loader }))
    expect(shared().map((name) => name.replace(/\.all\..*/, ""))).toEqual(result.manifest.beside)
    expect(spooled()).toBe(before)
    expect(bundleOf(result.manifest, "tool.before")).toMatch(/tool\.before\.cjs$/)
  })

  it("is warmed where it is not warm yet, and nowhere else", async () => {
    const { dir } = result.manifest
    await Effect.runPromise(warm({ manifest: result.manifest, loader }))
    const ran = join(shop.home, "ran")
    const noting = join(shop.home, "noting.cjs")
    writeFileSync(
      noting,
      `require("node:fs").appendFileSync(${JSON.stringify(ran)}, process.argv.slice(2).join(" ") + "\\n")`
    )
    await Effect.runPromise(warm({ manifest: result.manifest, loader: noting }))
    expect(existsSync(ran)).toBe(false)
    const [first = "none"] = shared()
    rmSync(join(dir, first))
    await Effect.runPromise(warm({ manifest: result.manifest, loader: noting }))
    expect(readFileSync(ran, "utf8")).toBe("claude-code PreToolUse\n")
    rmSync(ran)
    const unwarmed = warm({ manifest: result.manifest, loader: noting }).pipe(
      Effect.provideService(Warms, false)
    )
    await Effect.runPromise(unwarmed)
    expect(existsSync(ran)).toBe(false)
  })

  it("is warmed by the command as it is shipped", () => {
    const place = workshop()
    const { status } = spawnSync(process.execPath, [join(dist, "cli.js"), "build", "--user"], {
      cwd: place.home,
      env: { ...process.env, HOME: place.home, HOOKTAPE_HOME: place.state }
    })
    expect(status).toBe(0)
    const { dir } = JSON.parse(readFileSync(userManifest(place.state), "utf8"))
    expect(readdirSync(dir).filter((name) => name.endsWith(".cache"))).not.toEqual([])
  })

  it("keeps what is an event's own compiled once it was called", () => {
    const own = () => caches().filter((name) => name.startsWith("compact.before.cjs.claude-code."))
    for (const name of own()) rmSync(join(result.manifest.dir, name))
    call("claude-code", "PreCompact", payload("PreCompact", { trigger: "manual" }))
    expect(own()).toHaveLength(1)
  })
})

describe("a build that nobody waits for", () => {
  const place = workshop()
  const lock = buildLock(place.state, undefined)
  const isBuilt = () => existsSync(userManifest(place.state))
  const build = () =>
    spawnSync(process.execPath, [join(dist, "cli.js"), "build", "--user", "--quiet"], {
      cwd: place.home,
      encoding: "utf8",
      env: { ...process.env, HOME: place.home, HOOKTAPE_HOME: place.state }
    })

  it("leaves it to whoever builds already", () => {
    const held = takeOwnerLock(lock)
    expect(isBeingBuilt(place.state, undefined)).toBe(true)
    expect(build()).toMatchObject({ status: 0, stdout: "", stderr: "" })
    expect(isBuilt()).toBe(false)
    held?.release()
    expect(isBeingBuilt(place.state, undefined)).toBe(false)
  })

  it("says what lies in the place of its lock", () => {
    writeFileSync(lock, "")
    const { status, stderr } = build()
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining("move it away") })
    expect(stderr).not.toMatch(/\n {4}at /)
    rmSync(lock)
  })

  it("is done where whoever built before was killed", () => {
    const { pid } = spawnSync(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"])
    mkdirSync(lock, { recursive: true })
    writeFileSync(join(lock, `${pid}.0123456789ab`), "")
    expect(build()).toMatchObject({ status: 0, stderr: "" })
    expect(isBuilt()).toBe(true)
    expect(existsSync(lock)).toBe(false)
  })
})
