/** A command line taken apart at the files that it names, so that what was consented to can stand for them. */
import { isAbsolute, join } from "node:path"
import { dataIn, type Word } from "./dataWords.ts"

const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^()]*\)|\$\{[^}]*\}|\\.|[^\s"'|&;()<>])+/g

/** How a command names the project's folder. */
export const projectFolder =
  /^(?:\$\{?(?:CLAUDE|GEMINI|QWEN|OPENCODE|CLINE|CURSOR|FACTORY)_PROJECT_DIR(?::-[^}]*)?\}?|\$\{?PWD\}?|\$\(git rev-parse --show-toplevel\))\/+/

const wordsOf = (command: string): readonly Word[] =>
  [...command.matchAll(word)].map(({ 0: raw, index }) => ({
    raw,
    at: index,
    value: raw.replace(/["']/g, "").replace(/\\(.)/g, "$1")
  }))

/** One quoted text with more than a word in it. */
const isQuoted = (raw: string): boolean => /^(["'])(?:(?!\1)[\s\S])*\s(?:(?!\1)[\s\S])*\1$/.test(raw)

/** A part of a command line: text of the shell, or a file of the project by its place in it. */
export type Part = string | { readonly file: string; readonly bare: boolean }

/** Where `cd` leads, as seen from the project; undefined where only the shell knows. */
const folderAfter = (folder: string, to: string): string | undefined => {
  const below = `${to}/`.replace(projectFolder, "")
  if (below !== `${to}/`) return below
  if (isAbsolute(to)) return to
  return /[$`~]/.test(to) ? undefined : join(folder, to)
}

/**
 * A command line taken apart at the files that it names, so that exactly those run which were consented to. `placeIn`: the place in the
 * project of a path that a word may mean, where there is such a file. `folder`: where the shell is by then.
 */
export const partsOf = (
  command: string,
  placeIn: (path: string) => string | undefined,
  depth = 0,
  folder = ""
): readonly Part[] => {
  const parts: Part[] = []
  const words = wordsOf(command)
  const data = dataIn(command, words, depth === 0)
  let end = 0
  let before = ""
  let here = folder
  for (const one of words) {
    const { at, raw, value } = one
    const path = value.replace(projectFolder, "")
    const isFixed = path !== value || isAbsolute(path)
    const place = data.has(one)
      ? undefined
      : ((isFixed ? undefined : placeIn(join(here, path))) ?? placeIn(isAbsolute(path) ? path : join(path)))
    if (before === "cd" || before === "pushd") here = folderAfter(here, value) ?? here
    before = value
    if (place !== undefined) {
      parts.push(command.slice(end, at), { file: place, bare: depth > 0 })
      end = at + raw.length
    } else if (depth === 0 && isQuoted(raw)) {
      // A command within quotes, as of `bash -c`.
      const inner = partsOf(raw.slice(1, -1), placeIn, 1, here)
      parts.push(command.slice(end, at + 1), ...inner)
      end = at + raw.length - 1
    }
  }
  return [...parts, command.slice(end)]
}
