/** Files and directories that `mktemp` makes: their names only the run tells, but not that they are new, and where they lie. */
import { within } from "./folders.ts"
import { absolute } from "./paths.ts"
import { type Script, unknown } from "./script.ts"
import { type ShellState, valuesOf } from "./shellState.ts"

/** More than these are not told apart. */
const maxMade = 20

/** Where the template of a name is seen from: a folder that is named, that of temporary files, or none. */
const folderOf = (words: readonly string[], hasTemplate: boolean, state: ShellState): string | undefined => {
  const temporary = valuesOf(state, "TMPDIR")?.[0] || "/tmp"
  for (const [at, word] of words.entries()) {
    if (/^-\w*p$/.test(word)) return words[at + 1]
    const named = /^(?:--tmpdir=|-p)(.+)/s.exec(word)?.[1]
    if (named !== undefined) return named
  }
  return !hasTemplate || words.some((word) => /^(?:-\w*t|--tmpdir$)/.test(word)) ? temporary : undefined
}

/** What stands in for the name: of each `mktemp` that is written down another one. */
export const madeBy = (script: Script, words: readonly string[], state: ShellState): string => {
  const known = state.temporaries.get(script)
  if (known !== undefined) return known
  if (state.temporaries.size >= maxMade) return unknown
  const template = words.find((word, at) => !word.startsWith("-") && !/^-\w*p$/.test(words[at - 1] ?? ""))
  const folder = folderOf(words, template !== undefined, state)
  const name = `${template ?? "tmp.XXXXXXXXXX"}${state.temporaries.size + 1}`
  const path = absolute(folder === undefined ? name : `${folder}/${name}`, state)
  if (path === undefined || path.includes(unknown)) return unknown
  state.temporaries.set(script, path)
  return path
}

/** The directory of such a one that a path lies in, or is. */
export const madeAround = (path: string, { temporaries }: ShellState): string | undefined =>
  temporaries.size === 0 ? undefined : [...temporaries.values()].find((folder) => within(path, folder))
