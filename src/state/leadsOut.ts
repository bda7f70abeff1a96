/** Where a file of a repository really lies: links come with a clone, and what is written through one lands where its author wants it. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { isWithin } from "./within.ts"

/** As many links in a row as systems follow. */
const mostLinks = 40

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

const realOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** The real path of what may not be there yet; nothing where links lead round in a circle, or cannot be followed. */
const placeOf = (path: string): string | undefined => {
  let at = path
  let below = ""
  for (let links = 0; links < mostLinks; ) {
    const real = realOf(at)
    if (real !== undefined) return join(real, below)
    try {
      if (isLink(at)) {
        at = resolve(dirname(at), readlinkSync(at))
        links++
      } else if (dirname(at) === at) return undefined
      else {
        below = join(basename(at), below)
        at = dirname(at)
      }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** What is a file and would have to be a folder, for the file to be written. */
export const fileInTheWay = (file: string, folder: string): string | undefined => {
  let at = folder
  for (const name of relative(folder, dirname(file)).split(sep)) {
    at = join(at, name)
    const there = lstatSync(at, { throwIfNoEntry: false })
    if (there === undefined) return undefined
    if (there.isFile()) return at
  }
  return undefined
}

/** Whether what is written to the file lands outside the folder, or nobody can tell where. */
export const leadsOut = (file: string, folder: string): boolean => {
  const top = placeOf(folder)
  const place = placeOf(file)
  return top === undefined || place === undefined || !isWithin(place, top)
}
