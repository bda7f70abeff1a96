/** Which program a test starts for a command line: what is shipped, or, where that does other things beneath an agent, a person's. */
import { join } from "node:path"

export const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js")
export const person = join(import.meta.dirname, "person.mjs")

/** Commands that are a person's alone, or ask who runs them. */
export const ofPersons = [
  "trust",
  "install",
  "uninstall",
  "migrate",
  "hooks",
  "policy",
  "build",
  "dev",
  "forget",
  "run",
  "doctor",
  "note",
  "search"
]

export const cliFor = ([command = ""]: readonly string[]): string =>
  ofPersons.includes(command) ? person : cli
