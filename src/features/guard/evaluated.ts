/** What bash evaluates as arithmetic or as the name of a variable: it expands once more what stands in an index there, whoever wrote it. */
import type { Call } from "./Call.ts"
import { first } from "./expand.ts"

const numeric = /^-(?:eq|ne|lt|le|gt|ge|v)$/
const declaring = /^(?:let|unset|read|declare|typeset|local|export|readonly|mapfile|readarray|getopts)$/

/** The words that this command has evaluated. */
const evaluatedWords = ({ args, name }: Call): readonly string[] => {
  // A variable without quotes may be several words here, and is one there.
  const texts = [args.flatMap(({ values }) => values).join(" ")]
  if (declaring.test(name)) return texts
  if (name === "test" || name === "[") return args.some((arg) => numeric.test(first(arg))) ? texts : []
  if (name !== "printf" && name !== "wait") return []
  return args.flatMap(({ values }, at) =>
    at > 0 && /^-[vp]$/.test(first(args[at - 1] ?? { values: [], word: [] })) ? values : []
  )
}

const runs = /\$\(|`/

/** A command line that comes to what an index runs: its substitutions, and nothing else. */
export const asExpanded = (index: string): string | undefined =>
  runs.test(index) ? `: <<HERE_IS_AN_INDEX\n${index}\nHERE_IS_AN_INDEX` : undefined

export const evaluatedTexts = (call: Call): readonly string[] =>
  evaluatedWords(call).flatMap((text) => {
    const open = text.indexOf("[")
    return open < 0 ? [] : (asExpanded(text.slice(open + 1)) ?? [])
  })
