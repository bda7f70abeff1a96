/** What `hooktape trust` found wrong with a content when it loaded it: nobody else may run what is not trusted to find it out. */
import { readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { writeWhole } from "../state/files.ts"
import { namesIn } from "../state/namesIn.ts"

export interface Unloadable {
  readonly reason: string
  readonly file: string
  readonly line?: number
}

interface Kept extends Unloadable {
  readonly version: 1
  /** Another version may know an event or an option that this one does not. */
  readonly hooktape: string
}

const folderOf = (state: string): string => join(state, "trusted", "unloadable")
const fileOf = (state: string, code: string): string => join(folderOf(state), `${code}.json`)

/** Somebody at work on a hook makes one content after the other that does not load. */
const most = 50

const forgetOldest = (folder: string): void => {
  const names = namesIn(folder)
  if (names.length <= most) return
  const changed = (name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const oldestFirst = names.map((name) => ({ name, at: changed(name) })).sort((a, b) => a.at - b.at)
  for (const { name } of oldestFirst.slice(0, -most)) rmSync(join(folder, name), { force: true })
}

export const writeUnloadable = (
  state: string,
  code: string,
  hooktape: string,
  { file, line, reason }: Unloadable
): void => {
  const kept: Kept = { version: 1, hooktape, reason, file, ...(line === undefined ? {} : { line }) }
  writeWhole(fileOf(state, code), `${JSON.stringify(kept)}\n`)
  forgetOldest(folderOf(state))
}

export const forgetUnloadable = (state: string, code: string): void =>
  rmSync(fileOf(state, code), { force: true })

export const readUnloadable = (state: string, code: string, hooktape: string): Unloadable | undefined => {
  try {
    const kept = JSON.parse(readFileSync(fileOf(state, code), "utf8")) as Kept
    return kept.version === 1 && kept.hooktape === hooktape && typeof kept.reason === "string"
      ? kept
      : undefined
  } catch {
    return undefined
  }
}
