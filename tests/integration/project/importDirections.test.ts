/** The import rules are a guard: planted violations are seen to be caught, and looking at nothing is a failure. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../../../.ci/check-imports.mjs", import.meta.url))
const planted = fileURLToPath(new URL("../../support/planted/imports", import.meta.url))
const { wings } = createRequire(import.meta.url)("../../../.dependency-cruiser.cjs") as {
  readonly wings: readonly string[]
}

const check = (directory: string, floor: number) => {
  const { status, stderr } = spawnSync(process.execPath, [script, directory, String(floor)], {
    encoding: "utf8"
  })
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("  "))
  return { status, lines: lines.map((line) => line.replaceAll(/(\.\.\/)*node_modules\//g, "")) }
}

const checkFiles = (sources: Readonly<Record<string, string>>) => {
  const root = mkdtempSync(join(tmpdir(), "planted-"))
  try {
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return check(root, 1)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe("the import rules", () => {
  it("catch every planted violation and nothing else", () => {
    const { status, lines } = check(planted, 1)
    expect(status).toBe(1)
    expect(lines.toSorted()).toEqual([
      "events-know-effect-only: events/acts.ts -> src/log/act.ts",
      "hot-path-stays-small: src/agents/inline.ts -> effect/dist/dts/Schema.d.ts",
      "hot-path-stays-small: src/runtime/heavy.ts -> src/log/act.ts -> effect/dist/dts/index.d.ts",
      "machines-know-events-and-xstate: machines/reads.ts -> fs",
      "no-circular: src/log/left.ts -> src/log/right.ts",
      "no-undeclared-packages: src/log/undeclared.ts -> vite/dist/node/index.js",
      "no-unresolvable: src/log/missing.ts -> ./nothing.ts",
      "nobody-imports-a-program: src/programs/cli/asks.ts -> src/programs/host/host.ts",
      "nothing-shipped-imports-tests: src/log/borrows.ts -> tests/helper.ts",
      "nothing-stands-outside-the-wings: src/attic",
      "nothing-stands-outside-the-wings: src/loose.ts",
      "runtime-imports-no-wing-below: src/runtime/shell.ts -> src/programs/cli/command.ts",
      "the-surface-is-for-users: src/log/surface.ts -> src/index.ts"
    ])
  })

  it("let each wing import those above it, and catch it where it imports one below", () => {
    const ground = wings.map((wing) => [`src/${wing}/ground.ts`, `export const it = "${wing}"\n`])
    const pairs = wings.flatMap((wing, at) =>
      wings.map((other, place) => ({ wing, other, isUp: place > at }))
    )
    const imports = pairs.map(({ wing, other }) => [
      `src/${wing}/to-${other}.ts`,
      `import { it } from "../${other}/ground.ts"\nexport const seen = it\n`
    ])
    const { lines, status } = checkFiles(Object.fromEntries([...ground, ...imports]))
    expect(status).toBe(1)
    expect(lines.toSorted()).toEqual(
      pairs
        .filter(({ isUp }) => isUp)
        .map(
          ({ wing, other }) =>
            `${wing}-imports-no-wing-below: src/${wing}/to-${other}.ts -> src/${other}/ground.ts`
        )
        .toSorted()
    )
  })

  it("fail when fewer modules were looked at than there should be", () => {
    const { status, lines } = check(planted, 100)
    expect(status).toBe(1)
    expect(lines.at(-1)).toMatch(/^check-imports: looked at 2\d modules, expected at least 100$/)
  })

  it("fail where there are no sources", () => {
    expect(check(fileURLToPath(new URL("../../../docs", import.meta.url)), 1).status).toBe(1)
  })
})
