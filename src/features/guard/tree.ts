/** What is uncommitted in a working tree, and whether a command would throw it away. */

export interface TreeState {
  /** Of tracked files, changed since the last commit, as seen from the directory that was looked at. */
  readonly changed: readonly string[]
  /** Those among them that are no longer there. */
  readonly gone: readonly string[]
  readonly untracked: readonly string[]
  readonly ignored: readonly string[]
}

const maxEntries = 2000

/** `git status --porcelain=v1 -z`: undefined where it is none, or more than is read. */
export const readTree = (status: string): TreeState | undefined => {
  const changed: string[] = []
  const gone: string[] = []
  const untracked: string[] = []
  const ignored: string[] = []
  const entries = status.split("\0")
  if (entries.length > maxEntries) return undefined
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as string
    if (entry === "") continue
    if (!/^[ MADRCUT?!]{2} ./s.test(entry)) return undefined
    const path = entry.slice(3)
    if (entry.startsWith("??")) untracked.push(path)
    else if (entry.startsWith("!!")) ignored.push(path)
    else {
      changed.push(path)
      if (/^(?:D |.D)/.test(entry)) gone.push(path)
    }
    // Of what was renamed the former name stands behind it.
    if (/^[RC]|^.[RC]/.test(entry)) at++
  }
  return { changed, gone, untracked, ignored }
}

/** What tools make anew. */
const generated =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|\.parcel-cache|\.gradle|\.venv|venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|bin|obj|tmp|\.terraform|\.DS_Store)\/?$|\.(?:pyc|o|class|log|tsbuildinfo)$/

/** By its own name, or by that of a folder that it lies in. */
export const isGenerated = (path: string): boolean => {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1))
    if (generated.test(path.slice(0, end))) return true
  return generated.test(path)
}

export const hasKept = (ignored: readonly string[]): boolean => ignored.some((path) => !generated.test(path))
