/** Files of recipes that another one takes in, put in the place where it says so. */
import { dirname, resolve } from "node:path"
import { type FileText, fileText } from "../fileText.ts"
import { FittingFiles, NameValues } from "./includedNames.ts"

/** So many files make up one, and so many are looked for. */
const maxFiles = 20
const maxLookedFor = 1000

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

/** What a compiler writes down of the files that it read has targets in it and no recipes: there are as many as there are sources. */
const isWrittenDown = (names: string): boolean => /\.(?:d|P?o|dep)\)*$/.test(names.trim())

class IncludedText {
  readonly #including: Including
  readonly #folder: string
  readonly #maxBytes: number
  readonly #values = new NameValues()
  readonly #files = new FittingFiles()
  readonly #seen = new Set<string>()
  #left: number
  #read = 0
  #readWrittenDown = 0
  #isWhole = true
  isOpen = false

  constructor(including: Including, folder: string, maxBytes: number) {
    this.#including = including
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#left = maxBytes
  }

  get isWhole(): boolean {
    return this.#isWhole && this.#files.isWhole && this.#values.budget.left >= 0
  }

  async taken(text: string, file: string): Promise<string> {
    const { beside, line } = this.#including
    const folder = beside ? dirname(file) : this.#folder
    this.#values.learn(text, file)
    let made = ""
    let from = 0
    for (const found of text.matchAll(line)) {
      made += text.slice(from, found.index + found[0].length)
      from = found.index + found[0].length
      for (const path of await this.#pathsOf(found[1] ?? "", file, folder)) made += await this.#takenIn(path)
    }
    return made + text.slice(from)
  }

  async #pathsOf(told: string, file: string, folder: string): Promise<readonly string[]> {
    const paths: string[] = []
    for (const name of this.#values.filled(told, file).split(/\s+/)) {
      // What only the run tells is left out, as make leaves out what is not there.
      if (/[$(]/.test(name)) this.isOpen ||= !isWrittenDown(told)
      else if (name !== "" && this.#isNew(resolve(folder, name), "*"))
        paths.push(...(await this.#files.of(resolve(folder, name))))
    }
    return paths
  }

  /** Each is looked for once. */
  #isNew(path: string, as = ""): boolean {
    const key = as + path
    if (this.#seen.has(key)) return false
    if (this.#seen.size >= maxLookedFor) {
      this.#isWhole &&= isWrittenDown(path)
      return false
    }
    this.#seen.add(key)
    return true
  }

  async #takenIn(path: string): Promise<string> {
    if (!this.#isNew(path)) return ""
    const isOfCompiler = isWrittenDown(path)
    if (isOfCompiler && this.#readWrittenDown >= maxFiles) return ""
    const found = await fileText(path, Math.max(1, Math.min(this.#maxBytes, this.#left)))
    if (found === undefined) return ""
    this.#left -= found.text.length
    if (isOfCompiler) this.#readWrittenDown++
    else this.#read++
    this.#isWhole &&= found.isWhole && this.#left >= 0 && this.#read <= maxFiles
    return this.#read > maxFiles ? "" : `\n${await this.taken(found.text, path)}`
  }
}

/** `file`: where the text itself stands. */
export const withIncluded = async (
  { isWhole, text }: FileText,
  file: string,
  folder: string,
  including: Including | undefined,
  maxBytes: number
): Promise<WithIncluded> => {
  if (including === undefined || text.search(including.line) < 0) return { isWhole, text, isOpen: false }
  const included = new IncludedText(including, folder, maxBytes)
  const all = await included.taken(text, file)
  return { text: all, isWhole: isWhole && included.isWhole, isOpen: included.isOpen }
}
