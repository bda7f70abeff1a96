/**
 * Whether an addon is the file that was packed. It is compared before it is first loaded and again once anything of it moved; that it was
 * is kept in the state directory: whoever can write there runs programs as this user already.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Sums } from "../../state/platformPackage.ts"
import { readPrivate, stateDirectory } from "../../state/state.ts"

/** `released`: what the main package knows of the one that the file is of; without it what lies beside the file says so. */
const packed = (file: string, released: Sums | undefined): Sums[string] => {
  if (released !== undefined) return released[basename(file)]
  try {
    return (JSON.parse(readFileSync(join(dirname(file), "sums.json"), "utf8")) as Sums)[basename(file)]
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
const rewrite = (state: string, change: (marks: readonly string[]) => readonly string[]): void => {
  const file = comparedFile(state)
  const aside = `${file}.${process.pid}.tmp`
  const marks = change(keptIn(state)).map((mark) => `${mark}\n`)
  try {
    writeFileSync(aside, marks.join(""), { mode: 0o600, flag: "wx" })
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

const keep = (state: string, addon: string, mark: string): void =>
  rewrite(state, (marks) => {
    const others = marks.filter((one) => !one.endsWith(` ${addon}`))
    // Which was the first is known from nowhere else.
    const [first, compared] = [true, false].map((is) =>
      others.filter((one) => sumIn(one).startsWith(isFirst) === is)
    )
    return [...(first ?? []).slice(-mostKept), ...(compared ?? []).slice(1 - mostKept), mark]
  })

export interface Comparing {
  readonly released?: Sums | undefined
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
  { released, state = ownState(), sum = sumOf }: Comparing = {}
): string | undefined => {
  const was = packed(file, released)
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

/** How a mark says that its file is the first of its kind which was loaded here, rather than one that was packed. */
const firstOf = (kind: string): string => `${isFirst}${kind}:`

/** How such a mark's sum begins, whatever the kind. */
const isFirst = "first:"

const sumIn = (mark: string): string => mark.split(" ")[5] ?? ""

/**
 * Why one that somebody compiled is not to be loaded. Nobody packed it, so the first is taken as it is, and later ones must be that one.
 * `kind`: of what library for which Node; with another it is a first one again.
 */
export const notAsFirst = (
  file: string,
  kind: string,
  { state = ownState(), sum = sumOf }: Omit<Comparing, "released"> = {}
): string | undefined => {
  if (state === undefined) return undefined
  const first = firstOf(kind)
  const known = keptIn(state).find((mark) => mark.endsWith(` ${file}`))
  if (known !== undefined && sumIn(known).startsWith(first) && known === markOf(file, sumIn(known)))
    return undefined
  const now = `${first}${sum(file)}`
  if (known !== undefined && sumIn(known).startsWith(first) && sumIn(known) !== now)
    return "is not the one that was loaded before it"
  keep(state, file, markOf(file, now))
  return undefined
}

/** Whoever sets hooktape up takes what was compiled as it is now. */
export const forgetFirst = (state: string): void => {
  const firsts = keptIn(state).filter((mark) => sumIn(mark).startsWith(isFirst))
  if (firsts.length > 0) rewrite(state, (marks) => marks.filter((mark) => !firsts.includes(mark)))
}

/** Looked at whole, whatever was kept of it. */
export const isAltered = (file: string, released?: Sums): boolean =>
  packed(file, released)?.sha256 !== sumOf(file)
