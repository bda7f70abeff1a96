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
  /** Each line of a recipe has its own; a condition leaves open whether it has. */
  isShellPerLine: boolean
  /** Only the run can tell which of its lines are recipes. */
  isOpen: boolean
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

/** Where a sign that parts a line stands in no brackets of `$(…)`; -1 where none does. */
const partingAt = (line: string): number => {
  let depth = 0
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ""
    if (depth === 0 && /[#:=]/.test(char)) return at
    if (/[({]/.test(char) && (depth > 0 || line[at - 1] === "$")) depth++
    else if (/[)}]/.test(char) && depth > 0) depth--
  }
  return -1
}

/** `a b: c d; command`. */
const ruleIn = (line: string): Rule | undefined => {
  const at = partingAt(line)
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
/** So many rules a line of a recipe may belong to, where a sign begins it that begins none, perhaps. */
const maxCurrent = 8
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
  const plain = value.replace(/(?:^|\s)#.*$/, "").trim()
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
    isOneShell: false,
    isShellPerLine: true,
    isOpen: false
  }
  /** More than one where it cannot be told which of them a line belongs to. */
  #current: readonly Part[] = []
  #defined: { readonly name: string; readonly lines: string[] } | undefined
  /** How many conditions are open. */
  #conditions = 0
  /** Any of them may begin a line of a recipe: a condition leaves open which it is. */
  readonly #prefixes = new Set(["\t"])
  /** What is read is a line of a recipe, perhaps. */
  #isUnsure = false
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
    const isRecipe = this.#prefixes.has(line[0] ?? "")
    if (isRecipe) {
      const command = bare(line.slice(1))
      if (command !== "") for (const { recipe } of this.#current) recipe.push(command)
      if (this.#prefixes.size === 1) return
    }
    // Where another sign may begin recipes, nothing tells what one line is: it is read as both.
    const before = this.#current
    this.#isUnsure = isRecipe
    this.#readPlain(line)
    this.#isUnsure = false
    if (!isRecipe) return
    this.#current = [...new Set([...before, ...this.#current])]
    if (this.#current.length <= maxCurrent) return
    this.#current = this.#current.slice(-maxCurrent)
    this.#file.isOpen = true
  }

  #readPlain(line: string): void {
    const [, word] = /^ *(ifn?eq|ifn?def|endif|define|export)\b/.exec(line) ?? []
    if (word === "endif") this.#conditions = Math.max(0, this.#conditions - (this.#isUnsure ? 0 : 1))
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
      assign(this.#file.variables, set, this.#isConditional)
      if (set.name === ".RECIPEPREFIX") this.#addPrefixes()
      if (set.isExported) this.#file.exported.add(set.name)
      return
    }
    if (line.startsWith("$")) {
      const made = this.#fill(line)
      // What it is filled with only names targets: the command itself is filled once, as it is run.
      if (ruleIn(line) !== undefined) this.#readRule(line)
      // What is left of it is a rule, perhaps.
      else if (made.trim() !== "" && this.#depth < deepestRead && made !== line) this.#readRule(made)
    } else if (isExport) for (const name of wordsOf(line).slice(1)) this.#file.exported.add(name)
    else this.#readRule(line)
  }

  get #isConditional(): boolean {
    return this.#conditions > 0 || this.#isUnsure
  }

  #addPrefixes(): void {
    const values = this.#file.variables.get(".RECIPEPREFIX") ?? []
    for (let turn = 0; turn < maxChoices; turn++)
      for (const value of values) {
        const [sign] = expanded(value, valuesIn({ ...this.#file, budget: this.#file.inHeads }, turn, noSign))
        if (sign === "$") this.#file.isOpen = true
        else if (sign !== undefined) this.#prefixes.add(sign)
      }
  }

  #addOneShell(): void {
    this.#file.isOneShell = true
    this.#file.isShellPerLine &&= this.#isConditional || this.#depth > 0
  }

  #readRule(line: string): void {
    const { command, from = "", names } = ruleIn(line) ?? {}
    if (names === undefined) return
    const { inHeads: budget, own, targets, variables } = this.#file
    const fill = (text: string) => expanded(text, valuesIn({ budget, variables }, 0, noSign))
    const set = assignmentIn(from + (command === undefined ? "" : `;${command}`))
    const part = { from: wordsOf(fill(from)), recipe: command === undefined ? [] : [bare(command)] }
    if (set === undefined) this.#current = [part]
    for (const one of wordsOf(fill(names))) {
      if (one === ".ONESHELL") this.#addOneShell()
      if (set !== undefined) push(own, one, set)
      else push(targets, one, part)
    }
  }
}

const push = <A>(lists: Map<string, A[]>, name: string, one: A): void => {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [one])
  else list.push(one)
}
