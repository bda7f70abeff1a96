/** What a path on a command line means to the guards, also where some of it is open: `*`, `?`, or what only the run will tell. */
import { dirname } from "node:path"
import type { Call } from "../guard/Call.ts"
import type { Argument } from "../guard/expand.ts"
import { below } from "../guard/folders.ts"
import { absolute } from "../guard/paths.ts"
import { unknown } from "../guard/script.ts"
import { fold, type Guarded, holds, isHolder, meant, named, physical, realOf } from "./guarded.ts"

export interface Look {
  readonly guarded: readonly Guarded[]
  /** Every file that is guarded here, with the folders that hold it. */
  readonly known: readonly string[]
}

const settings = "the hook settings of an agent"

const shaped = new RegExp(`[*?[${unknown}]`)
/** What is open twice in a row is open once: each costs a search of its own. */
const openPart = /(\uffff[*?\uffff]*|\*+|\?|\[[^\]]{1,40}\])/
const maxOpen = 8

/** A shell fits no name that begins with a dot to an open place that does not, unless it is told to. */
const open = (part: string, begins: boolean, dotted: boolean): string => {
  if (part.startsWith(unknown)) return ".{0,200}"
  const one = part.startsWith("*") ? "[^/]{0,100}" : "[^/]"
  return begins && !dotted ? `(?!\\.)${one}` : one
}

/** Whether a path may be what a path with open places comes to, or lie in it. */
type Fitting = (path: string) => boolean

/** What is asked about many paths is read once, and only for one that begins as it does. */
const fitting = (pattern: string, dotted: boolean): Fitting => {
  const parts = pattern.split(openPart)
  const [begin = ""] = parts
  // Not even a text with brackets all over, such as a program's, is a name that begins otherwise.
  if (parts.length > 2 * maxOpen || pattern.length > 500) return (path) => path.startsWith(begin)
  let whole: RegExp | undefined
  const read = (): RegExp => {
    const source = parts
      .map((part, at) =>
        at % 2 === 0
          ? part.replace(/[.+^${}()|\\[\]]/g, "\\$&")
          : open(part, parts[at - 1]?.endsWith("/") === true, dotted)
      )
      .join("")
    return new RegExp(`^${source}(?:/.*)?$`)
  }
  return (path) => {
    if (!path.startsWith(begin)) return false
    whole ??= read()
    return whole.test(path)
  }
}

/** Whether a path with open places may come to this one, or to a folder above it. */
export const mayBe = (pattern: string, path: string, dotted = false): boolean =>
  fitting(pattern, dotted)(path)

/** Whether a name fits to what `find -name` is given, to which a dot is a letter like any other. */
export const fits = (pattern: string, name: string): boolean => mayBe(`/x${fold(pattern)}`, `/x${fold(name)}`)

/** Whether it may lie in this folder: its first names may be the folder's. */
const mayLieIn = (pattern: string, folder: string, dotted: boolean): boolean => {
  const names = pattern.split("/")
  const depth = folder.split("/").length
  if (names.length <= depth) return false
  const above = names.slice(0, depth).join("/")
  return shaped.test(above) && mayBe(above, folder, dotted)
}

/** The folder that is certain: up to the last name before the first open place. */
const certain = (path: string): string => path.slice(0, path.lastIndexOf("/", path.search(shaped)))

const meaningOfShaped = (
  written: string,
  { guarded, known }: Look,
  whole: boolean,
  dotted: boolean
): string | undefined => {
  const folder = certain(written)
  const path = folder === "" ? written : realOf(folder) + written.slice(folder.length)
  const within = folder === "" ? undefined : meant(folder, guarded)
  if (within !== undefined) return within
  const names = [...new Set([fold(written), fold(path)])]
  const place = guarded.find((one) => one.whole && names.some((name) => mayLieIn(name, one.path, dotted)))
  if (place !== undefined) return place.what
  const fittings = names.map((name) => fitting(name, dotted))
  for (const one of known) {
    if (!fittings.some((fits) => fits(one))) continue
    const what = named(one, guarded) ?? (whole ? holds(one, guarded) : undefined)
    if (what !== undefined) return what
  }
  return undefined
}

/** What a path means, in words. `whole`: all that lies in it is meant as well. */
export const meaning = (value: string, { state }: Call, look: Look, whole: boolean): string | undefined => {
  if (value === "" || value.startsWith(unknown)) return undefined
  const path = absolute(value, state)
  if (path === undefined) return undefined
  if (shaped.test(path)) return meaningOfShaped(path, look, whole, state.dotted)
  const at = (one: string) => meant(one, look.guarded) ?? (whole ? holds(one, look.guarded) : undefined)
  const real = physical(value.startsWith("/") ? value : `${state.cwd ?? ""}/${value}`)
  return at(path) ?? (real === value || real === path ? undefined : at(real))
}

/** Of a folder: it is guarded, or its first concern is an agent's settings, as `.claude`. What merely holds such a folder is not meant. */
export const meaningOfFolder = (value: string, call: Call, look: Look): string | undefined =>
  meaning(value, call, look, false) ?? (isHolder(absolute(value, call.state) ?? "") ? settings : undefined)

/** Of a folder that is reached into under another name: settings are known by their names there, and the rest is not. */
export const meaningOfRoot = (value: string, call: Call, look: Look): string | undefined => {
  const path = absolute(value, call.state)
  const inside = look.guarded.find((one) => one.whole && path !== undefined && below(one.path, fold(path)))
  return meaningOfFolder(value, call, look) ?? inside?.what
}

/** Of a folder that is filled from elsewhere, under names that nobody can tell: one right above hooktape's own is meant as well. A home holds too much else. */
export const meaningOfFilled = (value: string, call: Call, look: Look): string | undefined => {
  const { home } = call.state.place
  const path = absolute(value, call.state)
  const real = path === undefined ? undefined : fold(realOf(path))
  const isAbove = ({ path: own, whole }: Guarded): boolean =>
    whole && below(own, fold(home)) && dirname(own) !== fold(home) && fold(realOf(dirname(own))) === real
  return meaningOfFolder(value, call, look) ?? look.guarded.find(isAbove)?.what
}

export const firstMeaning = <A>(
  values: readonly A[],
  of: (value: A) => string | undefined
): string | undefined => {
  for (const value of values) {
    const what = of(value)
    if (what !== undefined) return what
  }
  return undefined
}

export const allOf = (args: readonly Argument[]): readonly string[] => args.flatMap(({ values }) => values)
