/** The check of paths is a guard: in a copy of this package each kind of list gets an entry without a file, and is seen to fail. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const project = fileURLToPath(new URL("../../../", import.meta.url))
const script = join(project, ".ci/check-paths.mjs")
const elsewhere = new Set(["node_modules", "dist", ".git"])

const check = (directory: string) => {
  const { status, stderr } = spawnSync(process.execPath, [script, directory], { encoding: "utf8" })
  return { status, found: stderr.split("\n").filter((line) => line !== "") }
}

type Change = readonly [path: string, from: string | RegExp, to: string]

/** This package, to be changed. */
const copy = mkdtempSync(join(tmpdir(), "paths-"))
cpSync(project, copy, {
  recursive: true,
  filter: (path) => !elsewhere.has(relative(project, path).split(sep)[0] ?? "")
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** What the check says of this package with some of its texts changed. */
const checkChanged = (changes: readonly Change[]) => {
  try {
    for (const [path, from, to] of changes) {
      const before = readFileSync(join(copy, path), "utf8")
      const after = before.replace(from, to)
      if (after === before) throw new Error(`${path} does not hold ${from}`)
      writeFileSync(join(copy, path), after)
    }
    return check(copy)
  } finally {
    for (const [path] of changes) cpSync(join(project, path), join(copy, path))
  }
}

/** Each kind of list with an entry of which nothing is there, and the name that the check has to give it. */
const dead: ReadonlyArray<readonly [what: string, ...change: Change, dead: string]> = [
  ["an entry of knip.json", "knip.json", /"entry": \[/, '"entry": ["src/gone/*.ts",', "src/gone/*.ts"],
  [
    "one of the names in braces",
    "knip.json",
    "{bench,demo,latest,soak}",
    "{bench,gone}",
    "tests/gone/main.ts"
  ],
  ["what knip ignores", "knip.json", /"ignore": \[/, '"ignore": ["gone/**",', "gone/**"],
  ["what biome leaves out", "biome.json", '"!package-lock.json"', '"!gone.json"', "gone.json"],
  ["an override of biome.json", "biome.json", '"src/index.ts"', '"src/gone.ts"', "src/gone.ts"],
  ["what is compiled", "tsconfig.json", '"examples",', '"samples",', "samples"],
  ["what is not compiled", "tsconfig.json", '"tests/support/planted"', '"tests/gone"', "tests/gone"],
  ["an alias", "tsconfig.json", '"./src/index.ts"', '"./src/gone.ts"', "src/gone.ts"],
  ["what is built", "tsconfig.build.json", '"machines"', '"engines"', "engines"],
  ["which tests run", "vitest.config.ts", '"tests/**/*.test.ts"', '"test/**/*.test.ts"', "test/**/*.test.ts"],
  ["which tests do not", "vitest.config.ts", '"tests/agents/**"', '"tests/agent/**"', "tests/agent/**"],
  [
    "which tests run with real agents",
    "vitest.agents.config.ts",
    '"tests/agents/**/*.test.ts"',
    '"tests/agent/**/*.test.ts"',
    "tests/agent/**/*.test.ts"
  ],
  [
    "which tests begin first",
    "tests/support/slowFirst.ts",
    '"tests/laws/redact/redact.test.ts"',
    '"tests/laws/gone.test.ts"',
    "tests/laws/gone.test.ts"
  ],
  [
    "which tests run with another Node",
    ".ci/run",
    "vitest run tests/",
    "vitest run tests/gone tests/",
    "tests/gone"
  ],
  ["a script of continuous integration", ".ci/run", "node .ci/sum.mjs", "node .ci/gone.mjs", ".ci/gone.mjs"],
  ["what the package holds", "package.json", '"examples",', '"samples",', "samples"],
  ["what the package exports", "package.json", "dist/src/index.js", "dist/src/gone.js", "src/gone.ts"],
  ["a command of package.json", "package.json", "node .ci/build.mjs", "node .ci/gone.mjs", ".ci/gone.mjs"],
  [
    "what the build bundles",
    ".ci/build.mjs",
    '"src/programs/entry/load.ts"',
    '"src/programs/entry/gone.ts"',
    "src/programs/entry/gone.ts"
  ],
  ["what the build copies", ".ci/build.mjs", '["events", "machines"', '["events", "engines"', "engines"],
  ["where the client is", ".ci/programs.mjs", '"../src/programs/client/"', '"../src/gone/"', "src/gone"],
  [
    "who owns the streams",
    ".ci/check-streams.mjs",
    "runtime\\/noise",
    "runtime\\/gone",
    "^src/runtime/gone\\.ts$"
  ],
  ["who may not", ".ci/check-streams.mjs", "/^src\\/hooks\\//", "/^src\\/gone\\//", "^src/gone/"],
  ["what starts a program", ".ci/check-spawns.mjs", "\\/runCommand\\.ts", "\\/gone\\.ts", "/gone\\.ts$"],
  [
    "the page of what starts a program",
    ".ci/check-spawns.mjs",
    '"docs/reference/spawns.md"',
    '"docs/reference/gone.md"',
    "docs/reference/gone.md"
  ],
  [
    "an import rule",
    ".dependency-cruiser.cjs",
    "runEffect\\\\.ts",
    "gone\\\\.ts",
    "^src/programs/entry/gone\\.ts$"
  ],
  [
    "one of its names",
    ".dependency-cruiser.cjs",
    "(hostScript|launcher)",
    "(hostScript|gone)",
    "^src/tools/install/(?:gone)\\.ts$"
  ],
  ["a folder of the import rules", ".dependency-cruiser.cjs", '"tools",', '"tools", "gone",', "src/gone"],
  [
    "a folder that a test asks for",
    "tests/pages/emitPoints.test.ts",
    '"src/agents/"',
    '"src/gone/"',
    "src/gone"
  ],
  ["a row of a table", "docs/reference/spawns.md", /`src\/[^`]+`/, "`src/gone.ts`", "src/gone.ts"],
  ["a page's word", "docs/vocabulary.md", /`src\/[^`]+`/, "`src/gone.ts`", "src/gone.ts"]
]

describe("a path or a pattern that matches no file", () => {
  const all = checkChanged(dead.map(([, ...change]) => [change[0], change[1], change[2]]))

  it("is nowhere in this package", () => {
    expect(check(project)).toEqual({ status: 0, found: [] })
    expect(checkChanged([])).toEqual({ status: 0, found: [] })
  })

  it.each(dead)("fails as %s", (_, path, _from, _to, name) => {
    expect(all.status).toBe(1)
    expect(all.found).toContain(`${path}: nothing is there of: ${name}`)
  })

  it("is all that is said to be one", () => {
    expect(all.found.filter((line) => !/gone|samples|engines|tests?\/agent\/|: test\//.test(line))).toEqual(
      []
    )
  })

  it("fails where a list is gone from where it is looked for, and for an exception that nobody needs", () => {
    const { status, found } = checkChanged([
      ["knip.json", '"ignore"', '"ignored"'],
      [".ci/run", "vitest run", "vitest"],
      ["docs/reference/hooks/error-chain.md", "`src/redis.ts`", "`redis.ts`"]
    ])
    expect(status).toBe(1)
    expect(found).toContain("knip.json: has no list called ignore")
    expect(found).toContain(".ci/run: runs no tests by name")
    expect(found.join("\n")).toMatch(/^\.ci\/check-paths\.mjs: nobody needs the exception .*redis/m)
  })
})
