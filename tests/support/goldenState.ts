/** What an installation of a released version left on disk, unpacked into a home of the test's own. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join, relative } from "node:path"
import { layout } from "../../src/state/layout.ts"
import { recordFile } from "../../src/tools/install/store.ts"

/** Others are tried before they are kept. */
const states = process.env["HOOKTAPE_TEST_STATES"] ?? join(import.meta.dirname, "..", "states")

/** Each released version that left one. */
const goldenVersions: readonly string[] = readdirSync(states).filter((name) => /^\d/.test(name))

const archiveOf = (version: string): string => join(states, version, "home.tar.gz")

/** How far the version that left it had brought it; those of before there was a number left none. */
const layoutOf = (version: string): number => {
  const words = ["-xzOf", archiveOf(version), "./.local/state/hooktape/layout"]
  return Number(spawnSync("tar", words, { encoding: "utf8" }).stdout.trim())
}

/** Those for which this version has steps, and those that it leaves as they are. */
export const earlierVersions = goldenVersions.filter((version) => layoutOf(version) < layout)
export const currentVersions = goldenVersions.filter((version) => layoutOf(version) === layout)

/** The home of the user whose installation it was; `npm run state` makes one that everybody can make. */
export const formerHome = "/tmp/ada"
const formerHomes = ["/home/ada", formerHome]

export interface Golden {
  readonly home: string
  readonly state: string
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** What is not to be as it was once something was migrated: the record of it, copies, and facts on their way. */
const isOurs = (name: string): boolean =>
  /\/(?:migrations\.json|backups\/[^/]+|run\/migrate\.lock|spool\/[^/]+\.ndjson)$/.test(`/${name}`)

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

interface Kept {
  readonly mode: number
  readonly atime: Date
  readonly mtime: Date
  /** None of a folder. */
  readonly bytes: Buffer | undefined
}

/** Every file by its path, as bytes that can be compared. */
export const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesIn(folder).map((file) => [relative(folder, file), readFileSync(file).toString("latin1")])
  )

/** Who may do what with each file. */
export const modesOf = (folder: string): Readonly<Record<string, number>> =>
  Object.fromEntries(filesIn(folder).map((file) => [relative(folder, file), statSync(file).mode & 0o777]))

/** What differs from how it was, but for that: files that are other, gone or new. */
export const differences = (home: string, was: Readonly<Record<string, string>>): readonly string[] => {
  const is = contentsOf(home)
  return [
    ...Object.keys(was).filter((name) => is[name] !== was[name]),
    ...Object.keys(is).filter((name) => !Object.hasOwn(was, name) && !isOurs(name))
  ]
}

/** Texts name their places: they move along. */
const relocate = ({ home, state }: Golden): void => {
  const shifted = new Map<string, string>()
  for (const file of filesIn(home)) {
    const before = readFileSync(file)
    if (!/\.json$/.test(file) || !formerHomes.some((one) => before.includes(one))) continue
    const after = formerHomes.reduce((text, one) => text.replaceAll(one, home), before.toString("utf8"))
    shifted.set(sha256(before), sha256(Buffer.from(after)))
    writeFileSync(file, after)
  }
  const records = join(state, "installs")
  for (const name of readdirSync(records).filter((one) => one.endsWith(".json"))) {
    const record = JSON.parse(readFileSync(join(records, name), "utf8"))
    record.after = shifted.get(record.after) ?? record.after
    writeFileSync(join(records, name), `${JSON.stringify(record, null, 2)}\n`)
    renameSync(join(records, name), recordFile(state, record.file))
  }
}

export const unpack = (version = "0.1.0"): Golden => {
  const home = mkdtempSync(join(homedir(), "golden-"))
  const golden = { home, state: join(home, ".local", "state", "hooktape") }
  const { status } = spawnSync("tar", ["-xzf", archiveOf(version), "-C", home])
  if (status !== 0) throw new Error(`the golden state of ${version} cannot be unpacked`)
  relocate(golden)
  // The native client was left out of what is kept; that something was installed is told by it.
  writeFileSync(join(golden.state, "bin", "hook"), "", { mode: 0o700 })
  return golden
}

/** How it is now, for whoever changes it again and again: puts back what differs, and takes away what was not there. */
export const keep = ({ home }: Pick<Golden, "home">): (() => void) => {
  const entries = (): readonly string[] => readdirSync(home, { recursive: true, encoding: "utf8" })
  const kept = new Map(
    entries().map((name) => {
      const at = statSync(join(home, name))
      return [
        name,
        {
          mode: at.mode,
          atime: at.atime,
          mtime: at.mtime,
          bytes: at.isFile() ? readFileSync(join(home, name)) : undefined
        }
      ]
    })
  )
  const putBack = (name: string, { atime, bytes, mode, mtime }: Kept): void => {
    const file = join(home, name)
    if (bytes === undefined) mkdirSync(file, { recursive: true })
    else if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes)
    chmodSync(file, mode)
    utimesSync(file, atime, mtime)
  }
  return () => {
    for (const name of entries())
      if (!kept.has(name)) rmSync(join(home, name), { recursive: true, force: true })
    for (const [name, one] of kept) putBack(name, one)
  }
}
