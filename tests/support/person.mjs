/**
 * The command as a person starts it, whoever started the tests: `node person.mjs <args>`. What is shipped has no argument and no
 * variable for this; it takes a program of its own that supplies the answer, in packs as the shipped one is, once for each build.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { commandPart } from "../../dist/src/programs/cli/commandPart.js"
import { runCompiled } from "../../dist/src/runtime/builds/runCompiled.js"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const dist = join(root, "dist")
const programs = join(root, "node_modules", ".cache", "hooktape", "person")
// Of what it is made is told by both: the build, and how this file has it made.
const folder = join(programs, `${readFileSync(join(dist, "build-id"), "utf8").trim()}-packs`)
const program = join(folder, "command.cjs")

const source = `
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { start } from ${JSON.stringify(join(dist, "src", "programs", "cli", "start.js"))}
import { BeneathAgent } from ${JSON.stringify(join(dist, "src", "trust", "BeneathAgent.js"))}
import { Warms } from ${JSON.stringify(join(dist, "src", "tools", "build", "warm.js"))}

// What a test calls of a build is compiled by that call; hardly any is called again.
start(Layer.merge(Layer.succeed(BeneathAgent, { sign: Effect.succeed(undefined) }), Layer.succeed(Warms, false)))
`

/** Made aside: several tests may be the first. */
const make = async () => {
  const { commandPacks } = await import("../../.ci/commandPacks.mjs")
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  const entry = join(aside, "person.mjs")
  writeFileSync(entry, source)
  // What it looks for it finds where the shipped one does.
  const url = JSON.stringify(pathToFileURL(join(dist, "command.cjs")).href)
  const { files } = await commandPacks({ root, compiled: dist, programs: { command: entry }, url })
  for (const [name, text] of files) writeFileSync(join(aside, name), text)
  try {
    renameSync(aside, folder)
  } catch (cause) {
    // Another test was done sooner.
    if (!existsSync(program)) throw cause
    rmSync(aside, { recursive: true, force: true })
  }
}

if (!existsSync(program)) {
  await make()
  for (const name of readdirSync(programs))
    if (!name.startsWith(basename(folder))) rmSync(join(programs, name), { recursive: true, force: true })
}
// All commands have room.
runCompiled(program, { part: commandPart(process.argv.slice(2)), maxKeptBytes: 160 * 1024 * 1024 })
