/** A part of a file that is started by its name: a script of a package, a target of a makefile. */

export type RecipeKind = "package" | "deno" | "composer" | "make" | "just" | "task"

export type Recipe = {
  readonly kind: RecipeKind
  /** Of what the file calls its own first, where there are none. */
  readonly names: readonly string[]
  /** The file, where it is named; otherwise it is looked for by the names that it may have. */
  readonly file?: string
  /** It is run in the folder that is searched, wherever its file lies. */
  readonly stays?: true
  /** What is set for it among its words: `X=y`. */
  readonly set?: readonly string[]
}

/** What a file of this kind starts, as lines of a shell; undefined where there is nothing of these names. `args`: what is given behind them. */
export type RecipeReader = (text: string, recipe: Recipe, args: readonly string[]) => string | undefined

/** More recipes than these nobody starts with one. */
export const maxRecipes = 40
/** A longer value of a variable is none that stands in a command. */
export const longestValue = 500

/** So much is read of all recipes that one starts, as of a script: what comes to more was not written to do one thing. */
export const longestText = 8192

/**
 * Puts values into a line. One that comes to more than is read is cut where that is certain: a file says in few letters that a long value
 * stands in it thousands of times.
 */
export const fillIn = (line: string, places: RegExp, valueAt: (...found: string[]) => string): string => {
  let left = longestText + 1
  return line.replaceAll(places, (...found: string[]) => {
    if (left === 0) return ""
    const value = valueAt(...found).slice(0, left)
    left -= value.length
    return value
  })
}

/** Gathers lines, each of which has a shell of its own: what it changes there is gone with it. */
export class Lines {
  #text = ""

  add(line: string): void {
    if (line !== "" && !this.isFull) this.#text += `(${line}\n)\n`
  }

  get isFull(): boolean {
    return this.#text.length > longestText
  }

  /** Undefined where there are none, or too many. */
  get text(): string | undefined {
    return this.#text === "" || this.isFull ? undefined : this.#text
  }
}
