/** Recipes of a justfile: those that are named and what they depend on, with the variables that the file itself sets. */
import { shellWord } from "../../../state/shellWord.ts"
import { justText, justValue } from "./justValue.ts"
import { fillIn, Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

interface Parameter {
  readonly name: string
  /** An expression, where none is given. */
  readonly value: string | undefined
  /** The shell has it as well. */
  readonly isExported: boolean
}

interface Needed {
  readonly name: string
  /** Expressions. */
  readonly given: readonly string[]
}

interface JustRecipe {
  readonly parameters: readonly Parameter[]
  readonly from: readonly Needed[]
  readonly body: string[]
  /** An expression for where it runs, where an attribute says that. */
  readonly folder: string | undefined
}

interface Justfile {
  /** Expressions. */
  readonly variables: Map<string, string>
  readonly exported: Set<string>
  readonly recipes: Map<string, JustRecipe>
  /** What `set` says, without what stands before the value. */
  readonly settings: Map<string, string>
}

/** A bare value begins with no quote: what can be read in two ways is read in each of them, of every parameter. */
const heading =
  /^@?([\w-]+)((?:\s+[*+$]*[\w-]+(?:\s*=\s*(?:'[^']*'|"[^"]*"|[^\s:'"][^\s:]*))?)*)\s*:(?!=)(.*)$/
const longestHeading = 1000
const parameter = /([*+$]*)([\w-]+)(?:\s*=\s*('[^']*'|"[^"]*"|[^\s:'"][^\s:]*))?/g
const needed = /\(([\w:-]+)((?:\s+(?:'[^']*'|"[^"]*"|[\w-]+))*)\s*\)|([\w:-]+)/g
const assignment = /^(export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$/

const recipeIn = (
  line: string,
  folder: string | undefined
): readonly [title: string, recipe: JustRecipe] | undefined => {
  const [, title, parameters = "", from = ""] = line.length > longestHeading ? [] : (heading.exec(line) ?? [])
  if (title === undefined) return undefined
  return [
    title,
    {
      parameters: [...parameters.matchAll(parameter)].map(([, signs = "", name = "", value]) => ({
        name,
        value,
        isExported: signs.includes("$")
      })),
      from: [...from.replace(/#.*$/, "").matchAll(needed)].map(([, called, given = "", bare = ""]) => ({
        name: called ?? bare,
        given: given.match(/'[^']*'|"[^"]*"|[\w-]+/g) ?? []
      })),
      body: [],
      folder
    }
  ]
}

/** What another name of a recipe in another file comes to. */
const ofModule = (name: string): JustRecipe => ({
  parameters: [],
  from: [{ name, given: [] }],
  body: [],
  folder: undefined
})

const read = (text: string): Justfile => {
  const variables = new Map<string, string>()
  const exported = new Set<string>()
  const recipes = new Map<string, JustRecipe>()
  const settings = new Map<string, string>()
  const aliases = new Map<string, string>()
  let current: JustRecipe | undefined
  let folder: string | undefined
  for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) {
    if (/^\s+\S/.test(line)) {
      current?.body.push(line.trim())
      continue
    }
    const [, setting, to = "true"] =
      /^set\s+([\w-]+)\s*(?::=\s*(.*))?$/.exec(line.replace(/\s#.*$/, "")) ?? []
    if (setting !== undefined) settings.set(setting, to.trim())
    const [, alias = "", meant] = /^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/.exec(line) ?? []
    if (meant !== undefined) aliases.set(alias, meant)
    const [, where] = /^\[[^\]]*\bworking-directory\s*[:(]\s*('[^']*'|"[^"]*")/.exec(line) ?? []
    folder ??= where
    const [, exports, name, value = ""] = assignment.exec(line) ?? []
    if (name !== undefined) {
      folder = undefined
      variables.set(name, value)
      if (exports !== undefined) exported.add(name)
      continue
    }
    const [title, recipe] = recipeIn(line, folder) ?? []
    if (title === undefined || recipe === undefined) continue
    folder = undefined
    current = recipe
    recipes.set(title, recipe)
  }
  for (const [alias, meant] of aliases) {
    const recipe = meant.includes("::") ? ofModule(meant) : recipes.get(meant)
    if (recipe !== undefined && !recipes.has(alias)) recipes.set(alias, recipe)
  }
  const isAllExported = /^true\b/.test(settings.get("export") ?? "")
  return { variables, exported: isAllExported ? new Set(variables.keys()) : exported, recipes, settings }
}

const filled = (line: string, known: ReadonlyMap<string, string>): string =>
  fillIn(line, /\{\{([^{}]{0,200})\}\}/g, (_, expression = "") => justValue(expression, known))

const addLines = (
  lines: Lines,
  { body, folder: own, parameters }: JustRecipe,
  file: Justfile,
  given: readonly string[]
): void => {
  const known = new Map(file.variables)
  for (const [at, { name, value }] of parameters.entries()) {
    const one = at === parameters.length - 1 ? given.slice(at).map(shellWord).join(" ") : given[at]
    const text = one === undefined || one === "" ? undefined : justText(one.slice(0, longestValue - 2))
    const bare = value === undefined || /^["']|^[A-Za-z_][\w-]*$/.test(value) ? value : justText(value)
    if (text !== undefined || bare !== undefined) known.set(name, text ?? (bare as string))
  }
  const folder = own ?? file.settings.get("working-directory")
  const add = (line: string): void =>
    lines.add(folder === undefined ? line : `cd ${shellWord(justValue(folder, known))}\n${line}`)
  for (const { isExported, name } of parameters) if (isExported) lines.set(name, justValue(name, known))
  const [reader = "", ...rest] = body
  // Its lines are one program then.
  if (filled(reader, known).startsWith("#!")) {
    if (/sh\b/.test(filled(reader, known))) add(filled(rest.join("\n"), known))
    return
  }
  for (const line of body) {
    if (lines.isFull) return
    add(filled(line, known).replace(/^[@-]+/, ""))
  }
}

/** Commands of variables run whatever is started; and so does what runs each line. Says whether the file brings that. */
const addRun = (lines: Lines, { settings, variables }: Justfile): boolean => {
  for (const value of variables.values())
    for (const [, command = ""] of value.matchAll(/(?<!`)`([^`]+)`/g)) lines.add(command)
  const [, shell = ""] = /^\[\s*['"]([^'"]*)['"]/.exec(settings.get("shell") ?? "") ?? []
  if (!/^[.\w-]+\//.test(shell)) return false
  lines.add(`${shellWord(shell)} -c :`)
  return true
}

export const hasJustRecipe = (text: string, name: string): boolean => read(text).recipes.has(name)

/** Of `mod name` the files that it may be, and of the names that are started those that it has. */
export const moduleOf = (
  text: string,
  [first = "", ...rest]: readonly string[]
): { readonly files: readonly string[]; readonly names: readonly string[] } | undefined => {
  const [name = "", ...inner] = first.split("::")
  if (!/^[\w-]+$/.test(name)) return undefined
  const found = new RegExp(`^mod\\??[ \\t]+${name}(?:[ \\t]+['"]([^'"\\n]*)['"])?[ \\t]*(?:#.*)?$`, "m").exec(
    text
  )
  if (found === null) return undefined
  const path = found[1] ?? name
  const inFolder = ["mod.just", "justfile", "Justfile", ".justfile"].map((one) => `${path}/${one}`)
  return {
    files: found[1] === undefined ? [`${name}.just`, ...inFolder] : [path, ...inFolder],
    names: inner.length > 0 ? [inner.join("::"), ...rest] : rest
  }
}

export const readJustfile: RecipeReader = (text, { names, set = [] }) => {
  const file = read(text)
  for (const one of set)
    file.variables.set(one.slice(0, one.indexOf("=")), justText(one.slice(one.indexOf("=") + 1)))
  const [first = ""] = file.recipes.keys()
  const lines = new Lines()
  for (const name of file.exported) lines.set(name, justValue(name, file.variables))
  const isOwnShell = addRun(lines, file)
  const needs: (readonly string[])[] = []
  let left = maxRecipes
  const add = (name: string, given: readonly string[]): void => {
    const recipe = file.recipes.get(name)
    if (recipe === undefined && name.includes("::")) needs.push([name, ...given])
    if (recipe === undefined || lines.isFull) return
    if (--left < 0) {
      lines.leaveOut()
      return
    }
    for (const one of recipe.from)
      add(
        one.name,
        one.given.map((each) => justValue(each, file.variables))
      )
    addLines(lines, recipe, file, given)
  }
  const told = names.length > 0 ? names : [first]
  for (let at = 0; at < told.length; at++) {
    const { parameters = [] } = file.recipes.get(told[at] ?? "") ?? {}
    add(told[at] ?? "", parameters.length > 0 ? told.slice(at + 1) : [])
    if (parameters.length > 0) break
  }
  if (isOwnShell) lines.leaveOut()
  const { isWhole = true, text: own = "" } = lines.read ?? {}
  return lines.read === undefined && needs.length === 0 ? undefined : { text: own, isWhole, needs }
}
