/**
 * Compiles what is native for this machine: src/programs/client and src/programs/starter. Where no compiler is, hooks go through the
 * entrypoint and Node starts their commands: slower, and the same otherwise.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = (path) => fileURLToPath(new URL(path, import.meta.url))
const sources = { client: folder("../src/programs/client/"), starter: folder("../src/programs/starter/") }
const here = `${process.platform}-${process.arch}`
const warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
/** Nobody unwinds their stacks. */
const small = ["-Os", "-s", "-fno-asynchronous-unwind-tables"]
/** Without the functions of a file of the C library that nobody calls. */
const alone = [...small, "-static", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]

/** Best first: a static program starts in a third of the time of one that has to be linked when it starts. */
const ways = [
  ["musl-gcc", alone],
  ["cc", alone],
  ["cc", small]
]

/** For Linux on the other kind of processor: with musl, so that it runs wherever it comes to, or not at all. Debian has what it takes. */
const crossed = {
  arm64: ["aarch64-linux-gnu-gcc", "/usr/lib/aarch64-linux-musl/musl-gcc.specs"],
  x64: ["x86_64-linux-gnu-gcc", "/usr/lib/x86_64-linux-musl/musl-gcc.specs"]
}

/** Of Debian on x64, after `dpkg --add-architecture arm64`. */
export const crossPackages = ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "musl-dev:arm64"]

const waysFor = (platform) => {
  if (platform === `${process.platform}-${process.arch}`) return ways
  const [compiler, specs] = crossed[platform.replace("linux-", "")]
  return existsSync(specs) ? [[compiler, ["-specs", specs, ...alone]]] : []
}

const sanitized = [["cc", ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]]]

/** How it was compiled, or undefined where that is not possible. `answers` tells whether what was made runs here. */
const compile = (
  program,
  outfile,
  { answers = () => true, flags: own = [], platform = here, sanitize = false }
) => {
  mkdirSync(dirname(outfile), { recursive: true })
  const from = sources[program]
  const files = readdirSync(from).filter((name) => name.endsWith(".c"))
  let complaint
  for (const [compiler, flags] of sanitize ? sanitized : waysFor(platform)) {
    const args = [...warnings, ...flags, ...own, "-o", outfile]
    const compiled = spawnSync(compiler, [...args, ...files.map((name) => join(from, name))], {
      encoding: "utf8"
    })
    // What another machine runs cannot be asked here.
    if (compiled.status === 0 && (platform !== here || answers())) return `${compiler} ${flags.join(" ")}`
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

/** What a package has for every platform's sake: both kinds of Linux, each linked so that it needs nothing of the machine. */
const released = ["linux-x64", "linux-arm64"]

/** Glibc names itself, and what links with it, in each program that holds it or asks for it. */
const needsNothing = (file) => !/glibc\.malloc|GLIBC_\d|\/ld-linux/.test(readFileSync(file, "latin1"))

/** What a release would lack, a sentence each. */
export const lacking = (dist) =>
  released.flatMap((platform) =>
    Object.entries({ client: "hook", starter: "starter" }).flatMap(([program, name]) => {
      const file = join(dist, "client", platform, name)
      if (!existsSync(file)) return [`there is no ${program} for ${platform}`]
      return needsNothing(file) ? [] : [`the ${program} for ${platform} is not linked with musl`]
    })
  )

/**
 * `node .ci/programs.mjs client|starter <file> [build]`: one that watches its own memory, for the tests.
 * `node .ci/programs.mjs complete <dist>`: fails where a release would lack one.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , what, path, build] = process.argv
  if (what === "complete") {
    const lacks = lacking(path)
    for (const one of lacks) console.error(one)
    if (lacks.length > 0) process.exitCode = 1
  } else {
    const watchful = { sanitize: true }
    const how = what === "starter" ? compileStarter(path, watchful) : compileClient(path, build, watchful)
    if (how === undefined) process.exitCode = 1
  }
}
