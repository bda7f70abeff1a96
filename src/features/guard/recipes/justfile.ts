/** Recipes of a justfile: those that are named and what they depend on, with the variables that the file itself sets. */
import { shellWord } from "../../../state/shellWord.ts"
import { fillIn, Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

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

/** A bare value begins with no quote: what can be read in two ways is read in each of them, of every parameter. */
const heading =
  /^@?([\w-]+)((?:\s+[*+$]*[\w-]+(?:\s*=\s*(?:'[^']*'|"[^"]*"|[^\s:'"][^\s:]*))?)*)\s*:(?!=)(.*)$/
const longestHeading = 1000
const parameter = /[*+$]*([\w-]+)(?:\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s:'"][^\s:]*)))?/g

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
  fillIn(line, /\{\{([^{}]{0,200})\}\}/g, (_, name = "") => known.get(name.trim()) ?? unknownValue)

const addLines = (
  lines: Lines,
  { body, parameters }: JustRecipe,
  file: Justfile,
  given: readonly string[]
): void => {
  const known = new Map(file.variables)
  for (const [at, [name, value]] of parameters.entries()) {
    const one = at === parameters.length - 1 ? given.slice(at).map(shellWord).join(" ") : given[at]
    const text = one === undefined || one === "" ? value : one
    if (text !== undefined) known.set(name, text.slice(0, longestValue))
  }
  const [reader = "", ...rest] = body
  // Its lines are one program then.
  if (filled(reader, known).startsWith("#!")) {
    if (/sh\b/.test(filled(reader, known))) lines.add(filled(rest.join("\n"), known))
    return
  }
  for (const line of body) {
    if (lines.isFull) return
    lines.add(filled(line, known).replace(/^[@-]+/, ""))
  }
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
    addLines(lines, recipe, file, given)
  }
  const told = names.length > 0 ? names : [first]
  for (let at = 0; at < told.length; at++) {
    const { parameters = [] } = file.recipes.get(told[at] ?? "") ?? {}
    add(told[at] ?? "", parameters.length > 0 ? told.slice(at + 1) : [])
    if (parameters.length > 0) break
  }
  return lines.text
}
