/** Recipes of a makefile: those of a target and of all that it is made from, with the variables that the file itself sets. */
import {
  type Assignment,
  assign,
  bare,
  type Makefile,
  MakefileReader,
  noSign,
  plainName,
  type Target,
  type Variables,
  valuesIn
} from "./makeParse.ts"
import { expanded, type MakeValues } from "./makeText.ts"
import { Lines, longestText, maxRecipes, type RecipeReader } from "./Recipe.ts"

/** What the command sets, no line of the file changes. */
const withSet = (file: Makefile, set: readonly string[]): ReadonlySet<string> =>
  new Set(
    set.map((one) => {
      const at = one.indexOf("=")
      const name = one.slice(0, at).replace(/[:?+]+$/, "")
      file.variables.set(name, [one.slice(at + 1)])
      return name
    })
  )

/** More patterns than these are not tried for a name that no rule has. */
const maxPatterns = 100

interface Found {
  readonly target: Target
  /** What `%` stands for. */
  readonly stem: string
}

const foundIn = ({ targets }: Makefile, patterns: readonly string[], name: string): Found | undefined => {
  const target = targets.get(name)
  if (target !== undefined) return { target, stem: "" }
  for (const pattern of patterns) {
    const [before = "", after = ""] = pattern.split("%")
    const fits = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
    const found = fits ? targets.get(pattern) : undefined
    if (found !== undefined)
      return { target: found, stem: name.slice(before.length, name.length - after.length) }
  }
  // make runs it only for a name that is no file either. Whether one is there is not looked at: it is read in any case.
  const byDefault = targets.get(".DEFAULT")
  return byDefault && { target: byDefault, stem: "" }
}

/** What make itself sets for a recipe. */
const automaticOf = (name: string, stem: string, from: readonly string[]): MakeValues["automatic"] => {
  const all = from.join(" ").slice(0, longestText + 1)
  return (sign) => {
    if (sign === "@") return name
    if (sign === "*") return stem === "" ? name : stem
    if (sign === "<") return from[0] ?? ""
    return /[\^?+]/.test(sign) ? all : undefined
  }
}

/** All that the names start, in order, each recipe once. */
class RecipeLines {
  readonly #lines = new Lines()
  readonly #seen = new Set<string>()
  readonly #patterns: readonly string[]
  readonly #file: Makefile
  readonly #set: ReadonlySet<string>
  /** A program that is the file's own runs each line. */
  #isOwnShell = false

  constructor(file: Makefile, set: ReadonlySet<string>) {
    this.#file = file
    this.#set = set
    this.#patterns = [...file.targets.keys()]
      .filter((name) => name.split("%").length === 2)
      .slice(0, maxPatterns)
    for (const line of file.run) this.#lines.add(line)
    this.#addShell()
    for (const name of file.exported) this.#export(name, file.variables.get(name)?.[0])
  }

  /** What runs each line is a program like any other, where the file brings it. */
  #addShell(): void {
    const valueOf = (name: string): string => this.#filled(this.#file.variables.get(name)?.[0] ?? "").trim()
    const shell = valueOf("SHELL")
    const flags = valueOf(".SHELLFLAGS")
    if (/['";|&`]/.test(flags)) this.#lines.add(`sh ${flags} :`)
    const [program = ""] = shell.split(/\s+/)
    if (!/^[.\w-]+\//.test(program)) return
    this.#lines.add(`${shell} -c :`)
    this.#isOwnShell = true
  }

  #filled(value: string): string {
    return expanded(value, valuesIn(this.#file, 0, noSign))
  }

  #export(name: string, value: string | undefined): void {
    if (value !== undefined) this.#lines.set(name, this.#filled(value))
  }

  add(name: string, variables: Variables = this.#file.variables): void {
    const found = foundIn(this.#file, this.#patterns, name)
    if (found === undefined || this.#seen.has(name) || this.#lines.isFull) return
    if (this.#seen.size >= maxRecipes) {
      this.#lines.leaveOut()
      return
    }
    this.#seen.add(name)
    const { stem, target } = found
    const inside = this.#with(this.#file.own.get(name) ?? [], variables)
    const from = [...new Set(target.flatMap((part) => part.from))].map((one) => one.replace("%", stem))
    for (const one of from) this.add(one, inside)
    const automatic = automaticOf(name, stem, from)
    const file = { variables: inside, budget: this.#file.budget }
    const recipe = target.flatMap((part) => part.recipe)
    const { isOneShell, isShellPerLine } = this.#file
    for (const lines of [isShellPerLine ? recipe : [], isOneShell ? [recipe.join("\n")] : []])
      for (const line of lines) {
        if (this.#lines.isFull) return
        this.#addLine(line, file, automatic, lines !== recipe)
      }
  }

  #with(own: readonly Assignment[], variables: Variables): Variables {
    const free = own.filter(({ name }) => !this.#set.has(name))
    if (free.length === 0) return variables
    const inside = new Map(variables)
    for (const one of free) {
      assign(inside, one, false)
      if (one.isExported) this.#export(one.name, inside.get(one.name)?.[0])
    }
    return inside
  }

  /** With each value that a condition may leave a variable with. */
  #addLine(
    line: string,
    file: Pick<Makefile, "budget" | "variables">,
    automatic: MakeValues["automatic"],
    isOneShell: boolean
  ): void {
    const before = new Set<string>()
    const isFilled = line.includes("$")
    const turns = isFilled ? choicesIn(file.variables) : 1
    for (let turn = 0; turn < turns && (!isFilled || file.budget.left >= 0); turn++) {
      const text = expanded(line, valuesIn(file, turn, automatic))
      if (before.has(text)) continue
      before.add(text)
      if (isOneShell) this.#lines.add(text.split("\n").map(bare).join("\n"))
      else for (const one of text.split("\n")) this.#lines.add(bare(one))
    }
    if (isFilled && file.budget.left < 0) this.#lines.leaveOut(line)
  }

  get read() {
    const { inHeads, isOpen } = this.#file
    // What a rule is made from is not known of every rule, then: any of them may start what nobody read.
    if (this.#isOwnShell || isOpen || inHeads.left < 0) this.#lines.leaveOut()
    return this.#lines.read
  }
}

const choices = new WeakMap<Variables, number>()

/** How many values the one with the most may have. */
const choicesIn = (variables: Variables): number => {
  const known = choices.get(variables)
  if (known !== undefined) return known
  let most = 1
  for (const { length } of variables.values()) most = Math.max(most, length)
  choices.set(variables, most)
  return most
}

export const readMakefile: RecipeReader = (text, { names, set = [] }) => {
  const file = new MakefileReader().read(text)
  const lines = new RecipeLines(file, withSet(file, set))
  const first = [...file.targets.keys()].find((name) => !/^\.|%/.test(name))
  const [goal = first] = file.variables.get(".DEFAULT_GOAL") ?? []
  const wanted = (names.length > 0 ? names : [goal ?? ""]).map(plainName)
  for (const name of wanted) lines.add(name)
  // What the file itself has without a recipe starts nothing of its own.
  const isKnown = wanted.every((name) => file.targets.has(name))
  return lines.read ?? (isKnown ? { text: "", isWhole: true } : undefined)
}
