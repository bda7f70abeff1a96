/** Files and directories that `mktemp` makes: their names only the run tells, but not that they are new, and where they lie. */
import { within } from "./folders.ts"
import { absolute } from "./paths.ts"
import { passOver, type Script, unknown } from "./script.ts"
import { type ShellState, valuesOf } from "./shellState.ts"

/** More than these are not told apart. */
const maxMade = 100

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

const makesFolder = (word: string): boolean => /^(?:-[a-z]*d[a-z]*|--directory)$/.test(word)
const makesNothing = (word: string): boolean => /^(?:-[a-z]*u[a-z]*|--dry-run)$/.test(word)

/** What stands in for the name: of each `mktemp` that is written down another one. */
export const madeBy = (script: Script, words: readonly string[], state: ShellState): string => {
  const known = state.temporaries.get(script)
  if (known !== undefined) return known
  if (state.temporaries.size >= maxMade) {
    passOver(state.budget)
    return unknown
  }
  const template = words.find((word, at) => !word.startsWith("-") && !/^-\w*p$/.test(words[at - 1] ?? ""))
  // Without these it makes nothing, and says nothing.
  if (template !== undefined && !/X{3}[^/]*$/.test(template)) return unknown
  const folder = folderOf(words, template !== undefined, state)
  const name = `${template ?? "tmp.XXXXXXXXXX"}${state.temporaries.size + 1}`
  const path = absolute(folder === undefined ? name : `${folder}/${name}`, state)
  if (path === undefined || path.includes(unknown)) return unknown
  state.temporaries.set(script, path)
  if (words.some(makesFolder) && !words.some(makesNothing)) state.fresh.add(path)
  return path
}

/** The directory of such a one that a path lies in, or is, as long as only what is new is in it. */
export const madeAround = (path: string, { fresh }: ShellState): string | undefined =>
  fresh.size === 0 ? undefined : [...fresh].find((folder) => within(path, folder))

/** It lies where `mktemp` made something, and something else may lie there now. */
export const isReplaced = (path: string, { fresh, temporaries }: ShellState): boolean =>
  [...temporaries.values()].some((folder) => within(path, folder) && !fresh.has(folder))

/** What puts things somewhere that lay, or lie, elsewhere. A copy without options is nothing but a copy of a file. */
const puts = (name: string, texts: readonly string[]): boolean =>
  /^(?:ln|link|mv|mount|rsync|tar|bsdtar|unzip|stow)$/.test(name) ||
  (/^(?:cp|install)$/.test(name) && texts.some((text) => text.startsWith("-")))

/** Whoever puts something into such a directory, or works in one while putting it somewhere, leaves it no longer new. */
export const followPut = (name: string, texts: readonly string[], state: ShellState): void => {
  if (state.fresh.size === 0 || !puts(name, texts)) return
  const named = texts.flatMap((text) => [text, text.replace(/^(?:--[\w-]+=|-[a-zA-Z])/, "")])
  for (const path of [".", ...named]) {
    const folder = madeAround(absolute(path, state) ?? "", state)
    if (folder !== undefined) state.fresh.delete(folder)
  }
}
