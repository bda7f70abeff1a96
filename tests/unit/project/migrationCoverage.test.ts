/** The coverage of migrations is measured over all of them, by all of their tests. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import config from "../../../vitest.migrations.config.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

it("is of every migration, by every test that runs one, with a least that fails the run", () => {
  const { coverage } = (config as { readonly test: { readonly coverage: Record<string, unknown> } }).test
  expect(coverage).toMatchObject({
    enabled: true,
    include: ["src/tools/migrations/**"],
    thresholds: { lines: 95 }
  })
  const ran = /vitest\.migrations\.config\.ts -t '[^']+'((?:\s+\\?\s*tests\/\S+)+)/.exec(
    readFileSync(join(root, ".ci", "run"), "utf8")
  )?.[1]
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
