/** Compiles src/programs/client for this machine. Where no compiler is, hooks go through the entrypoint: slower, and the same otherwise. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const sources = fileURLToPath(new URL("../src/programs/client/", import.meta.url))
const warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
const small = ["-Os", "-s"]

/** Best first: a static program starts in a third of the time of one that has to be linked when it starts. */
const ways = [
  ["musl-gcc", [...small, "-static"]],
  ["cc", [...small, "-static"]],
  ["cc", small]
]
const sanitized = [["cc", ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]]]

/** How the client was compiled, or undefined where that is not possible. */
export const compileClient = (outfile, build, { sanitize = false } = {}) => {
  mkdirSync(dirname(outfile), { recursive: true })
  const files = readdirSync(sources).filter((name) => name.endsWith(".c"))
  let complaint
  for (const [compiler, flags] of sanitize ? sanitized : ways) {
    const args = [...warnings, ...flags, `-DHOOKTAPE_BUILD="${build}"`, "-o", outfile]
    const compiled = spawnSync(compiler, [...args, ...files.map((name) => join(sources, name))], {
      encoding: "utf8"
    })
    const answers = () => spawnSync(outfile, ["--version"], { encoding: "utf8" }).stdout === `${build}\n`
    if (compiled.status === 0 && answers()) return `${compiler} ${flags.join(" ")}`
    if (compiled.error === undefined) complaint = compiled.stderr.trim()
    rmSync(outfile, { force: true })
  }
  // A compiler that is there and refuses has found a mistake.
  if (complaint !== undefined && complaint !== "")
    throw new Error(`the client does not compile\n${complaint}`)
  return undefined
}

/** `node .ci/client.mjs <file>`: one that watches its own memory, for the tests. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outfile, build] = process.argv
  if (compileClient(outfile, build, { sanitize: true }) === undefined) process.exitCode = 1
}
