/** A build in use: edited hooks count from the next call on, what does not build or is not trusted does not run, and hooks bring what they import. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { userManifest } from "../../../src/state/manifest.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { bash, dataOf, type Fired, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { processesAt, until } from "../../support/fire/place.ts"

const says = (name: string, text: string, on = "tool.before"): string =>
  `import { defineHook, userHint } from "hooktape"\nexport default defineHook({ name: "${name}", on: "${on}", run: () => userHint("${text}") })\n`

const inTime = /^hooktape warn: the hooks changed and could not be built(?: in time)?[ ;][^\n]+\n/

/** No build is on its way that nobody waits for any more: it would be in use later than one that began after it. */
const settled = (place: Station) => until(() => processesAt(place).length === 0)

/** The first call that did not go on without the build: on a busy machine several may. `again`: has the next one find it stale as well, after the same one before. */
const settle = async (
  place: Station,
  before: string,
  again: () => unknown = () => undefined
): Promise<Fired> => {
  for (;;) {
    const done = await place.fire({ input: bash("true") })
    expect(done.code).toBe(0)
    if (!inTime.test(done.stderr)) return done
    expect(contextOf(done), "the build before is in use").toBe(before)
    await settled(place)
    await again()
  }
}

/** What a busy machine takes is not what is looked at here. */
const patient = JSON.stringify({ deadlineMs: 60_000 })

const contextOf = ({ stdout }: { readonly stdout: string }): string | undefined =>
  stdout === "" ? undefined : JSON.parse(stdout).systemMessage

describe("the user's hooks", () => {
  let place: Station
  const call = (event = "PreToolUse") =>
    place.fire({
      event,
      input: event === "PreToolUse" ? bash("true") : payloadOf(event, { reason: "other" })
    })

  beforeAll(async () => {
    place = await station()
    place.putUser("config.json", patient)
    place.putUser("hooks/edited.ts", says("edited", "first"))
    place.putUser("hooks/end.ts", says("end", "bye", "session.end"))
    place.putUser(
      "hooks/effectful.ts",
      `import * as Effect from "effect/Effect"
      import { defineHook, userHint } from "hooktape"
      export default [
        defineHook({ name: "effectful", on: "turn.stop", run: () => Effect.sleep("5 millis").pipe(Effect.as(userHint("computed"))) }),
        defineHook({ name: "failing", on: "notify", run: () => Effect.fail(new Error("by choice")) })
      ]`
    )
    const script = place.putUser(
      "hooks/shell.sh",
      `#!/bin/sh\n# hooktape: {"on": "subagent.stop"}\ngrep -q '"agent_type":"x"' && echo "go on" >&2\nexit 2\n`
    )
    chmodSync(script, 0o755)
    await place.build()
  }, 120_000)

  it("may be commands in any language, which are told and answer as by the agent itself", async () => {
    const done = await place.fire({
      event: "SubagentStop",
      input: payloadOf("SubagentStop", { agent_id: "a", agent_type: "x", stop_hook_active: false })
    })
    expect(done).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(done.stdout)).toEqual({ decision: "block", reason: "go on" })
    const run = (await place.runs()).find(({ types }) => types.includes("SERVICE_CALLED"))
    expect(run && dataOf(run, "SERVICE_CALLED")).toMatchObject([
      {
        handler: "shell",
        input: { run: "shell.sh", agentEvent: "SubagentStop" },
        result: { exitCode: 2, stderr: "go on\n" }
      }
    ])
  })

  it("may return Effects, and only their bundles bring the runtime", async () => {
    const done = await call("Stop")
    expect(done).toMatchObject({ code: 0, stderr: "" })
    expect(contextOf(done)).toBe("computed")
    expect(await call("Notification")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "hooktape error: hook failing failed: by choice\n"
    })
    const { manifest } = await place.build()
    const withEffect = readdirSync(manifest.dir)
      .filter((name) => name.endsWith(".cjs"))
      .filter((name) => readFileSync(join(manifest.dir, name), "utf8").includes("FiberRuntime"))
    expect(withEffect.sort()).toEqual(["notify.cjs", "turn.stop.cjs"])
  })

  it("run for what a launcher started, and for nobody who starts the loader by hand", async () => {
    const loader = join(place.state, "bin", "load.cjs")
    const byHand = (env: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, [loader, "claude-code", "SessionEnd"], {
        cwd: place.project,
        env: { ...place.env, ...env },
        input: payloadOf("SessionEnd", { reason: "other" }),
        encoding: "utf8"
      })
    const refused = {
      status: 1,
      stdout: "",
      stderr: "hooktape: only a launcher starts this file. Start bin/hook beside it.\n"
    }
    expect(byHand()).toMatchObject(refused)
    // What is kept in some settings is no process's id.
    expect(byHand({ HOOKTAPE_LAUNCHER: "1" })).toMatchObject(refused)
    place.putUser(
      "hooks/marked.ts",
      `import { defineHook, userHint } from "hooktape"
      export default defineHook({ name: "marked", on: "tool.after", run: () => userHint("mark: " + process.env.HOOKTAPE_LAUNCHER) })`
    )
    await place.build()
    const { stdout } = await call("PostToolUse")
    expect(JSON.parse(stdout).systemMessage).toBe("mark: undefined")
  })

  it("run as they are now, though nobody built them", async () => {
    expect(contextOf(await call())).toBe("first")
    place.putUser("hooks/edited.ts", says("edited", "second, edited"))
    const after = await settle(place, "first")
    expect(after.stderr).toBe("")
    expect(contextOf(after)).toBe("second, edited")
    place.putUser("hooks/new.ts", says("new", "a new file"))
    expect(contextOf(await settle(place, "second, edited"))).toBe("second, edited\n\na new file")
  }, 120_000)

  it("are built anew by a newer hooktape, and the human is told on the channel that the agent has", async () => {
    const { manifest } = await place.build()
    const file = userManifest(place.state)
    const built = readFileSync(file, "utf8")
    const said = new RegExp(
      `^hooktape: updated from 0\\.0\\.1 to ${manifest.hooktape}\\. Run "hooktape install" again`,
      "m"
    )
    // Comes to what a build comes to, in the time a call has on a busy machine as well.
    const quick = join(place.home, "quick.cjs")
    writeFileSync(
      quick,
      `require("node:fs").writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(built)})\n`
    )
    /** The first call that finds an older build and waits until it is a new one. */
    const noticed = async (call: () => Promise<Fired>, isTold: (done: Fired) => boolean): Promise<Fired> => {
      for (;;) {
        const [first, ...rest] = manifest.sources
        const older = { hooktape: "0.0.1", cli: quick, sources: [{ ...first, size: -2 }, ...rest] }
        writeFileSync(file, JSON.stringify({ ...manifest, ...older }))
        const done = await call()
        expect(done.code).toBe(0)
        await settled(place)
        if (isTold(done)) return done
      }
    }
    await noticed(call, (done) => done.stderr === "" && said.test(contextOf(done) ?? ""))
    const codex = { agent: "codex", event: "SessionEnd", input: payloadOf("SessionEnd", { reason: "other" }) }
    const ended = await noticed(
      () => place.fire(codex),
      ({ stderr }) => said.test(stderr.replace("hooktape warn: updated", "hooktape: updated"))
    )
    expect(ended.stdout).toBe("")
    expect(contextOf(await call())).toBe("second, edited\n\na new file")
  }, 120_000)

  it("run as they were when they do not build, and the operator is told", async () => {
    place.putUser("hooks/edited.ts", says("edited", "third").replace("userHint(", "userHint(("))
    const before = "second, edited\n\na new file"
    const broken = await settle(place, before)
    const hint =
      'hooktape: hooks/edited.ts is broken; the last version that worked runs on. Run "hooktape build".'
    // Said by the call that waited for the build: on a busy machine none may have.
    expect([before, `${hint}\n\n${before}`]).toContain(contextOf(broken))
    expect(broken.stderr).toBe(
      'hooktape warn: not all hooks build as they are now; what worked before is in use. Run "hooktape build".\n'
    )
    const run = await place.runOf(broken)
    expect(JSON.stringify(dataOf(run, "HANDLERS_PLANNED")[0]?.notices)).toContain("not all hooks build")
    place.putUser("hooks/edited.ts", says("edited", "fourth, mended"))
    expect(contextOf(await settle(place, before))).toBe("fourth, mended\n\na new file")
  }, 120_000)

  it("run as they were when a build takes longer than the call can wait", async () => {
    const file = userManifest(place.state)
    const manifest = JSON.parse(readFileSync(file, "utf8"))
    const forever = join(place.home, "forever.cjs")
    // It outlives the call that started it, and has to end some time.
    writeFileSync(forever, "setTimeout(() => {}, 5000)\n")
    writeFileSync(file, JSON.stringify({ ...manifest, cli: forever }))
    place.putUser("hooks/end.ts", says("end", "never built", "session.end"))
    const late = await call("SessionEnd")
    expect(late.code).toBe(0)
    expect(late.stderr).toMatch(inTime)
    const run = await place.runOf(late)
    // The wait did not use up the second that handlers have here.
    expect(run.types.join()).toContain("HANDLER_SUCCEEDED")
    expect(run.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
  })
})

describe("the project's hooks", () => {
  let place: Station
  const trust = () => Effect.runPromise(trustProject({ state: place.state, project: place.project }))

  const install = (name: string, files: Readonly<Record<string, string>>) => {
    mkdirSync(join(place.project, "node_modules", name), { recursive: true })
    for (const [file, text] of Object.entries(files)) place.put(join("node_modules", name, file), text)
  }

  const hook = (more = "") => `import { defineHook, userHint } from "hooktape"
    import { shout } from "tiny-esm"
    import older from "tiny-cjs"
    import { own } from "../helpers/own.ts"
    export default defineHook({
      name: "imports", on: ["tool.before", "session.start"], run: () => userHint([shout("hello"), older.twice("x"), own].join(" ")${more})
    })\n`

  beforeAll(async () => {
    place = await station()
    place.putUser("config.json", patient)
    install("tiny-esm", {
      "package.json": JSON.stringify({
        name: "tiny-esm",
        version: "1.0.0",
        type: "module",
        exports: "./index.js"
      }),
      "index.js":
        'import { EOL } from "node:os"\nexport const shout = (text) => text.toUpperCase() + "!" + EOL.trim()\n'
    })
    install("tiny-cjs", {
      "package.json": JSON.stringify({ name: "tiny-cjs", version: "1.0.0", main: "main.js" }),
      "main.js": 'const { sep } = require("path")\nexports.twice = (text) => text + sep + text\n'
    })
    place.put(".hooktape/helpers/own.ts", 'export const own: string = "helper"\n')
    place.put(".hooktape/hooks/imports.ts", hook())
    await place.build(true)
  }, 120_000)

  const call = () => place.fire({ input: bash("true") })
  const begin = () =>
    place.fire({ event: "SessionStart", input: payloadOf("SessionStart", { source: "startup" }) })

  it("do not run before they are trusted, and the human is told how", async () => {
    expect(await call()).toMatchObject({ code: 0, stdout: "", stderr: "" })
    const start = await begin()
    expect(contextOf(start)).toBe(
      'hooktape: 1 file of this project is not trusted. Read it, then run "hooktape trust".'
    )
    const run = await place.runOf(start)
    expect(dataOf(run, "HANDLERS_PLANNED")[0]?.left[0]).toMatchObject({
      reason: expect.stringContaining("not trusted")
    })
  })

  it("run with the packages of the project once they are", async () => {
    await trust()
    await place.build(true)
    const done = await call()
    expect(done).toMatchObject({ code: 0, stderr: "" })
    expect(contextOf(done)).toBe("HELLO! x/x helper")
  })

  it("run on as they were trusted when one of them, or what it imports, is edited, and the human is told", {
    timeout: 120_000
  }, async () => {
    const helper = (own: string) =>
      place.put(".hooktape/helpers/own.ts", `export const own: string = "${own}"\n`)
    const edit = () => helper("somebody else's helper")
    edit()
    await place.build(true)
    // A session's start tells the human; what lies between stays quiet.
    expect(contextOf(await call())).toBe("HELLO! x/x helper")
    const start = await begin()
    expect(JSON.stringify(start)).toContain(
      "own.ts changed since you trusted it; its last trusted version runs on"
    )
    const run = await place.runOf(start)
    expect(JSON.stringify(dataOf(run, "HANDLERS_PLANNED")[0]?.notices)).toContain(
      ".hooktape/helpers/own.ts changed since"
    )
    await trust()
    await place.build(true)
    expect(contextOf(await call())).toBe("HELLO! x/x somebody else's helper")
  })

  it("are missed when one of them is deleted: a guard does not go without a word", {
    timeout: 120_000
  }, async () => {
    const remove = () => rmSync(join(place.project, ".hooktape", "hooks", "imports.ts"))
    const restore = async () => {
      place.put(".hooktape/hooks/imports.ts", hook())
      await place.build(true)
    }
    remove()
    const noticed = await settle(place, "HELLO! x/x somebody else's helper", async () => {
      await restore()
      remove()
    })
    expect(contextOf(noticed)).toContain(".hooktape/hooks/imports.ts was trusted and is gone.")
    await restore()
    expect(contextOf(await call())).toBe("HELLO! x/x somebody else's helper")
  })

  it("serve every directory in the project", async () => {
    mkdirSync(join(place.project, "deep", "er"), { recursive: true })
    const done = await place.fire({ input: bash("true"), cwd: join(place.project, "deep", "er") })
    expect(contextOf(done)).toBe("HELLO! x/x somebody else's helper")
    expect((await place.runOf(done)).facts[0]?.project).toBe(place.project)
  })
})
