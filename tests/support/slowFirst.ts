/** Long files begin first: without a record of earlier runs the runner goes by size, and one that is short to read and long to run would keep one core waiting at the end. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const slow = [
  "tests/cli/transcripts.test.ts",
  "tests/integration/programs/lostBuild.test.ts",
  "tests/contract/programs/clientWatchful.test.ts",
  "tests/laws/redact/redact.test.ts",
  "tests/unit/runtime/clip.test.ts",
  "tests/contract/programs/hostConformance.test.ts",
  "tests/integration/features/sessionMonitor.test.ts",
  "tests/contract/programs/client.test.ts",
  "tests/integration/programs/cliBusyLog.test.ts",
  "tests/integration/programs/entrypoint.test.ts"
]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = slow.filter((file) => !existsSync(file))
    if (gone.length > 0)
      throw new Error(`tests/support/slowFirst.ts names what is not there: ${gone.join(", ")}`)
    const names = slow.map((file) => basename(file))
    const place = ({ moduleId }: TestSpecification): number => {
      const at = names.indexOf(basename(moduleId))
      return at < 0 ? names.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
