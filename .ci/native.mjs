/**
 * SQLite's addon for other Nodes than the one that runs, compiled on this machine and kept for the next build:
 *
 *     npm run build:native [-- MAJOR…]      without a number: every Node that is supported
 *     node .ci/native.mjs place DIST        puts the addon of the Node that runs into what was built with another
 *
 * Needs a C++ compiler, Python and the network. The Node that runs compiles for itself, with the headers that its own installer fetches. For
 * another the npm package that holds it is taken, of which npm has those for Linux with glibc on x64 alone whole.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const supported = ["20", "22", "24", "26"]

/**
 * Since 24.19 the header that better-sqlite3 12 is compiled against aborts the process when a statement is collected by an idle
 * garbage collection. Compiled against an earlier header it has the same binary interface and runs on any Node 24.
 */
const headersOf = { 24: "24.18.0" }

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const library = dirname(createRequire(import.meta.url).resolve("better-sqlite3/package.json"))

export const sqliteVersion = JSON.parse(readFileSync(join(library, "package.json"), "utf8")).version

/** Where a build looks for them. */
const keptAddons = join(root, "node_modules", ".cache", "hooktape", "native", sqliteVersion)

/** On Linux the C library is one of two, and an addon for one is nothing for the other. */
const isMusl =
  process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined

const addonName = (modules) => `sqlite-${modules}${isMusl ? "-musl" : ""}.node`

/** What a debugger would want to know is most of an addon. */
const copyAddon = (from, to) => {
  cpSync(from, to)
  if (process.platform === "linux") spawnSync("strip", [to], { stdio: "ignore" })
}

/**
 * Addons for this machine: the one that npm compiled or fetched for the Node that runs, and those that were made for others. Each named by
 * the binary interface that it is for, with a list of their sums.
 */
export const placeAddons = (dist) => {
  const to = join(dist, "native", `${process.platform}-${process.arch}`)
  mkdirSync(to, { recursive: true })
  if (existsSync(keptAddons)) cpSync(keptAddons, to, { recursive: true })
  const own = join(to, addonName(process.versions.modules))
  // npm may have fetched one, linked on whatever machine; what was compiled is known.
  if (!existsSync(own)) copyAddon(join(library, "build", "Release", "better_sqlite3.node"), own)
  const addons = readdirSync(to).filter((name) => name.endsWith(".node"))
  const sums = addons.map((name) => {
    const bytes = readFileSync(join(to, name))
    return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }]
  })
  writeFileSync(join(to, "sums.json"), `${JSON.stringify(Object.fromEntries(sums))}\n`)
}

const run = (command, args, options) => {
  const { error, status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")} failed`)
}

/** The packages of npm that hold a Node and its headers, and what compiles with them. */
const fetchedNode = (major, modules) => {
  const node = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  return {
    packages: [`${node}@${major}`, `headers@npm:${node}@${headersOf[major] ?? major}`],
    env: {
      PATH: `${join(modules, node, "bin")}:${process.env.PATH}`,
      npm_config_nodedir: join(modules, "headers")
    }
  }
}

/** Where headers lie on the machine, those are taken. */
const runningNode = (major) => ({
  packages: [],
  env: headersOf[major] === undefined ? {} : { npm_config_target: headersOf[major] }
})

const compileFor = (major) => {
  const isOwn = process.versions.node.split(".")[0] === major
  // Those that npm has are linked with glibc.
  if (isMusl && !isOwn)
    throw new Error(`with musl a Node compiles for itself alone: run this with Node ${major}`)
  const work = mkdtempSync(join(tmpdir(), "hooktape-native-"))
  try {
    writeFileSync(
      join(work, "package.json"),
      '{ "private": true, "allowScripts": { "better-sqlite3": true } }\n'
    )
    const modules = join(work, "node_modules")
    const { env: own, packages } = isOwn ? runningNode(major) : fetchedNode(major, modules)
    if (packages.length > 0)
      run("npm", ["install", "--no-save", "--no-package-lock", ...packages], { cwd: work })
    cpSync(library, join(modules, "better-sqlite3"), {
      recursive: true,
      filter: (path) => path !== join(library, "build")
    })
    const env = { ...process.env, ...own }
    run("npm", ["rebuild", "better-sqlite3"], {
      cwd: work,
      env: { ...env, npm_config_build_from_source: "true" }
    })
    const built = join(modules, "better-sqlite3", "build", "Release", "better_sqlite3.node")
    // Loads only what fits the Node.
    const tried = "require(process.argv[1]); process.stdout.write(process.versions.modules)"
    const { status, stdout } = spawnSync("node", ["-e", tried, built], { cwd: work, env, encoding: "utf8" })
    if (status !== 0) throw new Error(`what was compiled for Node ${major} does not load`)
    mkdirSync(keptAddons, { recursive: true })
    copyAddon(built, join(keptAddons, addonName(stdout)))
    console.log(`Node ${major}: ${addonName(stdout)}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , ...words] = process.argv
  if (words[0] === "place") placeAddons(words[1] ?? join(root, "dist"))
  else for (const major of words.length === 0 ? supported : words) compileFor(major)
}
