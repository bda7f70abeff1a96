/**
 * Refuses a release whose golden state is not kept: what it leaves on disk has to be there for every later version to be tried on.
 *
 *     node .ci/states.mjs [directory]
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { argv, stderr, stdout } from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"

const inHome = [".local", "state", "hooktape", "layout"].join("/")

const layoutIn = (archive) => {
  const words = ["-xzOf", archive, `./${inHome}`]
  return Number(spawnSync("tar", words, { encoding: "utf8" }).stdout.trim())
}

/** What is wrong, in a sentence that says what to do; undefined where nothing is. */
export const missingState = (root) => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const archive = join(root, "tests", "states", version, "home.tar.gz")
  if (!existsSync(archive))
    return `there is no golden state of ${version}: run "npm run state" with what is to be released, and commit tests/states/${version}`
  const [, layout] =
    /^export const layout = (\d+)$/m.exec(readFileSync(join(root, "src/state/layout.ts"), "utf8")) ?? []
  const found = layoutIn(archive)
  return found === Number(layout)
    ? undefined
    : `the golden state of ${version} has layout ${found}, and what is to be released makes ${layout}: that is another version, raise the number ("npx changeset version")`
}

if (import.meta.url === pathToFileURL(resolve(argv[1] ?? "")).href) {
  const problem = missingState(resolve(argv[2] ?? join(fileURLToPath(import.meta.url), "..", "..")))
  if (problem === undefined) stdout.write("states: the one of this version is kept\n")
  else stderr.write(`states: ${problem}\n`)
  process.exitCode = problem === undefined ? 0 : 1
}
