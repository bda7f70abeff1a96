/** What git makes of the paths that it is given: patterns of its own, which fit folders and hidden files, and words before them. */
import { readFileSync, statSync } from "node:fs"
import type { Call } from "../guard/Call.ts"
import { type Argument, first } from "../guard/expand.ts"
import { standardInput, writtenText } from "../guard/input.ts"
import { absolute } from "../guard/paths.ts"

export interface Pathspec {
  readonly path: string
  /** What it fits is not meant. */
  readonly isLeftOut: boolean
  /** It stands at the top of the project, wherever git is started. */
  readonly isAtTop: boolean
  readonly anyCase: boolean
  /** Git looks for what it fits: no shell did before. */
  readonly isPattern: boolean
}

const open = /[*?[]/

/** `:(top,icase)x`, `:/x`, `:!x`, `:^x`. */
const readPathspec = (given: string, isQuoted: boolean, isCaseless: boolean): Pathspec => {
  const [, words = "", behindWords] = /^:\(([^)]*)\)(.*)$/s.exec(given) ?? []
  const [, signs = "", behindSigns] = /^:([/!^]+):?(.*)$/s.exec(given) ?? []
  const said = new Set(words.split(","))
  const path = behindWords ?? behindSigns ?? given
  return {
    path,
    isLeftOut: said.has("exclude") || /[!^]/.test(signs),
    isAtTop: said.has("top") || signs.includes("/"),
    anyCase: isCaseless || said.has("icase"),
    isPattern: isQuoted && !said.has("literal") && open.test(path)
  }
}

const isQuoted = ({ word }: Argument): boolean =>
  word.some((part) => part.kind !== "text" || (part.quoted && open.test(part.text)))

const maxBytes = 1_048_576

/** A pipe in its place is not waited for. */
const fileOn = (path: string | undefined): string | undefined => {
  try {
    const found = path === undefined ? undefined : statSync(path)
    return path !== undefined && found?.isFile() && found.size <= maxBytes
      ? readFileSync(path, "utf8")
      : undefined
  } catch {
    return undefined
  }
}

/** `--pathspec-from-file=x`, where it is known what stands in the file. */
const listed = (texts: readonly string[], call: Call): readonly string[] => {
  const at = texts.findIndex((text) => /^--pathspec-from-file(?:=|$)/.test(text))
  if (at < 0) return []
  const file = texts[at]?.split("=", 2)[1] ?? texts[at + 1] ?? ""
  const text =
    file === "-" ? standardInput(call) : (writtenText(file, call.state) ?? fileOn(absolute(file, call.state)))
  return (text ?? "").split(/[\n\0]/).filter((line) => line !== "")
}

/** Of a command of git, whose own words are `call`'s: its operands, and what a file lists. */
export const pathspecsOf = (operands: readonly Argument[], call: Call): readonly Pathspec[] => {
  const texts = call.args.map(first)
  const isCaseless = texts.includes("--icase-pathspecs")
  const given = operands.flatMap((arg) =>
    arg.values.map((value) => readPathspec(value, isQuoted(arg), isCaseless))
  )
  return [...given, ...listed(texts, call).map((line) => readPathspec(line, true, isCaseless))]
}
