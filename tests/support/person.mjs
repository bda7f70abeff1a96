/**
 * The command as a person starts it, whoever started the tests: `node person.mjs <args>`. What is shipped has no argument and no
 * variable for this; it takes a program of its own that supplies the answer, bundled once for each build as the shipped one is.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { commandPart } from "../../dist/src/programs/cli/commandPart.js"
import { runCompiled } from "../../dist/src/runtime/builds/runCompiled.js"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const dist = join(root, "dist")
const programs = join(root, "node_modules", ".cache", "hooktape", "person")
const folder = join(programs, readFileSync(join(dist, "build-id"), "utf8").trim())
const program = join(folder, "person.cjs")

const source = `
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { start } from "./src/programs/cli/start.js"
import { BeneathAgent } from "./src/trust/BeneathAgent.js"

start(Layer.succeed(BeneathAgent, { sign: Effect.succeed(undefined) }))
`

/** Made aside: several tests may be the first. */
const bundle = async () => {
  const { build } = await import("esbuild")
  const aside = `${program}.${process.pid}`
  await build({
    absWorkingDir: root,
    stdin: { contents: source, resolveDir: dist },
    outfile: aside,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["better-sqlite3", "esbuild"],
    mainFields: ["module", "main"],
    define: { "import.meta.url": "__moduleUrl" },
    banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(module.filename).href' }
  })
  renameSync(aside, program)
}

if (!existsSync(program)) {
  mkdirSync(folder, { recursive: true })
  await bundle()
  for (const name of readdirSync(programs))
    if (join(programs, name) !== folder) rmSync(join(programs, name), { recursive: true, force: true })
}
// All commands have room.
runCompiled(program, { part: commandPart(process.argv.slice(2)), maxKeptBytes: 160 * 1024 * 1024 })
