/** What `hooktape trust` found wrong with a content when it loaded it: nobody else may run what is not trusted to find it out. */
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { writeWhole } from "../state/files.ts"

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

const fileOf = (state: string, code: string): string => join(state, "trusted", "unloadable", `${code}.json`)

export const writeUnloadable = (
  state: string,
  code: string,
  hooktape: string,
  { file, line, reason }: Unloadable
): void => {
  const kept: Kept = { version: 1, hooktape, reason, file, ...(line === undefined ? {} : { line }) }
  writeWhole(fileOf(state, code), `${JSON.stringify(kept)}\n`)
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
