/** Recipes of a makefile: those of a target and of all that it is made from, with the variables that the file itself sets. */
import { Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

interface Target {
  readonly from: string[]
  readonly recipe: string[]
}

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

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")

/** Conditions are taken to hold, all of them: which do only the run tells. */
const read = (text: string, set: readonly string[]): Makefile => {
  const variables = new Map<string, string>()
  const budget = { left: maxExpanded }
  const targets = new Map<string, Target>()
  let current: readonly Target[] = []
  for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) {
      for (const { recipe } of current) recipe.push(line.slice(1))
      continue
    }
    const [, name = "", how = "", value = ""] = assignment.exec(line) ?? []
    if (name !== "") {
      const before = variables.get(name)
      if (how === "+") variables.set(name, `${before ?? ""} ${value}`)
      else if (how === "!") variables.set(name, `$(shell ${value})`)
      else if (how !== "?" || before === undefined) variables.set(name, value.replace(/\s#.*$/, "").trim())
      continue
    }
    const { command, from = "", names } = ruleIn(line) ?? {}
    if (names === undefined) continue
    current = wordsOf(expanded(names, variables, budget)).map((one) => {
      const target = targets.get(one) ?? { from: [], recipe: [] }
      target.from.push(...wordsOf(expanded(from, variables, budget)))
      if (command !== undefined) target.recipe.push(command)
      targets.set(one, target)
      return target
    })
  }
  for (const one of set) {
    const at = one.indexOf("=")
    variables.set(one.slice(0, at).replace(/[:?+]+$/, ""), one.slice(at + 1))
  }
  return { variables, targets, budget }
}

/** Variables of variables, beyond this, are not followed; nor more of them in one file. */
const deepest = 5
const maxExpanded = 2000

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
        if (value !== undefined && --budget.left >= 0)
          return expanded(value.slice(0, longestValue), variables, budget, depth + 1)
        return /^\w+$/.test(name) ? `\${${name}}` : whole
      })

const asLine = (line: string, name: string, { from }: Target, { budget, variables }: Makefile): string =>
  expanded(
    line
      .replace(/^[\s@+-]+/, "")
      .replaceAll(/\$[@*]/g, () => name)
      .replaceAll("$<", () => from[0] ?? "")
      .replaceAll(/\$[\^?]/g, () => from.join(" ")),
    variables,
    budget
  )
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
    for (const one of target.from) add(one)
    for (const line of target.recipe) lines.add(asLine(line, name, target, makefile))
  }
  for (const name of names.length > 0 ? names : [goal ?? ""]) add(name)
  return lines.text
}
