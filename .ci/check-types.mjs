/**
 * The types of everything, and what Effect's rules say of it (a floating Effect, a `yield` without its star): once for the sources, their
 * tests and examples, once for the page, which is read with the browser's types.
 *
 * A native compiler with Effect's rules compiled in is through with the whole in a fifth of the time. It is no dependency, since its packages for
 * other platforms cannot be locked everywhere: continuous integration installs it, and names its folder in NATIVE_TYPESCRIPT. Without it TypeScript's
 * own is given the same rules.
 *
 *     node .ci/check-types.mjs
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { env, execPath, exit, stderr } from "node:process"

const projects = ["tsconfig.json", "src/programs/inspector/tsconfig.json"]
const native = env.NATIVE_TYPESCRIPT
const require = createRequire(import.meta.url)
const folder = (name) => dirname(require.resolve(`${name}/package.json`))

const run = (program, words) => {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" })
  if (error !== undefined) stderr.write(`check-types: ${error.message}\n`)
  return status === 0
}

const slow = join(folder("typescript"), "bin", "tsc")
const patch = join(folder("@effect/language-service"), "cli.js")
const check =
  native === undefined
    ? (project) => run(execPath, [slow, "-p", project])
    : (project) => run(join(native, "artifacts", "typescript", "7.0.2", "tsc"), ["-p", project])
if (native === undefined && !run(execPath, [patch, "patch", "--module", "tsc", "--log-level", "warn"]))
  exit(1)
// Every project is looked at, whatever is wrong with the one before.
exit(projects.filter((project) => !check(project)).length > 0 ? 1 : 0)
