/** Files of recipes that another one takes in, put in the place where it says so. */
import { readdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { type FileText, fileText } from "../fileText.ts"

/** So many files make up one, and so many are looked for. */
const maxFiles = 20
const maxLookedFor = 200
const maxNames = 20

export interface Including {
  /** Where another file is taken in, with its names. */
  readonly line: RegExp
  /** Each file's own folder is where its names begin, not the first one's. */
  readonly beside?: true
}

export interface WithIncluded extends FileText {
  /** A file was named as only the run can tell. */
  readonly isOpen: boolean
}

interface Reading extends Including {
  readonly folder: string
  readonly maxBytes: number
  readonly seen: Set<string>
  left: number
  /** How many there were. */
  read: number
  isOpen: boolean
  /** What was read, for variables in names. */
  text: string
}

const variable = /\$[({]([\w.-]+)[)}]/g
const deepestName = 4

/** With variables that the files themselves set, and without the function that only looks which files are there. */
const withValues = (name: string, text: string, depth = 0): string =>
  depth > deepestName
    ? name
    : name
        .replace(/\$[({]wildcard\s+([^$(){}]*)[)}]/g, "$1")
        .replaceAll(variable, (whole, one: string) => {
          if (one === "CURDIR") return "."
          const found = new RegExp(
            `^[ \\t]*(?:export[ \\t]+)?${one.replaceAll(".", "\\.")}[ \\t]*(?:\\?|:{0,2})=[ \\t]*([^#\\n]*)`,
            "m"
          ).exec(text)
          return found === null ? whole : withValues((found[1] ?? "").trim(), text, depth + 1)
        })
        .replace(/\$[({]wildcard\s+([^$(){}]*)[)}]/g, "$1")

/** The files that fit, where a pattern stands in the last name. */
const fitting = async (path: string): Promise<readonly string[]> => {
  const folder = dirname(path)
  const pattern = path.slice(folder.length + 1)
  if (!/[*?[]/.test(pattern) || /[*?[]/.test(folder)) return [path]
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => !name.startsWith(".") && globMatches(pattern, name))
    .sort()
    .map((name) => join(folder, name))
}

const takenIn = async (path: string, reading: Reading): Promise<string> => {
  const { beside, maxBytes, seen } = reading
  if (seen.size >= maxLookedFor || seen.has(path)) return ""
  seen.add(path)
  const file = await fileText(path, Math.min(maxBytes, Math.max(1, reading.left)))
  if (file === undefined) return ""
  reading.left -= file.text.length
  reading.read++
  reading.text += `\n${file.text}`
  if (reading.read > maxFiles) return ""
  return `\n${await taken(file.text, beside ? dirname(path) : reading.folder, reading)}`
}

const taken = async (text: string, folder: string, reading: Reading): Promise<string> => {
  const { line } = reading
  let made = ""
  let from = 0
  for (const found of text.matchAll(line)) {
    made += text.slice(from, found.index + found[0].length)
    from = found.index + found[0].length
    for (const name of withValues(found[1] ?? "", reading.text).split(/\s+/, maxNames)) {
      if (name === "") continue
      // What only the run tells is left out, as make leaves out what is not there.
      if (/[$(]/.test(name)) reading.isOpen = true
      else for (const path of await fitting(resolve(folder, name))) made += await takenIn(path, reading)
    }
  }
  return made + text.slice(from)
}

export const withIncluded = async (
  { isWhole, text }: FileText,
  folder: string,
  including: Including | undefined,
  maxBytes: number
): Promise<WithIncluded> => {
  if (including === undefined || text.search(including.line) < 0) return { isWhole, text, isOpen: false }
  const reading = {
    ...including,
    folder,
    maxBytes,
    seen: new Set<string>(),
    left: maxBytes,
    read: 0,
    isOpen: false,
    text
  }
  const all = await taken(text, folder, reading)
  return {
    text: all,
    isWhole: isWhole && reading.left >= 0 && reading.read <= maxFiles && reading.seen.size < maxLookedFor,
    isOpen: reading.isOpen
  }
}
