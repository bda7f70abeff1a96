/**
 * Compiles what is native for this machine: src/programs/client and src/programs/starter. Where no compiler is, hooks go through the
 * entrypoint and Node starts their commands: slower, and the same otherwise.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = (path) => fileURLToPath(new URL(path, import.meta.url))
const sources = { client: folder("../src/programs/client/"), starter: folder("../src/programs/starter/") }
const warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
const small = ["-Os", "-s"]

/** Best first: a static program starts in a third of the time of one that has to be linked when it starts. */
const ways = [
  ["musl-gcc", [...small, "-static"]],
  ["cc", [...small, "-static"]],
  ["cc", small]
]
const sanitized = [["cc", ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]]]

/** How it was compiled, or undefined where that is not possible. `answers` tells whether what was made runs here. */
const compile = (program, outfile, { answers = () => true, flags: own = [], sanitize = false }) => {
  mkdirSync(dirname(outfile), { recursive: true })
  const from = sources[program]
  const files = readdirSync(from).filter((name) => name.endsWith(".c"))
  let complaint
  for (const [compiler, flags] of sanitize ? sanitized : ways) {
    const args = [...warnings, ...flags, ...own, "-o", outfile]
    const compiled = spawnSync(compiler, [...args, ...files.map((name) => join(from, name))], {
      encoding: "utf8"
    })
    if (compiled.status === 0 && answers()) return `${compiler} ${flags.join(" ")}`
    if (compiled.error === undefined) complaint = compiled.stderr.trim()
    rmSync(outfile, { force: true })
  }
  // A compiler that is there and refuses has found a mistake.
  if (complaint !== undefined && complaint !== "")
    throw new Error(`the ${program} does not compile\n${complaint}`)
  return undefined
}

export const compileClient = (outfile, build, options = {}) =>
  compile("client", outfile, {
    ...options,
    flags: [`-DHOOKTAPE_BUILD="${build}"`],
    answers: () => spawnSync(outfile, ["--version"], { encoding: "utf8" }).stdout === `${build}\n`
  })

/** Ends by itself where nobody asks it anything. */
export const compileStarter = (outfile, options = {}) =>
  compile("starter", outfile, { ...options, answers: () => spawnSync(outfile, { input: "" }).status === 0 })

/** `node .ci/programs.mjs client|starter <file> [build]`: one that watches its own memory, for the tests. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , program, outfile, build] = process.argv
  const watchful = { sanitize: true }
  const how =
    program === "starter" ? compileStarter(outfile, watchful) : compileClient(outfile, build, watchful)
  if (how === undefined) process.exitCode = 1
}
