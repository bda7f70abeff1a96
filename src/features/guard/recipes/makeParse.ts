/** What a makefile says: its variables, its rules, and what make runs while it reads it. */
import { expanded, type MakeBudget, type MakeValues } from "./makeText.ts"
import { longestText } from "./Recipe.ts"

/** What one line says of all its targets, which share it: a line of many targets and many prerequisites says no more than it is long. */
interface Part {
  readonly from: readonly string[]
  readonly recipe: string[]
}

/** One for each line that names it. */
export type Target = Part[]

/** Every value that a variable may have: a condition leaves open which it is. */
export type Variables = Map<string, readonly string[]>

export interface Makefile {
  readonly variables: Variables
  readonly exported: Set<string>
  readonly budget: MakeBudget
  readonly inHeads: MakeBudget
  readonly targets: Map<string, Target>
  /** What is set for a target and for what it is made from. */
  readonly own: Map<string, Assignment[]>
  /** What is run while it is read, whatever is made. */
  readonly run: string[]
  /** All lines of a recipe have one shell. */
  isOneShell: boolean
}

export interface Assignment {
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

export const plainName = (name: string): string => name.replace(/^(?:\.\/+)+(?=.)/, "")

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
export const bare = (line: string): string => line.replace(/^[\s@+-]+/, "")

/** More values than these no condition chooses from. */
const maxChoices = 8
/** So many commands are run while a file is read, and so deep in texts that are read as its lines. */
const maxRun = 200
const deepestRead = 5
/** So much is put in for variables, and looked through for that, in the recipes that are started, and in the heads of all rules. */
const maxExpanded = 262_144
const maxInHeads = 2_097_152

const longer = (value: string, more: string): string =>
  value.length + more.length > longestText ? value : `${value} ${more}`

export const assign = (
  variables: Variables,
  { how, name, value }: Assignment,
  isConditional: boolean
): void => {
  const before = variables.get(name)
  if (how === "?" && before !== undefined) return
  const plain = value.replace(/\s#.*$/, "").trim()
  const added = how === "+" ? (before ?? [""]).map((one) => longer(one, plain)) : []
  const set = how === "+" ? added : [how === "!" ? `$(shell ${value})` : plain]
  const all = isConditional ? [...new Set([...(before ?? []), ...set])] : set
  variables.set(name, all.slice(0, maxChoices))
}

export const noSign = (): undefined => undefined

/** `turn`: of the variables that may have several values, which each of them has. */
export const valuesIn = (
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

export class MakefileReader {
  readonly #file: Makefile = {
    variables: new Map(),
    exported: new Set(),
    budget: { left: maxExpanded },
    inHeads: { left: maxInHeads },
    targets: new Map(),
    own: new Map(),
    run: [],
    isOneShell: false
  }
  #current: Part | undefined
  #defined: { readonly name: string; readonly lines: string[] } | undefined
  /** How many conditions are open. */
  #conditions = 0
  #prefix = "\t"
  /** How deep in texts that are read as lines of it. */
  #depth = 0

  read(text: string): Makefile {
    this.#readText(text)
    return this.#file
  }

  #readText(text: string): void {
    for (const line of text.replaceAll(/\\\r?\n\s*/g, " ").split(/\r?\n/)) this.#readLine(line)
  }

  /** What stands there for make to put in, with texts that are read as lines of the file, and commands that are run for it. */
  #fill(text: string): string {
    const { inHeads: budget, run, variables } = this.#file
    const values: MakeValues = {
      ...valuesIn({ budget, variables }, 0, noSign),
      shell: (command) => {
        if (run.length < maxRun) run.push(command)
      },
      read: (given) => {
        if (this.#depth >= deepestRead) return
        this.#depth++
        this.#readText(given)
        this.#depth--
      }
    }
    return expanded(text, values)
  }

  #readLine(line: string): void {
    if (this.#defined !== undefined) {
      this.#readDefined(this.#defined, line)
      return
    }
    if (line.startsWith(this.#prefix)) {
      const command = bare(line.slice(1))
      if (command !== "") this.#current?.recipe.push(command)
      return
    }
    const [, word] = /^ *(ifn?eq|ifn?def|endif|define|export)\b/.exec(line) ?? []
    if (word === "endif") this.#conditions = Math.max(0, this.#conditions - 1)
    else if (word?.startsWith("if")) {
      this.#conditions++
      this.#fill(line)
    } else if (word === "define") {
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
      // Read at once, whether it is used or not.
      if (/^:|^!/.test(set.how)) this.#fill(set.how === "!" ? `$(shell ${set.value})` : set.value)
      if (set.name === ".RECIPEPREFIX") this.#prefix = set.value.trim().slice(0, 1) || "\t"
      assign(this.#file.variables, set, this.#conditions > 0)
      if (set.isExported) this.#file.exported.add(set.name)
      return
    }
    if (line.startsWith("$")) {
      const made = this.#fill(line)
      // What is left of it is a rule, perhaps.
      if (made.trim() !== "" && this.#depth < deepestRead && made !== line) this.#readRule(made)
    } else if (isExport) for (const name of wordsOf(line).slice(1)) this.#file.exported.add(name)
    else this.#readRule(line)
  }

  #readRule(line: string): void {
    const { command, from = "", names } = ruleIn(line) ?? {}
    if (names === undefined) return
    const { inHeads: budget, own, targets, variables } = this.#file
    const fill = (text: string) => expanded(text, valuesIn({ budget, variables }, 0, noSign))
    if (names.trim() === ".ONESHELL") this.#file.isOneShell = true
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
