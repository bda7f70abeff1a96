/**
 * Whether an addon is the file that was packed. It is compared before it is first loaded and again once anything of it moved; that it was
 * is kept in the state directory: whoever can write there runs programs as this user already.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { readPrivate, stateDirectory } from "../../state/state.ts"

/** Of each file its length in bytes and its SHA-256. */
type Packed = Readonly<Record<string, { readonly bytes: number; readonly sha256: string } | undefined>>

const packed = (file: string): Packed[string] => {
  try {
    return (JSON.parse(readFileSync(join(dirname(file), "sums.json"), "utf8")) as Packed)[basename(file)]
  } catch {
    return undefined
  }
}

/** Of the whole file. Loaded here: most find that it was compared before. */
const sumOf = (file: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(readFileSync(file)).digest("hex")

/** All of a file that changes with its content; the time of its change cannot be set. */
const markOf = (file: string, sum: string): string => {
  const { ctimeNs, dev, ino, mtimeNs, size } = statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs, sum, file].join(" ")
}

export const comparedFile = (state: string): string => join(state, "run", "addons")

/** Versions that are used side by side have one each. */
const mostKept = 8

const keptIn = (state: string): readonly string[] => {
  try {
    return readPrivate(comparedFile(state))?.toString("utf8").split("\n").filter(Boolean) ?? []
  } catch {
    return []
  }
}

/** Where there is no state directory yet, or none that can be written, the next who loads it compares again. */
const keep = (state: string, addon: string, mark: string): void => {
  const file = comparedFile(state)
  const aside = `${file}.${process.pid}.tmp`
  const others = keptIn(state).filter((one) => !one.endsWith(` ${addon}`))
  try {
    writeFileSync(aside, `${[...others.slice(1 - mostKept), mark].join("\n")}\n`, { mode: 0o600, flag: "wx" })
    renameSync(aside, file)
  } catch {
    // It was compared all the same.
    try {
      rmSync(aside, { force: true })
    } catch {
      // Nothing could be written there in the first place.
    }
  }
}

export interface Comparing {
  readonly state?: string | undefined
  readonly sum?: (file: string) => string
}

/** An account that the machine does not know may have none: then each who loads it compares. */
const ownState = (): string | undefined => {
  try {
    return stateDirectory()
  } catch {
    return undefined
  }
}

/** Why a file that came with the package is not to be loaded; undefined where it is what was packed. */
export const notAsPacked = (
  file: string,
  { state = ownState(), sum = sumOf }: Comparing = {}
): string | undefined => {
  const was = packed(file)
  // One that was cut off would end the process as it is loaded, without a word.
  if (was !== undefined && was.bytes !== statSync(file).size) return "is not as long as it was packed"
  const altered = "is not the file that came with hooktape"
  if (was === undefined) return altered
  const mark = markOf(file, was.sha256)
  if (state !== undefined && keptIn(state).includes(mark)) return undefined
  // What is changed while it is read has another mark than this one.
  if (sum(file) !== was.sha256) return altered
  if (state !== undefined) keep(state, file, mark)
  return undefined
}

/** Looked at whole, whatever was kept of it. */
export const isAltered = (file: string): boolean => packed(file)?.sha256 !== sumOf(file)
