/** What a release is made of: which packages, from which builds, and what stops it. The workflow itself runs elsewhere. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { alteredPrograms, nativeProgram } from "../../../src/state/nativeProgram.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const script = (name: string): Promise<unknown> => import(pathToFileURL(join(root, ".ci", name)).href)

const { supported } = (await script("native.mjs")) as { readonly supported: readonly string[] }
const { lacking } = (await script("programs.mjs")) as {
  readonly lacking: (dist: string) => readonly string[]
}
const { inName, packagesIn, platforms, prepare, published, repositoryOf } = (await script("publish.mjs")) as {
  readonly inName: readonly string[]
  readonly packagesIn: (
    folder: string,
    version: string
  ) => readonly { readonly folder: string; readonly name: string }[]
  readonly platforms: readonly string[]
  readonly prepare: (main: string, folders: readonly string[], env: NodeJS.ProcessEnv) => void
  readonly published: (manifest: object, env: NodeJS.ProcessEnv) => object
  readonly repositoryOf: (env: NodeJS.ProcessEnv) => object
}
const { missingState } = (await script("states.mjs")) as {
  readonly missingState: (root: string) => string | undefined
}
const { license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const workflow = readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8")

const scratch = (): string => mkdtempSync(join(tmpdir(), "hooktape-release-"))

const put = (file: string, text: string): string => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

describe("the workflow", () => {
  it("builds for each platform that the package will name, and for each Node that is supported", () => {
    expect([...workflow.matchAll(/platform: ([\w-]+), os/g)].map(([, name]) => name).sort()).toEqual(
      [...platforms].sort()
    )
    const [, nodes = ""] = /node: \[([\d, ]+)\]/.exec(workflow) ?? []
    expect(nodes.split(", ")).toEqual(supported)
  })

  it("publishes in one job, after all is built and tested, and only what the tag says", () => {
    const [before = "", last = ""] = workflow.split(/^ {2}publish:\n/m)
    expect(before).not.toMatch(/npm publish|publish\.mjs|NPM_TOKEN|id-token: write/)
    const steps = ["GITHUB_REF_NAME", "name: main", "pattern: platform-", "publish.mjs"]
    const places = steps.map((one) => last.indexOf(one))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(last).toMatch(/^ {4}needs: \[platform, main\]$/m)
    // npm states where a package was built for a job that may say who it is, and is asked to.
    expect(last).toMatch(/^ {4}permissions:\n(?: {6}.*\n)* {6}id-token: write$/m)
    expect(readFileSync(join(root, ".ci", "publish.mjs"), "utf8")).toMatch(
      /dryRun \? \["--dry-run"\] : \["--provenance"\]/
    )
    expect(before).toMatch(/^ {2}platform:\n {4}needs: addons$/m)
    expect(before).toMatch(
      /^ {2}main:\n(?: {4}.*\n)*? {6}- run: npm test\n {6}- run: node \.ci\/programs\.mjs complete dist\n/m
    )
  })

  it("hands on all of what was tested, hidden folders too", () => {
    const [, main = ""] = workflow.split(/^ {2}main:\n/m)
    expect(main).toMatch(/name: main\n {10}path: dist\n(?: {10}#.*\n)? {10}include-hidden-files: true\n/)
  })

  it("runs nothing that others wrote where it may say where a package was built", () => {
    const [, last = ""] = workflow.split(/^ {2}publish:\n/m)
    expect(last).not.toMatch(/npm (?:ci|install|test|run)/)
    const imported = [...readFileSync(join(root, ".ci", "publish.mjs"), "utf8").matchAll(/from "([^"]+)"/g)]
    expect(imported.map(([, from]) => from)).toEqual(imported.map(() => expect.stringMatching(/^node:/)))
  })

  it("compiles an addon for each platform, and each finds its own", () => {
    const made = [...workflow.matchAll(/\{ name: ([\w-]+), os: ([\w.-]+), image/g)]
    const systems = new Map(
      [...workflow.matchAll(/platform: ([\w-]+), os: ([\w.-]+)/g)].map(([, name, os]) => [name, os])
    )
    for (const [, name = "", os] of made) expect(systems.get(name.replace(/-musl$/, ""))).toBe(os)
    const both = ["linux-x64-musl", "linux-arm64-musl"]
    expect(made.map(([, name]) => name).toSorted()).toEqual([...platforms, ...both].toSorted())
    // With musl in a container by itself, since actions do not run in one on arm64: there and nowhere else, and on every Node.
    expect(workflow).toMatch(
      /docker run --rm -v "\$PWD:\/work" -w \/work node:\$\{\{ matrix\.node \}\}-alpine /
    )
    expect(workflow.match(/matrix\.on\.image == 'alpine'/g)).toHaveLength(1)
  })
})

describe("a release", () => {
  const treeWith = (state?: string): string => {
    const tree = scratch()
    put(join(tree, "package.json"), JSON.stringify({ version: "3.1.0" }))
    put(join(tree, "src/state/layout.ts"), "export const layout = 7\n")
    if (state === undefined) return tree
    put(join(tree, "home/.local/state/hooktape/layout"), `${state}\n`)
    mkdirSync(join(tree, "tests/states/3.1.0"), { recursive: true })
    spawnSync("tar", ["-czf", join(tree, "tests/states/3.1.0/home.tar.gz"), "-C", join(tree, "home"), "."])
    return tree
  }

  it("is refused without the state that it leaves, or with one of another version under its number", () => {
    expect(missingState(treeWith())).toMatch(/no golden state of 3\.1\.0: run "npm run state"/)
    expect(missingState(treeWith("6"))).toMatch(/3\.1\.0 has layout 6, and what is to be released makes 7/)
    expect(missingState(treeWith("7"))).toBeUndefined()
    const run = (tree: string) =>
      spawnSync(process.execPath, [join(root, ".ci", "states.mjs"), tree], { encoding: "utf8" })
    expect(run(treeWith())).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run state") })
    expect(run(treeWith("7"))).toMatchObject({ status: 0, stderr: "" })
    const [, main = ""] = workflow.split(/^ {2}main:\n/m)
    expect(main.indexOf("- run: node .ci/states.mjs\n")).toBeGreaterThan(0)
    expect(main.indexOf("- run: node .ci/states.mjs\n")).toBeLessThan(main.indexOf("npm test"))
  })
})

describe("what is published", () => {
  const folderOf = (versions: Readonly<Record<string, string>>): string => {
    const folder = scratch()
    for (const [platform, is] of Object.entries(versions))
      put(
        join(folder, `platform-${platform}`, "package.json"),
        JSON.stringify({ name: `@hooktape/${platform}`, version: is })
      )
    return folder
  }
  const all = Object.fromEntries(platforms.map((one) => [one, version]))

  it("is a package for each platform, all of this version", () => {
    expect(packagesIn(folderOf(all), version).map(({ name }) => name)).toHaveLength(platforms.length)
    const { "darwin-x64": _, ...some } = all
    expect(() => packagesIn(folderOf(some), version)).toThrow("there is no package for darwin-x64")
    expect(() => packagesIn(folderOf({ ...all, "linux-arm64": "0.0.9" }), version)).toThrow(
      `linux-arm64 is of version 0.0.9, not ${version}`
    )
  })

  it("takes along a package for Windows where there is one, names it then alone, and takes none that nobody knows", () => {
    expect(inName).toEqual(["win32-x64", "win32-arm64"])
    const with64 = folderOf({ ...all, "win32-x64": version })
    expect(packagesIn(with64, version).map(({ name }) => name)).toContain("@hooktape/win32-x64")
    expect(() => packagesIn(folderOf({ ...all, "win32-x64": "0.0.9" }), version)).toThrow(
      "win32-x64 is of version 0.0.9"
    )
    expect(() => packagesIn(folderOf({ ...all, "sunos-x64": version }), version)).toThrow(
      "@hooktape/sunos-x64 is a package of no platform that is known"
    )
    const named = (folder: string): readonly string[] => {
      const main = scratch()
      put(join(main, "package.json"), JSON.stringify({ name: "hooktape", version }))
      mkdirSync(join(main, "dist"))
      const folders = packagesIn(folder, version).map((one) => one.folder)
      prepare(main, folders, {})
      return Object.keys(JSON.parse(readFileSync(join(main, "package.json"), "utf8")).optionalDependencies)
    }
    const usual = platforms.map((one) => `@hooktape/${one}`)
    expect(named(folderOf(all))).toEqual(usual)
    expect(named(with64)).toEqual([...usual, "@hooktape/win32-x64"])
  })

  it("names the platforms' packages, and the repository it was built from, without which npm takes no word on that", () => {
    const manifest = published({ name: "hooktape", version }, { GITHUB_REPOSITORY: "some/where" })
    expect(manifest).toEqual({
      name: "hooktape",
      version,
      repository: { type: "git", url: "git+https://github.com/some/where.git" },
      optionalDependencies: Object.fromEntries(platforms.map((one) => [`@hooktape/${one}`, version]))
    })
    expect(repositoryOf({})).toEqual({})
  })

  it("knows what is in the platforms' packages, and brings nothing of it itself", () => {
    const [main, own] = [scratch(), scratch()]
    put(join(main, "package.json"), JSON.stringify({ name: "hooktape", version }))
    put(join(main, "dist", "native", "linux-x64", "sqlite-115.node"), "x")
    put(join(own, "package.json"), JSON.stringify({ name: "@hooktape/darwin-arm64", version }))
    for (const name of ["sqlite-115.node", "client/hook", "sums.json"]) put(join(own, name), name)
    prepare(main, [own], {})
    const sum = (text: string) => ({
      bytes: text.length,
      sha256: createHash("sha256").update(text).digest("hex")
    })
    expect(JSON.parse(readFileSync(join(main, "dist", "platforms.json"), "utf8"))).toEqual({
      "darwin-arm64": { "sqlite-115.node": sum("sqlite-115.node"), "client/hook": sum("client/hook") }
    })
    expect(existsSync(join(main, "dist", "native"))).toBe(false)
    expect(JSON.parse(readFileSync(join(main, "package.json"), "utf8"))).toHaveProperty(
      "optionalDependencies"
    )
  })

  it("lacks nothing that is native, and needs no C library of the machine", () => {
    const dist = scratch()
    expect(lacking(dist)).toHaveLength(4)
    for (const name of ["linux-x64/hook", "linux-x64/starter", "linux-arm64/hook", "linux-arm64/starter"])
      put(join(dist, "client", name), "GLIBC_TUNABLES is a variable that the client takes away")
    expect(lacking(dist)).toEqual([])
    put(join(dist, "client", "linux-arm64", "hook"), "\0__libc_start_main\0GLIBC_2.34\0")
    expect(lacking(dist)).toEqual(["the client for linux-arm64 is not linked with musl"])
  })
})

it("a program in C is the package's own, or the one of the package for this platform beside it", () => {
  const modules = join(scratch(), "node_modules")
  const dist = join(modules, "hooktape", "dist")
  const platform = `${process.platform}-${process.arch}`
  const own = join(dist, "client", platform, "hook")
  put(join(dist, "package.json"), "{}")
  expect(nativeProgram(dist, "hook")).toBe(own)
  put(join(modules, "@hooktape", platform, "package.json"), "{}")
  expect(nativeProgram(dist, "hook")).toBe(own)
  const beside = put(join(modules, "@hooktape", platform, "client", "hook"), "")
  expect(nativeProgram(dist, "hook")).toBe(beside)
  expect(alteredPrograms(dist)).toEqual([])
  const sha256 = createHash("sha256").update("").digest("hex")
  put(join(dist, "platforms.json"), JSON.stringify({ [platform]: { "client/hook": { bytes: 0, sha256 } } }))
  expect(alteredPrograms(dist)).toEqual([])
  put(beside, "another")
  expect(alteredPrograms(dist)).toEqual([beside])
  put(own, "")
  expect(nativeProgram(dist, "hook")).toBe(own)
})

it("a formula for Homebrew names the tarball that it was made for", () => {
  const tarball = put(join(scratch(), "hooktape.tgz"), "packed")
  const { status, stdout } = spawnSync(process.execPath, [join(root, ".ci", "homebrew.mjs"), tarball], {
    encoding: "utf8"
  })
  expect(status).toBe(0)
  expect(stdout).toContain(`url "https://registry.npmjs.org/hooktape/-/hooktape-${version}.tgz"`)
  expect(stdout).toContain(`sha256 "${createHash("sha256").update("packed").digest("hex")}"`)
  expect(stdout).toContain(`license "${license}"`)
  expect(spawnSync(process.execPath, [join(root, ".ci", "homebrew.mjs")]).status).toBe(2)
})
