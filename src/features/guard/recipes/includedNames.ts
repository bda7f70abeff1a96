/** Which files a line means that takes others in: names made of variables that the files set themselves, and patterns. */
import { opendir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { expanded, type MakeBudget } from "./makeText.ts"
import { longestText } from "./Recipe.ts"

/** So much is put in for variables in all names. */
const maxExpanded = 262_144
/** So many names of files are listed, and so many are tried with a pattern; a longer pattern is none that somebody wrote. */
const maxListed = 20_000
const maxTried = 20_000
const longestPattern = 200

const setting = /^[ \t]*(?:(?:export|override|private)[ \t]+)*([\w.-]+)[ \t]*(\?|\+|:{0,3})=[ \t]*([^#\n]*)/gm
const ownNames = /\$[({]MAKEFILE_LIST[)}]/g

/** Variables of makefiles as far as names of other makefiles need them. */
export class NameValues {
  readonly #values = new Map([["CURDIR", "."]])
  readonly budget: MakeBudget = { left: maxExpanded }

  /** What is set first counts, as it is not known under which condition the rest is. */
  learn(text: string, file: string): void {
    for (const [, name = "", how, told = ""] of text.matchAll(setting)) {
      const value = told.trim().replace(ownNames, () => file)
      const before = this.#values.get(name)
      if (before === undefined) this.#values.set(name, value)
      else if (how === "+" && before.length + value.length < longestText)
        this.#values.set(name, `${before} ${value}`)
    }
  }

  filled(names: string, file: string): string {
    return expanded(
      names.replace(ownNames, () => file),
      { budget: this.budget, automatic: () => undefined, valueOf: (name) => this.#values.get(name) }
    )
  }
}

/** Each folder is listed once. */
export class FittingFiles {
  readonly #folders = new Map<string, Promise<readonly string[]>>()
  #listed = 0
  #tried = 0
  isWhole = true

  /** The files that fit, where a pattern stands in the last name. */
  async of(path: string): Promise<readonly string[]> {
    const folder = dirname(path)
    const pattern = path.slice(folder.length + 1)
    if (!/[*?[]/.test(pattern) || /[*?[]/.test(folder)) return [path]
    if (!this.#folders.has(folder)) this.#folders.set(folder, this.#list(folder))
    const names = (await this.#folders.get(folder)) ?? []
    this.#tried += names.length
    if (pattern.length > longestPattern || this.#tried > maxTried) {
      this.isWhole = false
      return []
    }
    return names
      .filter((name) => !name.startsWith(".") && globMatches(pattern, name))
      .sort()
      .map((name) => join(folder, name))
  }

  async #list(folder: string): Promise<readonly string[]> {
    const names: string[] = []
    try {
      for await (const { name } of await opendir(folder, { bufferSize: 1000 })) {
        if (++this.#listed > maxListed) {
          this.isWhole = false
          return names
        }
        names.push(name)
      }
    } catch {
      // What is not there has none.
    }
    return names
  }
}
