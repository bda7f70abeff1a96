/** Recipes of a makefile: those of a target and of all that it is made from, with the variables that the file itself sets. */
import { fillIn, Lines, longestText, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

/** What one line says of all its targets, which share it: a line of many targets and many prerequisites says no more than it is long. */
interface Part {
  readonly from: readonly string[]
  readonly recipe: string[]
}

/** One for each line that names it. */
type Target = Part[]

interface Makefile {
  readonly variables: Map<string, string>
  readonly budget: { left: number }
  readonly targets: Map<string, Target>
}

const assignment = /^(?:export |override )?\s*([\w.]+)\s*(\?|\+|::?|!)?=\s*(.*)$/

interface Rule {
  readonly names: string
  readonly from: string
  readonly command: string | undefined
}

/** `a b: c d; command`. */
const ruleIn = (line: string): Rule | undefined => {
  const at = line.search(/[#:=]/)
  const rest = line.slice(at + 1).replace(/^:/, "")
  if (at <= 0 || line[at] !== ":" || rest.startsWith("=")) return undefined
  const end = rest.indexOf(";")
  return {
    names: line.slice(0, at),
    from: end < 0 ? rest : rest.slice(0, end),
    command: end < 0 ? undefined : rest.slice(end + 1)
  }
}

/** Each once, as make itself has them. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set(text.split(/\s+/).filter((word) => word !== ""))
]

/** A command without what is said to make of it. */
const bare = (line: string): string => line.replace(/^[\s@+-]+/, "")

/** Conditions are taken to hold, all of them: which do only the run tells. */
const read = (text: string, set: readonly string[]): Makefile => {
  const variables = new Map<string, string>()
  const budget = { left: maxExpanded }
  const targets = new Map<string, Target>()
  let current: Part | undefined
  for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) {
      const command = bare(line)
      if (command !== "") current?.recipe.push(command)
      continue
    }
    const [, name = "", how = "", value = ""] = assignment.exec(line) ?? []
    if (name !== "") {
      const before = variables.get(name)
      if (how === "+") variables.set(name, `${before ?? ""} ${value}`.slice(0, longestValue))
      else if (how === "!") variables.set(name, `$(shell ${value})`)
      else if (how !== "?" || before === undefined) variables.set(name, value.replace(/\s#.*$/, "").trim())
      continue
    }
    const { command, from = "", names } = ruleIn(line) ?? {}
    if (names === undefined) continue
    current = {
      from: wordsOf(expanded(from, variables, budget)),
      recipe: command === undefined ? [] : [bare(command)]
    }
    for (const one of wordsOf(expanded(names, variables, budget))) {
      const target = targets.get(one)
      if (target === undefined) targets.set(one, [current])
      else target.push(current)
    }
  }
  for (const one of set) {
    const at = one.indexOf("=")
    variables.set(one.slice(0, at).replace(/[:?+]+$/, ""), one.slice(at + 1))
  }
  return { variables, targets, budget }
}

/** Variables of variables, beyond this, are not followed; nor more of them in one file than come to so much text. */
const deepest = 5
const maxExpanded = 65_536

/** What is not set here is a variable of the shell's; a function is left to print what nobody knows. */
const expanded = (
  text: string,
  variables: ReadonlyMap<string, string>,
  budget: { left: number },
  depth = 0
): string =>
  depth > deepest
    ? text
    : text.replaceAll(/\$(?:\(([\w.]+)\)|\{([\w.]+)\})/g, (whole, round?: string, curly?: string) => {
        const name = round ?? curly ?? ""
        const value = name === "MAKE" ? "make" : variables.get(name)
        if (value !== undefined && budget.left > 0) {
          const used = value.slice(0, longestValue)
          budget.left -= 1 + used.length
          return expanded(used, variables, budget, depth + 1)
        }
        return /^\w+$/.test(name) ? `\${${name}}` : whole
      })

/** What make itself sets for a recipe: `$@`, `$<`, `$^`. */
const automatic = (name: string, from: readonly string[]): ((variable: string) => string) => {
  const all = from.join(" ").slice(0, longestText + 1)
  return (variable) => (/[@*]/.test(variable) ? name : variable === "$<" ? (from[0] ?? "") : all)
}

const asLine = (
  line: string,
  valueOf: (variable: string) => string,
  { budget, variables }: Makefile
): string =>
  expanded(fillIn(line, /\$[@*<^?]/g, valueOf), variables, budget)
    .replaceAll("$(shell ", "$(")
    .replaceAll("$$", "$")

export const readMakefile: RecipeReader = (text, { names, set = [] }) => {
  const makefile = read(text, set)
  const first = [...makefile.targets.keys()].find((name) => !/^\.|%/.test(name))
  const goal = makefile.variables.get(".DEFAULT_GOAL") ?? first
  const lines = new Lines()
  const seen = new Set<string>()
  const add = (name: string): void => {
    const target = makefile.targets.get(name)
    if (target === undefined || seen.has(name) || seen.size >= maxRecipes || lines.isFull) return
    seen.add(name)
    const from = [...new Set(target.flatMap((part) => part.from))]
    for (const one of from) add(one)
    const valueOf = automatic(name, from)
    for (const line of target.flatMap((part) => part.recipe)) {
      if (lines.isFull) return
      lines.add(asLine(line, valueOf, makefile))
    }
  }
  for (const name of names.length > 0 ? names : [goal ?? ""]) add(name)
  return lines.text
}
