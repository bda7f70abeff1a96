/**
 * What is started as the host, as a process of handlers or as the host's thread: it loads the program of that name, with what V8 kept of it.
 * Without that a host spends a fifth of its start on compiling.
 */
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { runCompiled } from "../../runtime/builds/runCompiled.ts"

/** A host has opened its log by then, and a process of handlers has loaded its first bundle. */
const keepAfterMs = 2000

const programs: Readonly<Record<string, string>> = {
  "host.cjs": "serving.cjs",
  "worker.cjs": "handlers.cjs",
  "thread.cjs": "handlers.cjs"
}

const name = basename(process.argv[1] ?? "")
const program = programs[name]
if (program === undefined) throw new Error(`nothing runs as ${name}`)
runCompiled(join(dirname(fileURLToPath(import.meta.url)), program), {
  part: name,
  keepAfterMs
})
