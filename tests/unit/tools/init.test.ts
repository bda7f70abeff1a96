import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { findCore } from "../../../src/tools/build/core.ts"
import { initProject } from "../../../src/tools/build/init.ts"
import { declarationClosure } from "../../../src/tools/build/scaffold.ts"
import { workshop } from "../../support/build/workshop.ts"

const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc")
const real = findCore()
/** A package folder with declarations made just now, as `dist/` has them once it is built. */
const root = mkdtempSync(join(homedir(), "package-"))
const core = { ...real, root }

beforeAll(() => {
  // Only what `src/index.ts` reaches: the rest of the sources is not this test's concern.
  const config = join(root, "tsconfig.json")
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(real.root, "tsconfig.build.json"),
      compilerOptions: {
        rootDir: real.root,
        outDir: join(root, "dist"),
        emitDeclarationOnly: true,
        declaration: true,
        typeRoots: [join(real.root, "node_modules/@types")]
      },
      include: [],
      files: [real.index]
    })
  )
  const made = spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" })
  expect(made.stdout + made.stderr).toBe("")
}, 60_000)

const project = () => realpathSync(mkdtempSync(join(homedir(), "project-")))
const init = (at: string) => Effect.runPromise(initProject({ project: at, core }))
const check = (at: string) => {
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", ".hooktape"], {
    cwd: at,
    encoding: "utf8"
  })
  return { status, stdout }
}

describe("init", () => {
  it("gives a project that depends on nothing types that hold and types that refuse", async () => {
    const at = project()
    await init(at)
    expect(check(at)).toEqual({ status: 0, stdout: "" })
    writeFileSync(
      join(at, ".hooktape/hooks/wrong.ts"),
      `import { defineHook } from "hooktape"
       export const a = defineHook({ name: "a", on: "prompt.submit", run: ({ tool }) => tool.command })
       export const b = defineHook({ name: "b", on: "tool.befor", run() {} })
       export const c = defineHook({ name: "c", on: "prompt.submit", run: ({ prompt }) => { const n: number = prompt } })
       export const d = defineHook({ name: "d", on: "notify", run: () => "stop" })\n`
    )
    const { status, stdout } = check(at)
    expect(status).not.toBe(0)
    for (const line of [2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`hooks/wrong\\.ts\\(${line},`))
    expect(stdout).not.toMatch(/types\//)
  }, 60_000)

  it("leaves room for Node's types, as its tsconfig says", async () => {
    const at = project()
    await init(at)
    writeFileSync(
      join(at, ".hooktape/hooks/reads.ts"),
      `import { readFileSync } from "node:fs"
       import { defineHook, modelContext } from "hooktape"
       export default defineHook({ name: "reads", on: "session.start", run: () => modelContext(readFileSync("a", "utf8")) })\n`
    )
    symlinkSync(join(real.root, "node_modules"), join(at, "node_modules"))
    const config = join(at, ".hooktape/tsconfig.json")
    const made = readFileSync(config, "utf8")
    const [, hint = ""] = /, then ("types": \["\w+"\]) below/.exec(made) ?? []
    const using = (types: string) => {
      writeFileSync(config, made.replace('"strict": true', `"strict": true, ${types}`))
      return check(at)
    }
    expect(using(hint)).toEqual({ status: 0, stdout: "" })
    expect(using('"types": []').stdout).toContain("node:fs")
  }, 60_000)

  it("its first hook is one that builds and works", async () => {
    const shop = workshop()
    await init(shop.project)
    await shop.trust()
    const { hooks, warnings, withheld } = await shop.built()
    expect(hooks).toMatchObject([{ hook: "no-force-push", on: ["tool.before"] }])
    expect([...warnings, ...withheld]).toEqual([])
  })

  it("touches nothing that is there, and brings only our types up to date", async () => {
    const at = project()
    const first = await init(at)
    expect(new Set(first.files.map(({ done }) => done))).toEqual(new Set(["made"]))
    expect(new Set((await init(at)).files.map(({ done }) => done))).toEqual(new Set(["kept"]))
    const write = (file: string) => writeFileSync(join(at, ".hooktape", file), "mine")
    for (const file of ["config.json", "tsconfig.json", "hooks/no-force-push.ts", "types/src/index.d.ts"])
      write(file)
    const third = await init(at)
    expect(third.files.filter(({ done }) => done !== "kept")).toEqual([
      { file: ".hooktape/types/src/index.d.ts", done: "updated" }
    ])
    for (const file of ["config.json", "tsconfig.json", "hooks/no-force-push.ts"]) {
      expect(readFileSync(join(at, ".hooktape", file), "utf8")).toBe("mine")
    }
  })

  it("adds no example beside hooks that are there", async () => {
    const at = project()
    mkdirSync(join(at, ".hooktape/hooks"), { recursive: true })
    await init(at)
    expect(existsSync(join(at, ".hooktape/hooks/no-force-push.ts"))).toBe(false)
  })

  it("does not write through a link out of the project", async () => {
    const at = project()
    symlinkSync(project(), join(at, ".hooktape"))
    await expect(init(at)).rejects.toThrow("leads out of the project through a symbolic link")
    const nested = project()
    mkdirSync(join(nested, ".hooktape/types"), { recursive: true })
    symlinkSync(project(), join(nested, ".hooktape/types/src"))
    await expect(init(nested)).rejects.toThrow("leads out of the project through a symbolic link")
    await expect(init(join(at, "nowhere"))).rejects.toThrow("there is no such directory")
  })
})

describe("the declarations of the public surface", () => {
  it("stand by themselves", () => {
    const files = [...declarationClosure(join(root, "dist/src/index.d.ts")).keys()]
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => !file.startsWith(join(root, "dist")))).toEqual([])
  })

  it("an import of a package would be noticed", () => {
    const folder = project()
    writeFileSync(join(folder, "a.d.ts"), 'export * from "./b.ts"')
    writeFileSync(join(folder, "b.d.ts"), 'export type B = import("effect").Effect<void>')
    expect(() => declarationClosure(join(folder, "a.d.ts"))).toThrow('imports "effect"')
  })
})
