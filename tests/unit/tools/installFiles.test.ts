/** Settings files on a real disk: links, modes, backups, dry runs, and what happens when something is in the way. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type InstallRequest, inspect, install, uninstall } from "../../../src/tools/install/installation.ts"
import { recordFile } from "../../../src/tools/install/store.ts"

let root = ""
const at = (...parts: readonly string[]): string => join(root, ...parts)
const request = (more: Partial<InstallRequest> = {}): InstallRequest => ({
  agent: "claude-code",
  scope: "user",
  home: at("home"),
  project: at("project"),
  env: {},
  state: at("state"),
  events: "PreToolUse,Stop",
  ...more
})
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
const refusal = async <A>(effect: Effect.Effect<A, Error>): Promise<string> =>
  Either.getOrThrow(Either.flip(await run(Effect.either(effect)))).message

const settings = (): string => at("home", ".claude", "settings.json")
const write = (file: string, content: string | Uint8Array, mode = 0o644): void => {
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  fs.chmodSync(file, mode)
}
const read = (file: string): string => fs.readFileSync(file, "utf8")
const modeOf = (file: string): number => fs.statSync(file).mode & 0o777
/** Every file and directory with its content, to see that nothing at all changed. */
const tree = (directory = root): readonly string[] =>
  fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? [path, ...tree(path)] : [`${path}: ${entry.isFile() ? read(path) : "link"}`]
  })

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "hooktape-install-")))
  fs.mkdirSync(at("home"))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

describe("install", () => {
  it("then uninstall leaves the disk as it was, but for the backups", async () => {
    const before = tree()
    const done = await run(install(request()))
    expect(done).toMatchObject({
      agent: "claude-code",
      scope: "user",
      file: settings(),
      events: ["PreToolUse", "Stop"]
    })
    expect(done).toMatchObject({ changed: true, backup: undefined })
    expect(modeOf(settings())).toBe(0o600)
    expect(modeOf(recordFile(at("state"), settings()))).toBe(0o600)
    const undone = await run(uninstall(request()))
    expect(undone.events).toEqual(["PreToolUse", "Stop"])
    expect(undone.backup).toBeDefined()
    expect(tree().filter((line) => !line.startsWith(at("state")))).toEqual(before)
    expect(fs.existsSync(recordFile(at("state"), settings()))).toBe(false)
  })

  it("backs up what was there once per change, for the owner alone", async () => {
    const text = '{ "env": { "KEY": "secret" } } // mine\n'
    write(settings(), text, 0o640)
    const { backup } = await run(install(request()))
    expect(backup).toMatch(/\/state\/backups\/\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{12}-settings\.json$/)
    expect(read(backup ?? "")).toBe(text)
    expect(modeOf(backup ?? "")).toBe(0o600)
    expect(modeOf(at("state", "backups"))).toBe(0o700)
    expect(modeOf(settings())).toBe(0o640)
    await run(install(request()))
    expect(fs.readdirSync(at("state", "backups"))).toHaveLength(1)
    await run(uninstall(request()))
    expect(fs.readdirSync(at("state", "backups"))).toHaveLength(2)
    expect(read(settings())).toBe(text)
    expect(modeOf(settings())).toBe(0o640)
  })

  it("writes nothing at all when there is nothing to change", async () => {
    await run(install(request()))
    const before = tree()
    const inode = fs.statSync(settings()).ino
    const again = await run(install(request()))
    expect(again).toMatchObject({ changed: false, changes: [], diff: "", backup: undefined })
    expect(tree()).toEqual(before)
    expect(fs.statSync(settings()).ino).toBe(inode)
  })

  it("as a dry run shows the diff and leaves the disk alone", async () => {
    write(settings(), '{\n  "model": "opus"\n}\n')
    const before = tree()
    const { diff, changed } = await run(install(request({ dryRun: true })))
    expect(changed).toBe(true)
    expect(diff).toContain(`--- ${settings()}\n+++ ${settings()}\n@@ -1,3 +1,`)
    expect(diff).toContain(`+            "command": "exec '${at("state", "bin", "hook")}' claude-code Stop",`)
    expect(tree()).toEqual(before)
    await run(install(request()))
    const installed = tree()
    expect((await run(uninstall(request({ dryRun: true })))).diff).toContain("claude-code Stop")
    expect(tree()).toEqual(installed)
  })

  it("writes through a symbolic link, also one that leads nowhere yet", async () => {
    for (const there of [true, false]) {
      const target = at("dotfiles", `${there}.json`)
      fs.mkdirSync(at("dotfiles"), { recursive: true })
      if (there) write(target, "{}\n")
      fs.mkdirSync(dirname(settings()), { recursive: true })
      fs.symlinkSync(join("..", "..", "dotfiles", `${there}.json`), settings())
      await run(install(request()))
      expect(fs.lstatSync(settings()).isSymbolicLink()).toBe(true)
      expect(read(target)).toContain("claude-code Stop")
      await run(uninstall(request()))
      expect(fs.lstatSync(settings()).isSymbolicLink()).toBe(true)
      expect(fs.existsSync(target) ? read(target) : undefined).toBe(there ? "{}\n" : undefined)
      fs.rmSync(settings())
    }
  })

  it("does not write through a link of a project that leads out of it", async () => {
    const links = {
      ".claude/settings.json": at("home", ".profile"),
      ".claude": at("home"),
      ".hooktape": at("home", "elsewhere")
    }
    for (const [link, to] of Object.entries(links)) {
      const project = at(`project of ${link.replaceAll("/", " ")}`)
      fs.mkdirSync(dirname(join(project, link)), { recursive: true })
      fs.symlinkSync(to, join(project, link))
      const before = tree()
      const wanted = request({ scope: "project", project })
      expect(await refusal(install(wanted)), link).toContain(
        "leads out of the project through a symbolic link"
      )
      expect(tree()).toEqual(before)
    }
    const project = at("project with a link of its own")
    write(join(project, "shared", "settings.json"), "{}\n")
    fs.symlinkSync("shared", join(project, ".claude"))
    await run(install(request({ scope: "project", project })))
    expect(read(join(project, "shared", "settings.json"))).toContain("claude-code Stop")
  })

  it("from another state directory takes the place of the first and remembers what that one found", async () => {
    const text = '{"hooks": {"Stop": []}, }'
    write(settings(), text)
    await run(install(request()))
    const second = request({ state: at("other state") })
    await run(install(second))
    expect(read(settings())).not.toContain(at("state", "bin"))
    await run(uninstall(second))
    expect(read(settings())).toBe(text)
  })

  it("survives a lost and a broken record", async () => {
    write(settings(), '{\n  "model": "opus"\n}\n')
    await run(install(request()))
    write(recordFile(at("state"), settings()), "{ nonsense")
    expect((await run(install(request()))).changed).toBe(false)
    await run(uninstall(request()))
    expect(read(settings())).toBe('{\n  "model": "opus"\n}\n')
  })

  it("is the same for every agent and scope", async () => {
    const scopes = {
      "claude-code": ["user", "project", "local"],
      codex: ["user", "project"],
      "gemini-cli": ["user", "project"]
    } as const
    for (const [agent, all] of Object.entries(scopes) as [
      InstallRequest["agent"],
      readonly InstallRequest["scope"][]
    ][]) {
      for (const scope of all) {
        const one = { ...request({ agent, scope }), events: undefined }
        const { file, events } = await run(install(one))
        const hooks = JSON.parse(read(file)).hooks
        expect(Object.keys(hooks)).toEqual([...events])
        expect((await run(uninstall(one))).events).toEqual(expect.arrayContaining([...events]))
        expect(fs.existsSync(file)).toBe(false)
      }
    }
  })

  it("puts a plugin beside OpenCode's settings, misses it, mends it, and leaves what somebody made of it", async () => {
    const opencode = request({ agent: "opencode", events: "all" })
    const plugin = at("home", ".config", "opencode", "plugins", "hooktape.js")
    const concerned = async () =>
      (await run(inspect(opencode))).concerns
        .filter(({ level }) => level === "warn")
        .map(({ message }) => message)
    expect((await run(install({ ...opencode, dryRun: true }))).diff).toContain(`+++ ${plugin}`)
    expect(fs.existsSync(plugin)).toBe(false)
    const before = tree()
    expect((await run(install(opencode))).companion).toBe(plugin)
    expect(await concerned()).toEqual([])
    expect((await run(install(opencode))).changed).toBe(false)
    await run(uninstall(opencode))
    expect(tree().filter((line) => !line.startsWith(at("state")))).toEqual(before)

    await run(install(opencode))
    fs.rmSync(plugin)
    expect(await concerned()).toEqual([
      expect.stringContaining(
        `${plugin} is missing, or is not what this version writes: OpenCode calls no hook.`
      )
    ])
    expect((await run(install(opencode))).changed).toBe(true)
    expect(await concerned()).toEqual([])
    fs.appendFileSync(plugin, "// mine\n")
    await run(uninstall(opencode))
    expect(read(plugin)).toMatch(/\/\/ mine\n$/)
    await run(install(opencode))
    expect(read(plugin)).not.toContain("// mine")
    const kept = fs.readdirSync(at("state", "backups")).filter((name) => name.endsWith("-hooktape.js"))
    expect(kept.map((name) => read(at("state", "backups", name)))).toEqual([
      expect.stringMatching(/\/\/ mine\n$/)
    ])
  })

  it("warns where Codex would run every hook twice", async () => {
    const first = request({ agent: "codex", events: "Stop" })
    const others = at("project", ".codex", "hooks.json")
    const command = "exec '/home/bob/.local/state/hooktape/bin/hook' codex Stop"
    write(others, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } }))
    const { concerns } = await run(install(first))
    expect(concerns.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      `${others} registers hooktape too: each hook runs twice. Uninstall one of the two.`
    ])
  })

  it("has nothing against a repository's script beside a registration of its user, whichever came first", async () => {
    const first = request({ agent: "codex", events: "Stop" })
    const warnings = async (scope: "user" | "project") =>
      (await run(install({ ...first, scope }))).concerns.filter(({ level }) => level === "warn")
    await run(install(first))
    expect(await warnings("project")).toEqual([])
    expect(await warnings("user")).toEqual([])
  })

  it("reads the switch in config.toml beside hooks.json", async () => {
    write(at("home", ".codex", "config.toml"), "[features]\nhooks = false\n")
    const { concerns } = await run(install(request({ agent: "codex", events: "Stop" })))
    expect(concerns[0]?.message).toContain("[features] hooks = false")
  })
})

describe("uninstall", () => {
  it("of what was never installed changes nothing", async () => {
    write(settings(), '{ "hooks": {} }')
    const before = tree()
    expect(await run(uninstall(request()))).toMatchObject({ changed: false, events: [], backup: undefined })
    expect(await run(uninstall(request({ agent: "codex" })))).toMatchObject({ changed: false, events: [] })
    expect(tree()).toEqual(before)
  })

  it("keeps a directory that was made for the settings once something else lies in it", async () => {
    await run(install(request()))
    write(at("home", ".claude", "notes.md"), "mine")
    await run(uninstall(request()))
    expect(fs.readdirSync(at("home", ".claude"))).toEqual(["notes.md"])
  })
})

describe("inspect", () => {
  it("tells what is registered, by whom, and what is missing", async () => {
    expect(await run(inspect(request()))).toMatchObject({ exists: false, registered: [] })
    await run(install(request({ state: at("old") })))
    const seen = await run(inspect(request()))
    expect(seen.registered).toEqual([
      { event: "PreToolUse", bin: at("old", "bin", "hook"), current: false },
      { event: "Stop", bin: at("old", "bin", "hook"), current: false }
    ])
    expect(seen.missing).toContain("SessionStart")
    expect(seen.missing).not.toContain("Stop")
  })
})

describe("what cannot be done is said with file, reason and remedy, and nothing is written:", () => {
  it("a file that is not JSON", async () => {
    write(settings(), '{\n  "a": 1,,\n}')
    const before = tree()
    expect(await refusal(install(request()))).toBe(
      `${settings()}: line 2, column 10: a property name in double quotes is expected. ` +
        "Correct the file, then run the command again; nothing was changed."
    )
    expect(tree()).toEqual(before)
  })

  it("a file that is not UTF-8", async () => {
    write(settings(), Buffer.from([0x7b, 0xff, 0x7d]))
    expect(await refusal(install(request()))).toBe(
      `${settings()}: it is not UTF-8 text. Save it as UTF-8, then run the command again; nothing was changed.`
    )
  })

  it("a directory in the place of the file", async () => {
    fs.mkdirSync(settings(), { recursive: true })
    expect(await refusal(install(request()))).toContain(
      `${settings()}: cannot read it: it is a directory. Make it`
    )
  })

  it("a file in the place of the directory", async () => {
    write(at("home", ".claude"), "")
    expect(await refusal(install(request()))).toContain("a part of the path is not a directory")
  })

  it("links in a circle", async () => {
    fs.mkdirSync(dirname(settings()), { recursive: true })
    fs.symlinkSync("settings.json", settings())
    expect(await refusal(install(request()))).toContain("its symbolic links lead in a circle")
  })

  it("a state directory that takes no backup", async () => {
    write(settings(), "{}")
    write(at("state"), "a file")
    const before = tree()
    expect(await refusal(install(request()))).toContain("cannot make the directory")
    expect(tree()).toEqual(before)
  })

  it("a directory that takes no file, with nothing left behind", async () => {
    write(settings(), "{}")
    const { promises } = fs
    const rename = vi.spyOn(promises, "rename").mockImplementation(async (_, to) => {
      if (to === settings()) throw Object.assign(new Error("denied"), { code: "EACCES" })
    })
    const message = await refusal(install(request()))
    rename.mockRestore()
    expect(message).toBe(
      `${settings()}: cannot write it: permission denied. ` +
        "Make the file and its directory writable for you, then run the command again."
    )
    expect(read(settings())).toBe("{}")
    expect(fs.readdirSync(dirname(settings()))).toEqual(["settings.json"])
  })

  it("a file that another program writes at the same moment", async () => {
    write(settings(), "{}")
    const { promises } = fs
    const mkdir = promises.mkdir
    // The last thing that happens before the file is written: its directory is made sure of.
    const spy = vi.spyOn(promises, "mkdir").mockImplementation((async (path: string, options: object) => {
      if (path === dirname(settings())) fs.writeFileSync(settings(), '{"model":"opus"}')
      return mkdir(path, options)
    }) as typeof mkdir)
    const message = await refusal(install(request()))
    spy.mockRestore()
    expect(message).toContain("another program changed it at the same moment. Run the command again")
    expect(read(settings())).toBe('{"model":"opus"}')
  })
})
