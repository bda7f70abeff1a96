/** One throw-away directory per test run: every worker's home lies inside it and nothing outlives the run. */
import { mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

export const setup = (): (() => void) => {
  const root = mkdtempSync(join(tmpdir(), "hooktape-tests-"))
  // The workers need to know the home they must stay away from; they cannot ask once HOME is replaced.
  process.env["HOOKTAPE_TEST_REAL_HOME"] = homedir()
  process.env["HOOKTAPE_TEST_ROOT"] = root
  return () => rmSync(root, { recursive: true, force: true })
}
