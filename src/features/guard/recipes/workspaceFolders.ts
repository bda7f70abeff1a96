/** The folders that patterns lead to. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { manifestNames } from "./packageManifest.ts"

/** So many folders are looked through. */
const maxFolders = 4000

/** What programs write: it may be a package, and has none below it. */
const isWritten = /^(?:dist|build|out|output|coverage|target|tmp|temp|vendor)$/

interface Entries {
  readonly folders: readonly string[]
  readonly links: readonly string[]
  readonly hasManifest: boolean
}

const nothing: Entries = { folders: [], links: [], hasManifest: false }

export class WorkspaceFolders {
  readonly found = new Set<string>()
  readonly #seen = new Map<string, Entries>()
  readonly #followed = new Set<string>()
  #isWhole = true

  /** No folder was left out. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** As the parts of a pattern say, from here. */
  async follow(folder: string, parts: readonly string[]): Promise<void> {
    const key = `${folder}\0${parts.join("/")}`
    if (this.#followed.has(key)) return
    this.#followed.add(key)
    const [part, ...rest] = parts
    if (part === undefined) this.#find(folder)
    else if (part === "**") await this.#deep(folder, parts, rest)
    else if (/[*?[{(]/.test(part)) {
      const { folders, links } = await this.#entries(folder)
      // What more than a glob may mean is any name.
      const fits = (name: string) => part.includes("(") || globMatches(part, name)
      for (const name of [...folders, ...links].filter(fits)) await this.follow(join(folder, name), rest)
    } else await this.follow(join(folder, part), rest)
  }

  async #deep(folder: string, parts: readonly string[], rest: readonly string[]): Promise<void> {
    const { folders, hasManifest } = await this.#entries(folder)
    if (rest.length > 0) await this.follow(folder, rest)
    else if (hasManifest) this.#find(folder)
    for (const name of folders) await this.follow(join(folder, name), isWritten.test(name) ? rest : parts)
  }

  #find(folder: string): void {
    if (this.found.size < maxFolders) this.found.add(folder)
    else this.#isWhole = false
  }

  async #entries(folder: string): Promise<Entries> {
    const there = this.#seen.get(folder)
    if (there !== undefined) return there
    if (this.#seen.size >= maxFolders) {
      this.#isWhole = false
      return nothing
    }
    const all = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const named = (of: typeof all) =>
      of.map(({ name }) => name).filter((name) => name !== "node_modules" && !name.startsWith("."))
    const found: Entries = {
      folders: named(all.filter((one) => one.isDirectory())),
      links: named(all.filter((one) => one.isSymbolicLink())),
      hasManifest: all.some(({ name }) => manifestNames.some((one) => one === name))
    }
    this.#seen.set(folder, found)
    return found
  }
}
