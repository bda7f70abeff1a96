/** A row of the table of commands that are told at a glance, and whether the words of a command fit it. */

/**
 * What may be given besides options: anything that begins with no dash, nothing, one of them, names as tests have them, lines of files,
 * places where no guarded file lies, or what a commit says, as a document or not. `script`: as names, to a script of a package. `whatever`: options as well.
 */
export type Operands =
  | "any"
  | "none"
  | "one"
  | "names"
  | "lines"
  | "places"
  | "message"
  | "script"
  | "whatever"

export interface Glanced {
  readonly names: readonly string[]
  /** What has to be given first: one of these, word by word. */
  readonly first?: readonly string[]
  /** Single letters and digits behind one dash are options, save these; without it there are none. */
  readonly except?: string
  /** Behind one that ends in `=` may stand what is a place. Words without a dash are as they are. */
  readonly options: readonly string[]
  readonly operands: Operands
}

export const words = (text: string): readonly string[] => text.split(" ")

/** Names of files that lie there would take its place, and be options: `find . ?delete` where somebody made a file of the name `-delete`. */
const open = /^(?:''|"")*[*?]|^["']*-[\s\S]*[*?]/

/** The text of a document within the line. It may begin with a dash. */
const document = /^"\$\(/

/** A word as it is written, and without its quotes. */
export interface Word {
  readonly written: string
  readonly meant: string
}

export const isOpen = ({ written }: Word): boolean => open.test(written)

export const isDocument = ({ written }: Word): boolean => document.test(written)

/** A script gets which tests to run: names and paths as those have them. What a script does with `.claude/settings.json` or `../x` nobody knows. */
export const isTestName = (text: string): boolean => /^(?!.*hooktape)\w[\w-]*(?:[./]\w[\w-]*)*$/.test(text)

/** No part of it begins with a dot, save those that are nothing else: whatever is guarded lies behind such a one, or is hooktape's. */
export const isPlace = (text: string): boolean =>
  /^(?!.*hooktape)(?:[\w/:@+%,^|$() -]|(?<=[\w-])\.+(?=[\w-])|\.+(?=\/|$))+$/.test(text)

const isOperand = (operands: Operands, text: string, nth: number): boolean => {
  switch (operands) {
    case "any":
    case "whatever":
      return true
    case "none":
      return false
    case "one":
    case "message":
      return nth === 0
    case "names":
    case "script":
      return isTestName(text)
    case "places":
      return isPlace(text)
    case "lines":
      return nth > 0 || /^\d+(?:,\d+)?p$/.test(text)
  }
}

const isOption = ({ except, options }: Glanced, text: string): boolean => {
  const at = text.indexOf("=") + 1
  if (options.includes(text)) return true
  if (at > 0 && options.includes(text.slice(0, at)) && isPlace(text.slice(at))) return true
  return (
    except !== undefined &&
    /^-[a-zA-Z\d]+$/.test(text) &&
    ![...text].some((letter) => except.includes(letter))
  )
}

/** Of a command's words, those behind its name. */
export const fitsRow = (row: Glanced, args: readonly Word[]): boolean => {
  const { first = [""], operands } = row
  if (operands === "whatever") return !args.some(isDocument)
  return first.some((phrase) => {
    const told = phrase === "" ? [] : phrase.split(" ")
    if (told.some((word, at) => args[at]?.meant !== word)) return false
    let nth = 0
    const isFitting = args.slice(told.length).every((word) => {
      if (isOpen(word) || (isDocument(word) && operands !== "message")) return false
      if (isOption(row, word.meant)) return true
      return !word.meant.startsWith("-") && isOperand(operands, word.meant, nth++)
    })
    return isFitting && (nth > 0 || !/^(?:one|lines|message)$/.test(operands))
  })
}
