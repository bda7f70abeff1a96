/**
 * A user's first minutes on a machine with Node and npm alone: no compiler, no Python, no git, and no network where that can be taken away.
 * What was seen on which kind of machine, and how long it took, is printed.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endProcessesOf } from "../../support/agents/processes.ts"
import {
  blocked,
  expectFirstMinutes,
  furnish,
  hooktape,
  npmInstall,
  report
} from "../../support/machine/firstMinutes.ts"
import { type Machine, makeMachine } from "../../support/machine/machine.ts"
import { startRegistry } from "../../support/machine/registry.ts"
import { makeTarballs, type Tarballs } from "../../support/machine/tarballs.ts"

const platform = `${process.platform}-${process.arch}`
const { version: sqlite } = createRequire(import.meta.url)("better-sqlite3/package.json")
const { version } = createRequire(import.meta.url)("../../../package.json")

describe.skipIf(process.platform !== "linux")("a machine with Node, npm and a shell alone", () => {
  let tarballs: Tarballs
  const machines: Machine[] = []
  beforeAll(async () => {
    tarballs = await makeTarballs()
  })
  afterAll(() => {
    for (const { root } of machines) endProcessesOf(root)
  })

  const fresh = (files: Readonly<Record<string, string>>): Machine => {
    const machine = furnish(makeMachine(), files)
    machines.push(machine)
    return machine
  }

  it("installs what is published with the package for its platform, offline and without scripts, and all of it works", () => {
    const [esbuild = "", esbuildNative = ""] = tarballs.needed
    const { native, published } = tarballs
    const machine = fresh({ published, native, esbuild, "esbuild-native": esbuildNative })
    const names = ["published", "native", "esbuild", "esbuild-native"]
    expectFirstMinutes("published", machine, names)
    const modules = join(machine.root, "home", "ada", "app", "node_modules")
    expect(readdirSync(join(modules, "hooktape", "dist"))).not.toContain("native")
    // A host is a process like any other.
    const session = machine.run("app", [
      "sh",
      "-c",
      "npx --offline hooktape host start && npx --offline hooktape host status --json && npx --offline hooktape host stop"
    ])
    expect(session).toMatchObject({ status: 0, stdout: expect.stringContaining('"build"') })
  })

  it("installs the tarball as it is packed, which brings what is native itself", () => {
    const [esbuild = "", esbuildNative = ""] = tarballs.needed
    const machine = fresh({ packed: tarballs.packed, esbuild, "esbuild-native": esbuildNative })
    expectFirstMinutes("packed", machine, ["packed", "esbuild", "esbuild-native"])
  })

  it("is told what to install where the package for its platform is not there, and nothing of its agent's is touched", () => {
    const [esbuild = "", esbuildNative = ""] = tarballs.needed
    const machine = fresh({ published: tarballs.published, esbuild, "esbuild-native": esbuildNative })
    const installed = npmInstall(machine, ["published", "esbuild", "esbuild-native"])
    expect(installed).toMatchObject({ status: 0, stderr: "" })
    const says = `"npm install @hooktape/${platform}@${version}" brings it, and where that cannot be had "npm install better-sqlite3@${sqlite}" beside it compiles one`
    const refused = hooktape(machine, "install", "--agent", "claude-code")
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(says) })
    expect(machine.read("home/ada/.claude/settings.json")).toBe("{}\n")
    const doctor = hooktape(machine, "doctor")
    expect(doctor).toMatchObject({ status: 1, stdout: expect.stringContaining(says) })
    // What was said is done, and it goes on as if nothing had been.
    machine.copy(tarballs.native, "packages/native.tgz")
    expect(npmInstall(machine, ["native"]).status).toBe(0)
    expect(hooktape(machine, "install", "--agent", "claude-code").status).toBe(0)
    expect(blocked(machine).stdout).toContain('"deny"')
    report("without the platform's package", machine, { "npm install": installed, refused, doctor })
  })

  it("refuses the package of another release for its platform, before anything is set up", () => {
    const [esbuild = "", esbuildNative = ""] = tarballs.needed
    const { native, published } = tarballs
    const machine = fresh({ published, native, esbuild, "esbuild-native": esbuildNative })
    npmInstall(machine, ["published", "native", "esbuild", "esbuild-native"])
    const folder = `home/ada/app/node_modules/@hooktape/${platform}`
    const [addon = ""] = readdirSync(join(machine.root, folder)).filter((name) => name.endsWith(".node"))
    machine.put(`${folder}/${addon}`, "another addon")
    machine.put(`${folder}/sums.json`, '{"as":"its own list would have it"}')
    const refused = hooktape(machine, "install", "--agent", "claude-code")
    expect(refused.stderr).toContain("is not to be loaded: it is not the file that came with hooktape")
    expect(machine.read("home/ada/.claude/settings.json")).toBe("{}\n")
  })
})

/** As there is no Node for it here, of what runs with musl these are all that is tried: they are linked with nothing of the machine. */
describe.skipIf(process.platform !== "linux")("a root without a C library, and nothing else in it", () => {
  it("starts the native client and the starter", ({ skip }) => {
    const root = mkdtempSync(join(homedir(), "bare-"))
    const dist = join(import.meta.dirname, "..", "..", "..", "dist")
    cpSync(join(dist, "client", platform), root, { recursive: true })
    const start = (...words: readonly string[]) =>
      spawnSync("unshare", ["--user", "--map-root-user", "chroot", root, ...words], {
        env: { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` },
        input: "",
        encoding: "utf8"
      })
    const { error, status, stderr, stdout } = start("/hook", "--version")
    if (error !== undefined || /unshare|cannot change root/.test(stderr))
      skip("no process may have a root of its own here")
    expect({ status, stdout }).toEqual({ status: 0, stdout: readFileSync(join(dist, "build-id"), "utf8") })
    expect(start("/starter").status).toBe(0)
  })
})

describe.skipIf(process.platform !== "linux")("npm install hooktape, from a registry", () => {
  const installFrom = async (tarballs: readonly string[]) => {
    const registry = await startRegistry(tarballs)
    const machine = makeMachine()
    machine.put("home/ada/app/package.json", '{ "private": true }\n')
    try {
      const { execFile } = await import("node:child_process")
      const began = performance.now()
      const stdout = await new Promise<string>((resolve, reject) =>
        execFile(
          join(machine.root, "usr", "bin", "node"),
          [
            join(machine.root, "usr", "lib", "npm", "bin", "npm-cli.js"),
            "install",
            "--no-audit",
            "--no-fund",
            "hooktape"
          ],
          {
            cwd: join(machine.root, "home", "ada", "app"),
            env: {
              PATH: `${join(machine.root, "usr", "bin")}:${join(machine.root, "bin")}`,
              HOME: join(machine.root, "home", "ada"),
              npm_config_registry: registry.address
            }
          },
          (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stdout + stderr)))
        )
      )
      const took = Math.round(performance.now() - began)
      const [, added] = /added (\d+) packages/.exec(stdout) ?? []
      const modules = join(machine.root, "home", "ada", "app", "node_modules")
      return { added: Number(added), asked: registry.asked, modules, took }
    } finally {
      await registry.close()
    }
  }

  it("brings at most twelve packages, one of them for the platform, in which its own scripts have no part", async () => {
    const { native, needed, published } = await makeTarballs()
    const { added, modules, took } = await installFrom([published, native, ...needed])
    expect(added).toBeLessThanOrEqual(12)
    expect(readdirSync(join(modules, "@hooktape"))).toEqual([platform])
    console.info(`npm install hooktape: ${added} packages, ${took} ms`)
  })

  it("goes through where the registry has none of the platforms' packages", async () => {
    const { needed, published } = await makeTarballs()
    const { added, asked, modules } = await installFrom([published, ...needed])
    expect(asked).toContain(`@hooktape/${platform}`)
    expect(added).toBe(3)
    expect(readdirSync(modules)).not.toContain("@hooktape")
  })
})
