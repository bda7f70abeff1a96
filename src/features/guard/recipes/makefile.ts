/** Recipes of a makefile: those of a target and of all that it is made from, with the variables that the file itself sets. */
import { expanded, type MakeBudget, type MakeValues } from "./makeText.ts"
import { Lines, longestText, maxRecipes, type RecipeReader } from "./Recipe.ts"

/** What one line says of all its targets, which share it: a line of many targets and many prerequisites says no more than it is long. */
interface Part {
  readonly from: readonly string[]
  readonly recipe: string[]
}

/** One for each line that names it. */
type Target = Part[]

/** Every value that a variable may have: a condition leaves open which it is. */
type Variables = Map<string, readonly string[]>

interface Makefile {
  readonly variables: Variables
  readonly exported: Set<string>
  readonly budget: MakeBudget
  readonly inHeads: MakeBudget
  readonly targets: Map<string, Target>
  /** What is set for a target and for what it is made from. */
  readonly own: Map<string, Assignment[]>
}

interface Assignment {
  readonly name: string
  readonly how: string
  readonly value: string
  readonly isExported: boolean
}

const assignment = /^((?:(?:export|override|private) +)*)([\w.-]+)\s*(\?|\+|::{0,2}|!)?=\s*(.*)$/

const assignmentIn = (line: string): Assignment | undefined => {
  const [, before = "", name = "", how = "", value = ""] = assignment.exec(line.trim()) ?? []
  return name === "" ? undefined : { name, how, value, isExported: before.includes("export") }
}

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

const plainName = (name: string): string => name.replace(/^(?:\.\/+)+(?=.)/, "")

/** Each once, as make itself has them. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/\s+/)
      .filter((word) => word !== "")
      .map(plainName)
  )
]

/** A command without what is said to make of it. */
const bare = (line: string): string => line.replace(/^[\s@+-]+/, "")

/** More values than these no condition chooses from. */
const maxChoices = 8
/** So much is put in for variables, and looked through for that, in the recipes that are started, and in the heads of all rules. */
const maxExpanded = 262_144
const maxInHeads = 2_097_152

const longer = (value: string, more: string): string =>
  value.length + more.length > longestText ? value : `${value} ${more}`

const assign = (variables: Variables, { how, name, value }: Assignment, isConditional: boolean): void => {
  const before = variables.get(name)
  if (how === "?" && before !== undefined) return
  const plain = value.replace(/\s#.*$/, "").trim()
  const added = how === "+" ? (before ?? [""]).map((one) => longer(one, plain)) : []
  const set = how === "+" ? added : [how === "!" ? `$(shell ${value})` : plain]
  const all = isConditional ? [...new Set([...(before ?? []), ...set])] : set
  variables.set(name, all.slice(0, maxChoices))
}

const noSign = (): undefined => undefined

/** `turn`: of the variables that may have several values, which each of them has. */
const valuesIn = (
  { budget, variables }: Pick<Makefile, "budget" | "variables">,
  turn: number,
  automatic: MakeValues["automatic"]
): MakeValues => ({
  budget,
  automatic,
  valueOf: (name) => {
    const known = variables.get(name)
    return known?.[Math.min(turn, known.length - 1)]
  }
})

class MakefileReader {
  readonly #file: Makefile = {
    variables: new Map(),
    exported: new Set(),
    budget: { left: maxExpanded },
    inHeads: { left: maxInHeads },
    targets: new Map(),
    own: new Map()
  }
  #current: Part | undefined
  #defined: { readonly name: string; readonly lines: string[] } | undefined
  /** How many conditions are open. */
  #conditions = 0

  read(text: string): Makefile {
    for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) this.#readLine(line)
    return this.#file
  }

  #readLine(line: string): void {
    if (this.#defined !== undefined) {
      this.#readDefined(this.#defined, line)
      return
    }
    if (line.startsWith("\t")) {
      const command = bare(line)
      if (command !== "") this.#current?.recipe.push(command)
      return
    }
    const [, word] = /^ *(ifn?eq|ifn?def|endif|define|export)\b/.exec(line) ?? []
    if (word === "endif") this.#conditions = Math.max(0, this.#conditions - 1)
    else if (word?.startsWith("if")) this.#conditions++
    else if (word === "define") {
      const [, name = ""] = /^ *define\s+([\w.-]+)/.exec(line) ?? []
      this.#defined = { name, lines: [] }
    } else this.#readStatement(line, word === "export")
  }

  #readDefined(defined: { readonly name: string; readonly lines: string[] }, line: string): void {
    if (!/^ *endef\b/.test(line)) {
      defined.lines.push(line)
      return
    }
    this.#defined = undefined
    this.#file.variables.set(defined.name, [defined.lines.join("\n")])
  }

  #readStatement(line: string, isExport: boolean): void {
    const set = assignmentIn(line)
    if (set !== undefined) {
      assign(this.#file.variables, set, this.#conditions > 0)
      if (set.isExported) this.#file.exported.add(set.name)
      return
    }
    if (isExport) for (const name of wordsOf(line).slice(1)) this.#file.exported.add(name)
    else this.#readRule(line)
  }

  #readRule(line: string): void {
    const { command, from = "", names } = ruleIn(line) ?? {}
    if (names === undefined) return
    const { inHeads: budget, own, targets, variables } = this.#file
    const fill = (text: string) => expanded(text, valuesIn({ budget, variables }, 0, noSign))
    const set = assignmentIn(from + (command === undefined ? "" : `;${command}`))
    if (set === undefined)
      this.#current = { from: wordsOf(fill(from)), recipe: command === undefined ? [] : [bare(command)] }
    for (const one of wordsOf(fill(names))) {
      if (set !== undefined) push(own, one, set)
      else if (this.#current !== undefined) push(targets, one, this.#current)
    }
  }
}

const push = <A>(lists: Map<string, A[]>, name: string, one: A): void => {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [one])
  else list.push(one)
}

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
  return undefined
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

  constructor(file: Makefile, set: ReadonlySet<string>) {
    this.#file = file
    this.#set = set
    this.#patterns = [...file.targets.keys()]
      .filter((name) => name.split("%").length === 2)
      .slice(0, maxPatterns)
    // What a rule is made from is not known of every rule: any of them may start what nobody read.
    if (file.inHeads.left < 0) this.#lines.leaveOut()
    for (const name of file.exported) this.#export(name, file.variables.get(name)?.[0])
  }

  #export(name: string, value: string | undefined): void {
    const filled = value === undefined ? "" : expanded(value, valuesIn(this.#file, 0, noSign))
    if (value !== undefined) this.#lines.set(name, filled)
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
    for (const line of target.flatMap((part) => part.recipe)) {
      if (this.#lines.isFull) return
      this.#addLine(line, file, automatic)
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
    automatic: MakeValues["automatic"]
  ): void {
    const before = new Set<string>()
    const turns = line.includes("$") ? choicesIn(file.variables) : 1
    for (let turn = 0; turn < turns && file.budget.left >= 0; turn++) {
      const text = expanded(line, valuesIn(file, turn, automatic))
      if (before.has(text)) continue
      before.add(text)
      for (const one of text.split("\n")) this.#lines.add(bare(one))
    }
    if (file.budget.left < 0) this.#lines.leaveOut(line)
  }

  get read() {
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
  for (const name of names.length > 0 ? names : [goal ?? ""]) lines.add(plainName(name))
  return lines.read
}
