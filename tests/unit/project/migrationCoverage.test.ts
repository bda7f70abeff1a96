/** The coverage of migrations is measured over all of them, by all of their tests. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import config from "../../../vitest.migrations.config.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const script = readFileSync(join(root, ".ci", "run"), "utf8")

/** Of a function in it. */
const bodyOf = (name: string): string =>
  new RegExp(`^${name}\\(\\) \\{\\n([^]*?)\\n\\}`, "m").exec(script)?.[1] ?? ""

it("is of every migration, by every test that runs one, with a least that fails the run", () => {
  const { coverage } = (config as { readonly test: { readonly coverage: Record<string, unknown> } }).test
  expect(coverage).toMatchObject({
    enabled: true,
    include: ["src/tools/migrations/**"],
    provider: "v8"
  })
  // Each of them, and none so low that it says nothing.
  const { thresholds } = coverage as { readonly thresholds: Readonly<Record<string, number>> }
  const { branches = 0, functions = 0, lines = 0, ...others } = thresholds
  expect([lines >= 95, functions >= 95, branches >= 80, others]).toEqual([true, true, true, {}])
  const [, named = "", ran] =
    /^(\w+)\(\) \{\n\s*npx vitest --run --config vitest\.migrations\.config\.ts -t '[^']+'((?:\s+\\?\s*tests\/\S+)+)\n\}/m.exec(
      script
    ) ?? []
  // It is a step of what is run, and its failure is one of the run.
  expect(script).toMatch(new RegExp(`^\\s*step "coverage of the migrations" ${named}(?: \\|\\| true)?$`, "m"))
  expect(bodyOf("step")).toContain("failed-steps")
  const runs = script.split("\n").map((line) => line.trim())
  for (const word of ["begin_beside", "end_beside"]) expect(runs).toContain(word)
  expect(bodyOf("begin_beside")).toContain(named)
  const files = (ran ?? "").split(/[\s\\]+/).filter((word) => word !== "")
  const units = readdirSync(join(root, "tests/unit"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `tests/unit/${name}`)
    .filter((file) =>
      /tools\/migrations\/(?:runMigrations|rollBack)\.ts/.test(readFileSync(join(root, file), "utf8"))
    )
  expect(units.length).toBeGreaterThan(2)
  expect(files).toEqual(expect.arrayContaining(units))
})
