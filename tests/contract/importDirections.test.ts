/** The import rules are a guard: planted violations are seen to be caught, and looking at nothing is a failure. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../../.ci/check-imports.mjs", import.meta.url))
const planted = fileURLToPath(new URL("../support/planted/imports", import.meta.url))

const check = (directory: string, floor: number) => {
  const { status, stderr } = spawnSync(process.execPath, [script, directory, String(floor)], {
    encoding: "utf8"
  })
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("  "))
  return { status, lines: lines.map((line) => line.replaceAll(/(\.\.\/)*node_modules\//g, "")) }
}

describe("the import rules", () => {
  it("catch every planted violation and nothing else", () => {
    const { status, lines } = check(planted, 1)
    expect(status).toBe(1)
    expect(lines.toSorted()).toEqual([
      "core-never-imports-shells: src/engine/shell.ts -> src/cli/command.ts",
      "events-know-effect-only: events/acts.ts -> src/log/act.ts",
      "every-folder-has-rules: src/attic is not in .dependency-cruiser.cjs",
      "every-folder-has-rules: src/loose.ts is not in .dependency-cruiser.cjs",
      "hot-path-stays-small: src/adapters/inline.ts -> effect/dist/dts/Schema.d.ts",
      "hot-path-stays-small: src/engine/heavy.ts -> src/log/act.ts -> effect/dist/dts/index.d.ts",
      "machines-know-events-and-xstate: machines/reads.ts -> fs",
      "no-circular: src/log/left.ts -> src/log/right.ts",
      "no-undeclared-packages: src/log/undeclared.ts -> vite/dist/node/index.js",
      "no-unresolvable: src/log/missing.ts -> ./nothing.ts",
      "nothing-shipped-imports-tests: src/log/borrows.ts -> tests/helper.ts"
    ])
  })

  it("fail when fewer modules were looked at than there should be", () => {
    const { status, lines } = check(planted, 100)
    expect(status).toBe(1)
    expect(lines.at(-1)).toMatch(/^check-imports: looked at 1\d modules, expected at least 100$/)
  })

  it("fail where there are no sources", () => {
    expect(check(fileURLToPath(new URL("../../docs", import.meta.url)), 1).status).toBe(1)
  })
})
