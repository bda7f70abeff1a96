/** Files of recipes that another one takes in, put in the place where it says so. */
import { resolve } from "node:path"
import { type FileText, fileText } from "../fileText.ts"

/** So many files make up one, and so many are looked for. */
const maxFiles = 20
const maxLookedFor = 200
const maxNames = 20

interface Reading {
  readonly folder: string
  readonly line: RegExp
  readonly maxBytes: number
  readonly seen: Set<string>
  left: number
  /** How many there were. */
  read: number
}

const taken = async (text: string, reading: Reading): Promise<string> => {
  const { folder, line, maxBytes, seen } = reading
  let made = ""
  let from = 0
  for (const found of text.matchAll(line)) {
    made += text.slice(from, found.index + found[0].length)
    from = found.index + found[0].length
    for (const name of (found[1] ?? "").split(/\s+/, maxNames)) {
      const path = resolve(folder, name)
      // What only the run tells is left out, as make leaves out what is not there.
      if (name === "" || /[$*?]/.test(name) || seen.size >= maxLookedFor || seen.has(path)) continue
      seen.add(path)
      const file = await fileText(path, Math.min(maxBytes, Math.max(1, reading.left)))
      if (file === undefined) continue
      reading.left -= file.text.length
      reading.read++
      if (reading.read <= maxFiles) made += `\n${await taken(file.text, reading)}`
    }
  }
  return made + text.slice(from)
}

/** `line`: where another file is taken in, with its names, as they lie in `folder`. */
export const withIncluded = async (
  { isWhole, text }: FileText,
  folder: string,
  line: RegExp | undefined,
  maxBytes: number
): Promise<FileText> => {
  if (line === undefined || text.search(line) < 0) return { isWhole, text }
  const reading = { folder, line, maxBytes, seen: new Set<string>(), left: maxBytes, read: 0 }
  const all = await taken(text, reading)
  return {
    text: all,
    isWhole: isWhole && reading.left >= 0 && reading.read <= maxFiles && reading.seen.size < maxLookedFor
  }
}
