/** Recipes of a justfile: those that are named and what they depend on, with the variables that the file itself sets. */
import { shellWord } from "../../../state/shellWord.ts"
import { Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

interface JustRecipe {
  /** Each with its value where none is given. */
  readonly parameters: readonly (readonly [name: string, value: string | undefined])[]
  readonly from: readonly string[]
  readonly body: string[]
}

interface Justfile {
  readonly variables: Map<string, string>
  readonly recipes: Map<string, JustRecipe>
}

const heading = /^@?([\w-]+)((?:\s+[*+$]*[\w-]+(?:\s*=\s*(?:'[^']*'|"[^"]*"|[^\s:]+))?)*)\s*:(?!=)(.*)$/
const longestHeading = 1000
const parameter = /[*+$]*([\w-]+)(?:\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s:]+)))?/g

const read = (text: string): Justfile => {
  const variables = new Map<string, string>()
  const recipes = new Map<string, JustRecipe>()
  let current: JustRecipe | undefined
  for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) {
    if (/^\s+\S/.test(line)) {
      current?.body.push(line.trim())
      continue
    }
    const [, name = "", value = ""] =
      /^(?:export )?([\w-]+)\s*:=\s*(?:'([^']*)'|"([^"]*)")\s*$/
        .exec(line)
        ?.filter((one) => one !== undefined) ?? []
    if (name !== "") variables.set(name, value.slice(0, longestValue))
    const [, title = "", parameters = "", from = ""] =
      line.length > longestHeading ? [] : (heading.exec(line) ?? [])
    if (title === "") continue
    current = {
      parameters: [...parameters.matchAll(parameter)].map(([, one = "", single, double, bare]) => [
        one,
        single ?? double ?? bare
      ]),
      from: from
        .replace(/#.*$/, "")
        .split(/\s+/)
        .filter((one) => /^\(?[\w-]+\)?$/.test(one))
        .map((one) => one.replaceAll(/[()]/g, "")),
      body: []
    }
    recipes.set(title, current)
  }
  return { variables, recipes }
}

/** A variable that nothing sets. */
const unknownValue = "$JUST_SAYS_IT"

/** `{{x}}` is what the file or the command gives it; anything else only the run tells. */
const filled = (line: string, known: ReadonlyMap<string, string>): string =>
  line.replaceAll(/\{\{([^{}]{0,200})\}\}/g, (_, name: string) => known.get(name.trim()) ?? unknownValue)

const linesOf = (
  { body, parameters }: JustRecipe,
  file: Justfile,
  given: readonly string[]
): readonly string[] => {
  const known = new Map(file.variables)
  for (const [at, [name, value]] of parameters.entries()) {
    const one = at === parameters.length - 1 ? given.slice(at).map(shellWord).join(" ") : given[at]
    const text = one === undefined || one === "" ? value : one
    if (text !== undefined) known.set(name, text.slice(0, longestValue))
  }
  const lines = body.map((line) => filled(line, known))
  const [reader = ""] = lines
  // Its lines are one program then.
  if (reader.startsWith("#!")) return /sh\b/.test(reader) ? [lines.slice(1).join("\n")] : []
  return lines.map((line) => line.replace(/^[@-]+/, ""))
}

export const readJustfile: RecipeReader = (text, { names, set = [] }) => {
  const file = read(text)
  for (const one of set) file.variables.set(one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1))
  const [first = ""] = file.recipes.keys()
  const lines = new Lines()
  let left = maxRecipes
  const add = (name: string, given: readonly string[]): void => {
    const recipe = file.recipes.get(name)
    if (recipe === undefined || lines.isFull || --left < 0) return
    for (const one of recipe.from) add(one, [])
    for (const line of linesOf(recipe, file, given)) lines.add(line)
  }
  const told = names.length > 0 ? names : [first]
  for (let at = 0; at < told.length; at++) {
    const { parameters = [] } = file.recipes.get(told[at] ?? "") ?? {}
    add(told[at] ?? "", parameters.length > 0 ? told.slice(at + 1) : [])
    if (parameters.length > 0) break
  }
  return lines.text
}
