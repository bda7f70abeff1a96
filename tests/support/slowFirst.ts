/** Long files begin first: without a record of earlier runs the runner goes by size, and one that is short to read and long to run would keep one core waiting at the end. */
import { existsSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const slow = [
  "tests/cli/transcripts.test.ts",
  "tests/contract/programs/hostConformance.test.ts",
  "tests/integration/programs/lostBuild.test.ts",
  "tests/unit/tools/migrations.test.ts",
  "tests/contract/programs/clientWatchful.test.ts",
  "tests/unit/tools/migrationsKilled.test.ts",
  "tests/cli/demo.test.ts",
  "tests/integration/project/freshMachine.test.ts",
  "tests/laws/redact/redact.test.ts",
  "tests/integration/programs/routes.test.ts",
  "tests/integration/programs/lostProjectBuild.test.ts",
  "tests/integration/programs/lostProcess.test.ts"
]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = slow.filter((file) => !existsSync(file))
    if (gone.length > 0)
      throw new Error(`tests/support/slowFirst.ts names what is not there: ${gone.join(", ")}`)
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slow.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? slow.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
