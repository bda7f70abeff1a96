/** The client where `hooktape install` puts it: replaced while it runs, refused where it does not run, at one with its sources. */
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { hookOf, launcherText, prepareState, shippedClient } from "../../../src/programs/cli/prepare.ts"
import { allowedEnvironment, allowedNames } from "../../../src/runtime/environment.ts"
import { answering, fakeHost } from "../../support/client/fakeHost.ts"
import { outcomeOf } from "../../support/entrypoint.ts"

const makeState = (): string => join(mkdtempSync(join(homedir(), "installed-")), "it's a state")
const prepare = (state: string) => Effect.runPromise(prepareState(state))
const mode = (file: string): number => statSync(file).mode & 0o777
const source = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../src/programs/client/${name}`, import.meta.url)), "utf8")

/** The suite's own environment keeps tests from starting hosts. */
const call = (state: string) =>
  spawn(hookOf(state), ["claude-code", "Stop"], { stdio: "pipe", env: { PATH: process.env["PATH"] } })

describe("a prepared state directory", () => {
  it("holds the client, the launcher, what starts a host, and which build all that is of", async () => {
    const state = makeState()
    await prepare(state)
    expect(readdirSync(join(state, "bin")).sort()).toEqual([
      "build",
      "entry",
      "hook",
      "host",
      "load.cjs",
      "shipped"
    ])
    expect(readFileSync(hookOf(state)).equals(readFileSync(shippedClient()))).toBe(true)
    expect(readFileSync(join(state, "bin", "entry"), "utf8")).toBe(launcherText(state))
    for (const name of ["hook", "entry", "host"]) expect(mode(join(state, "bin", name))).toBe(0o700)
    const { stdout } = spawnSync(hookOf(state), ["--version"], { encoding: "utf8" })
    expect(stdout).toBe(readFileSync(join(state, "bin", "build"), "utf8"))
  })

  it("keeps files that are right, and rights them where they are not", async () => {
    const state = makeState()
    await prepare(state)
    const files = ["hook", "entry", "host", "load.cjs"].map((name) => join(state, "bin", name))
    const inodes = () => files.map((file) => statSync(file).ino)
    const before = inodes()
    chmodSync(hookOf(state), 0o755)
    await prepare(state)
    expect(inodes()).toEqual(before)
    expect(mode(hookOf(state))).toBe(0o700)
    for (const file of files) writeFileSync(file, "another version")
    await prepare(state)
    expect(readFileSync(hookOf(state)).equals(readFileSync(shippedClient()))).toBe(true)
    expect(readdirSync(join(state, "bin")).sort()).toEqual([
      "build",
      "entry",
      "hook",
      "host",
      "load.cjs",
      "shipped"
    ])
  })

  it("gets a new client while the one before is running", async () => {
    const state = makeState()
    await prepare(state)
    // Another program by its bytes, the same in all it does.
    const other = Buffer.concat([readFileSync(shippedClient()), Buffer.from("older")])
    writeFileSync(`${hookOf(state)}.new`, other, { mode: 0o700 })
    spawnSync("mv", [`${hookOf(state)}.new`, hookOf(state)])
    const host = await fakeHost(state, async (asking) => {
      await asking.head()
      await prepare(state)
      child.stdin.end("{}")
      await answering({ stdout: "answer" })(asking)
    })
    const child = call(state)
    expect(await outcomeOf(child)).toMatchObject({ code: 0, stdout: "answer" })
    expect(readFileSync(hookOf(state)).equals(readFileSync(shippedClient()))).toBe(true)
    await host.close()
  })

  it("answers every call while it is prepared again and again", async () => {
    const state = makeState()
    await prepare(state)
    const host = await fakeHost(state, answering({ stdout: "answer" }))
    const calls = (async () => {
      const outcomes: unknown[] = []
      for (let at = 0; at < 40; at++) {
        const child = call(state)
        child.stdin.end("{}")
        const { code, stdout } = await outcomeOf(child)
        outcomes.push({ code, stdout })
      }
      return outcomes
    })()
    for (let at = 0; at < 20; at++) {
      const aside = `${hookOf(state)}.other`
      writeFileSync(aside, Buffer.concat([readFileSync(shippedClient()), Buffer.from(`${at}`)]), {
        mode: 0o700
      })
      spawnSync("mv", [aside, hookOf(state)])
      await prepare(state)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await calls).toEqual(Array.from({ length: 40 }, () => ({ code: 0, stdout: "answer" })))
    await host.close()
  })
})

it("the client keeps of an environment what the entrypoint keeps", () => {
  const named = [...source("allowed.h").matchAll(/^ {2}"(\w+)",$/gm)].map(([, name = ""]) => name)
  expect(named.length).toBeGreaterThan(10)
  expect([...named].sort()).toEqual(Object.keys(allowedEnvironment((name) => name)).sort())
})

it("what shipped hooks ask the environment of hooktape's own names is recorded, so that a replay has it", () => {
  const root = fileURLToPath(new URL("../../../src/", import.meta.url))
  const asked = ["features"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => readFileSync(join(root, folder, file), "utf8").match(/"HOOKTAPE_\w+"/g) ?? [])
      .map((name) => name.slice(1, -1))
  )
  expect(asked).toContain("HOOKTAPE_SESSION_MONITOR")
  // A replay has a state directory of its own.
  expect(asked.filter((name) => name !== "HOOKTAPE_HOME" && !allowedNames.has(name))).toEqual([])
})

it("a compiler that is missing leaves the build without a client, one that refuses ends it", () => {
  const script = fileURLToPath(new URL("../../../.ci/programs.mjs", import.meta.url))
  const folder = mkdtempSync(join(homedir(), "compiler-"))
  const compile = (path: string) =>
    spawnSync(
      process.execPath,
      [
        "-e",
        `import(${JSON.stringify(script)}).then((it) => console.log(it.compileClient("${folder}/hook", "b")))`
      ],
      { encoding: "utf8", env: { ...process.env, PATH: path } }
    )
  expect(compile(folder)).toMatchObject({ status: 0, stdout: "undefined\n" })
  writeFileSync(join(folder, "cc"), "#!/bin/sh\necho 'hook.c:1: no' >&2\nexit 1\n", { mode: 0o700 })
  const refused = compile(`${folder}`)
  expect(refused.status).not.toBe(0)
  expect(refused.stderr).toContain("hook.c:1: no")
  expect(existsSync(join(folder, "hook"))).toBe(false)
})
