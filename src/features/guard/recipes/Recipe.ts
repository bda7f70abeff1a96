/** A part of a file that is started by its name: a script of a package, a target of a makefile. */
import { shellWord } from "../../../state/shellWord.ts"
import { mentionsBlocked } from "../mentioned.ts"

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
  /** Without what runs before and behind it by its name. */
  readonly alone?: true
  /** Which packages of a workspace it is started in besides the nearest one. */
  readonly reach?: Reach
  /** Of those the ones that these words name. */
  readonly chosen?: readonly string[]
  /** It is npm that starts it, whose settings may name further packages. */
  readonly npm?: true
  /** What a package manager is told besides, `key=value`: scripts find it set. */
  readonly config?: readonly string[]
}

/** `declared`: all of the workspace where the nearest package lies in one, and otherwise none. */
export type Reach = "root" | "all" | "declared"

/** What a file of this kind starts, as lines of a shell. */
export interface RecipeText {
  readonly text: string
  /** Nothing was left out that may be stopped. */
  readonly isWhole: boolean
  /** Recipes of modules that it starts besides, each with what it is given. */
  readonly needs?: readonly (readonly string[])[]
}

/** Undefined where there is nothing of these names. `args`: what is given behind them. */
export type RecipeReader = (text: string, recipe: Recipe, args: readonly string[]) => RecipeText | undefined

/** So many recipes are followed from one. */
export const maxRecipes = 2000
/** A longer value of a variable is none that stands in a command. */
export const longestValue = 500
/** Variables of variables, beyond this, are not followed. */
export const deepestValue = 8

/** So much is read of all recipes that one starts; what comes to more is judged by what stands in it letter by letter. */
export const longestText = 32_768

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
  readonly #longest: number
  #text = ""
  #isWhole = true

  constructor(longest = longestText) {
    this.#longest = longest
  }

  add(line: string): void {
    if (line === "") return
    if (this.#text.length + line.length <= this.#longest) this.#text += `(${line}\n)\n`
    else this.leaveOut(line)
  }

  /** What holds for all lines that follow. What the shell has to put in stays for it to put in. */
  set(name: string, value: string): void {
    if (!/^\w+$/.test(name)) return
    const word = /[$`]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : shellWord(value)
    if (this.#text.length + word.length > this.#longest) this.leaveOut()
    else this.#text += `${name}=${word}\n`
  }

  /** Of most lines it can be told without the shell's grammar that nobody would stop them. */
  leaveOut(line?: string): void {
    if (line === undefined || mentionsBlocked(line)) this.#isWhole = false
  }

  get isFull(): boolean {
    return !this.#isWhole
  }

  /** Undefined where there are none. */
  get read(): RecipeText | undefined {
    return this.#text === "" && this.#isWhole ? undefined : { text: this.#text, isWhole: this.#isWhole }
  }
}
