/** Follows a path link by link, so that every link on the way can be asked about, and not only its end. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { isAbsolute, join, parse, sep } from "node:path"

export interface Trace {
  /** Every place on the way, in order: folders, links, and the end. */
  readonly visited: readonly string[]
  readonly links: readonly string[]
  /** Where it ends, as it is written on disk: a file system may take "Node_Modules" for "node_modules". */
  readonly real: string
}

const maxLinks = 40
const separators = sep === "\\" ? /[\\/]+/ : /\/+/

const partsOf = (path: string): readonly string[] => path.split(separators).filter((part) => part !== "")

/** Throws where there is nothing. */
export const tracePath = (path: string): Trace => {
  const { root } = parse(path)
  const visited = new Set<string>()
  const links: string[] = []
  let pending = partsOf(path.slice(root.length))
  let at = root
  for (let [part, ...rest] = pending; part !== undefined; [part, ...rest] = pending) {
    pending = rest
    const next = join(at, part)
    const stat = lstatSync(next)
    visited.add(next)
    if (!stat.isSymbolicLink()) {
      at = next
      continue
    }
    if (links.push(next) > maxLinks) throw new Error(`${path} leads through more than ${maxLinks} links`)
    const target = readlinkSync(next)
    if (isAbsolute(target)) at = parse(target).root
    pending = [...partsOf(isAbsolute(target) ? target.slice(at.length) : target), ...rest]
  }
  return { visited: [...visited], links, real: realpathSync.native(at) }
}
