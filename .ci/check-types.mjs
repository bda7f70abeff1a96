/**
 * The types of everything, and what Effect's rules say of it (a floating Effect, a `yield` without its star): once for the sources, their
 * tests and examples, once for the page, which is read with the browser's types.
 *
 * The native compiler, with Effect's rules compiled in, is through with the whole in a fifth of the time. Where there is none for the platform,
 * TypeScript's own is given the same rules and looks instead.
 *
 *     node .ci/check-types.mjs
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { arch, execPath, exit, platform, stderr } from "node:process"

const projects = ["tsconfig.json", "src/programs/inspector/tsconfig.json"]
const native = `@effect/tsgo-${platform}-${arch}`
const path = join("artifacts", "typescript", "7.0.2", platform === "win32" ? "tsc.exe" : "tsc")

const require = createRequire(import.meta.url)
const folder = (name) => {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

const run = (program, words) => {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" })
  if (error !== undefined) stderr.write(`check-types: ${error.message}\n`)
  return status === 0
}

const found = folder(native)
const slow = join(folder("typescript"), "bin", "tsc")
const patch = join(folder("@effect/language-service"), "cli.js")
const check =
  found === undefined
    ? (project) => run(execPath, [slow, "-p", project])
    : (project) => run(join(found, path), ["-p", project])
if (found === undefined && !run(execPath, [patch, "patch", "--module", "tsc", "--log-level", "warn"])) exit(1)
// Every project is looked at, whatever is wrong with the one before.
exit(projects.filter((project) => !check(project)).length > 0 ? 1 : 0)
