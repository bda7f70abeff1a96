/** What a command line is made of, once it is read. */

export type Part =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /**
   * `fallback`: what stands for a variable that is not set. An empty name is a value that cannot be told. `all`: every value of an
   * array or of the arguments, each a word of its own (`@`), or all of them one word where it is quoted (`*`).
   */
  | {
      readonly kind: "variable"
      readonly name: string
      readonly quoted: boolean
      readonly all?: "@" | "*"
      /** The one value of an array that is meant, where its number is written there. */
      readonly at?: number
      readonly fallback?: Word
      readonly change?: Change
      /** `${x:?}`: without a value nothing runs. */
      readonly required?: boolean
    }
  /** What a command prints. `file`: as a file to read, `<(…)`. `hidden`: it runs, and nothing of it stands in the word. */
  | {
      readonly kind: "output"
      readonly script: Script
      readonly file?: boolean
      readonly hidden?: boolean
    }

export type Word = readonly Part[]

/** What a shell makes of a variable's value before it stands in a word: `${d%/*}`, `${d/a/b}`, `${d:1}`, `${d,,}`, `${!d}`. */
export type Change =
  | { readonly kind: "cut"; readonly operator: "#" | "##" | "%" | "%%"; readonly pattern: Word }
  | {
      readonly kind: "replace"
      readonly operator: "/" | "//" | "/#" | "/%"
      readonly pattern: Word
      readonly replacement: Word
    }
  | { readonly kind: "slice"; readonly offset: Word; readonly length?: Word }
  | { readonly kind: "case"; readonly operator: "^" | "^^" | "," | ",," }
  | { readonly kind: "indirect" }

export interface Redirect {
  readonly operator: string
  readonly target: Word
  /** The number that was written before it. */
  readonly descriptor?: string
}

export interface Assign {
  readonly name: string
  readonly value: Word
  /** Of an array, in place of a value. */
  readonly items?: readonly Word[]
  /** `+=`: what it held before is still there. */
  readonly more?: boolean
  /** Which value of an array: what stands here is evaluated. */
  readonly index?: Word
}

/** One command, or several in brackets. */
export interface Stage {
  readonly assigns: readonly Assign[]
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  /** What stands in brackets, or is the body of a function. */
  readonly inner?: Script
  /** In round brackets: what it changes stays in there. */
  readonly apart?: boolean
  /** The function that it defines. */
  readonly defines?: string
  /** Behind `||`: it starts only where what stands before it failed. */
  readonly otherwise?: true
  /** Behind `&&` or `||`, or beside what follows: nobody knows whether it was started by then. */
  readonly perhaps?: true
}

export type Pipeline = readonly Stage[]
export type Script = readonly Pipeline[]

/** How much may be read in all: text within text could otherwise be made to take for ever. */
export interface Budget {
  left: number
  /** Something was passed over: too long, too deep, or no shell's grammar. */
  unread?: boolean
  /** It was passed over because of its length or depth, which somebody may have chosen. */
  beyond?: boolean
  /** A text was too long to be worked out: what is run of what nobody knows may be that. */
  cut?: boolean
  /** What some file was copied from was not kept. */
  forgotten?: boolean
}

/** Somebody may have chosen to put it where nobody looks: all of the command counts as unread. */
export const passOver = (budget: Budget): undefined => {
  budget.unread = true
  budget.beyond = true
}

/** What it costs to look at a text once: many short ones are soon gone through. */
export const costOf = (length: number): number => (length < 100 ? 1 + length / 8 : length)

/** More values than these nobody looks at one by one. */
export const mostValues = 1000

/** As many of them as are looked at: of more the rest is told as unread. */
export const firstOf = <A>(all: readonly A[], budget: Budget, most = mostValues): readonly A[] => {
  if (all.length <= most) return all
  passOver(budget)
  return all.slice(0, most)
}

/** Text within text is read again; all of it together may be so many times what was given. */
export const budgetOf = (command: string): Budget => ({ left: 200_000 + 20 * command.length })

/** Stands for what only the run will tell. */
export const unknown = "\uffff"

export const plainText = (word: Word): string | undefined => {
  let text = ""
  for (const part of word) {
    if (part.kind !== "text") return undefined
    text += part.text
  }
  return text
}
