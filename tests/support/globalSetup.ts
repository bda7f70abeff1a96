/** One throw-away directory per test run: every worker's home lies inside it and nothing outlives the run. */
import { mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { endProcessesIn } from "./agents/processes.ts"

export const setup = (): (() => void) => {
  const root = mkdtempSync(join(tmpdir(), "hooktape-tests-"))
  // The workers need to know the home they must stay away from; they cannot ask once HOME is replaced.
  process.env["HOOKTAPE_TEST_REAL_HOME"] = homedir()
  process.env["HOOKTAPE_TEST_ROOT"] = root
  return () => {
    // A host that a late call started has nobody left to serve, and would write where nothing is to be.
    endProcessesIn(root)
    rmSync(root, { recursive: true, force: true, maxRetries: 10 })
  }
}
