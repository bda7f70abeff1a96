/** How `npm run soak -- mutants` runs the tests of a folder: its sources hold all mutants that were chosen, its runner tries each. */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { mutate } from "./tests/soak/mutants/mutate.ts"

const chosen = new Set<string>(
  JSON.parse(readFileSync(process.env["HOOKTAPE_TEST_MUTANTS_CHOSEN"] ?? "", "utf8"))
)
const files = new Set([...chosen].map((id) => id.slice(0, id.indexOf(":"))))

const order = (process.env["HOOKTAPE_TEST_MUTANTS_ORDER"] ?? "").split(" ")
const placeOf = ({ moduleId }: TestSpecification): number =>
  order.indexOf(relative(import.meta.dirname, moduleId))

/** In the order in which the folder names its tests. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform: (code, id) => {
        const file = relative(import.meta.dirname, id.replace(/\?.*$/, ""))
        return files.has(file) ? mutate(file, code).text(chosen) : undefined
      }
    }
  ],
  test: {
    environment: "node",
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/support/globalSetup.ts"],
    setupFiles: ["tests/support/isolate.ts"],
    sequence: { sequencer: AsNamed },
    runner: "./tests/soak/mutants/runner.ts",
    pool: "forks",
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    reporters: [["default", { summary: false }]],
    testTimeout: 6 * 3_600_000,
    hookTimeout: 120_000,
    unstubEnvs: true
  }
})
