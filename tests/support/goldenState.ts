/** What an installation of a released version left on disk, unpacked into a home of the test's own. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join, relative } from "node:path"
import { recordFile } from "../../src/tools/install/store.ts"

const states = join(import.meta.dirname, "..", "states")

/** Each released version that left one. */
export const goldenVersions: readonly string[] = readdirSync(states).filter((name) => /^\d/.test(name))

/** The home of the user whose installation it was. */
const formerHome = "/home/ada"

export interface Golden {
  readonly home: string
  readonly state: string
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

/** Every file by its path, as bytes that can be compared. */
export const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesIn(folder).map((file) => [relative(folder, file), readFileSync(file).toString("latin1")])
  )

/** Texts name their places: they move along. */
const relocate = ({ home, state }: Golden): void => {
  const shifted = new Map<string, string>()
  for (const file of filesIn(home)) {
    const before = readFileSync(file)
    if (!/\.json$/.test(file) || !before.includes(formerHome)) continue
    const after = before.toString("utf8").replaceAll(formerHome, home)
    shifted.set(sha256(before), sha256(Buffer.from(after)))
    writeFileSync(file, after)
  }
  const records = join(state, "installs")
  for (const name of readdirSync(records)) {
    const record = JSON.parse(readFileSync(join(records, name), "utf8"))
    record.after = shifted.get(record.after) ?? record.after
    writeFileSync(join(records, name), `${JSON.stringify(record, null, 2)}\n`)
    renameSync(join(records, name), recordFile(state, record.file))
  }
}

export const unpack = (version = "0.1.0"): Golden => {
  const home = mkdtempSync(join(homedir(), "golden-"))
  const golden = { home, state: join(home, ".local", "state", "hooktape") }
  const { status } = spawnSync("tar", ["-xzf", join(states, version, "home.tar.gz"), "-C", home])
  if (status !== 0) throw new Error(`the golden state of ${version} cannot be unpacked`)
  relocate(golden)
  // The native client was left out of what is kept; that something was installed is told by it.
  writeFileSync(join(golden.state, "bin", "hook"), "", { mode: 0o700 })
  return golden
}

/** The same once more, byte for byte, at another place; what is in its texts still names the first. */
export const keep = ({ home }: Golden): (() => void) => {
  const copy = mkdtempSync(join(homedir(), "kept-"))
  cpSync(home, copy, { recursive: true, preserveTimestamps: true })
  return () => {
    spawnSync("rm", ["-rf", home])
    cpSync(copy, home, { recursive: true, preserveTimestamps: true })
  }
}
