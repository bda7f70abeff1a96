/** What a shell knows while a command line runs, as far as reading it tells. */
import { projectIn } from "./project.ts"
import type { Place } from "./rule.ts"
import { type Budget, firstOf, passOver, type Script, unknown } from "./script.ts"

/** Files of a working tree that git prints the names of. */
export interface GitList {
  readonly folder: string | undefined
  readonly changed: boolean
  readonly untracked: boolean
  /** Those that git is told to ignore are among them. */
  readonly ignored: boolean
  /** Only what fits one of these; all without any. */
  readonly paths: readonly string[]
}

/** What stands for something else from here on: this machine, contexts of clusters, whom an engine asks. */
export type Led = "machine" | "contexts" | "engine"

export type Exported = ReadonlyMap<string, readonly string[]>

const nothingExported: Exported = new Map()

/** A folder of the host's in a container. */
export interface Mount {
  readonly at: string
  readonly from: string
}

export interface Container {
  readonly mounts: readonly Mount[]
  /** Made for this one command, or by this line: what else is in it nobody misses. */
  readonly isNew: boolean
  /** Nothing is mounted that outlives it: what its programs keep is gone with it anyway. */
  readonly ownsData?: boolean
  /** Its network is that of another container, or of another machine. */
  readonly isApart?: boolean
}

export type Origin = "remote-code" | "hidden-code" | "unread-lines" | "every-process"

export type Elements = ReadonlyMap<number, readonly string[]>

const noElements: ReadonlyMap<string, Elements> = new Map()

export interface ShellState {
  readonly place: Place
  /** Undefined once nobody can tell. */
  cwd: string | undefined
  /** Where it was before: `cd -`. */
  before: string | undefined
  /** What `pushd` left and `popd` goes back to, the last one first. */
  left: readonly (string | undefined)[]
  /** Every value that a variable may have. */
  readonly variables: Map<string, readonly string[]>
  /** Values of arrays that were set one by one, by their numbers. Hardly any line has some: another takes its place, and no subshell has a copy. */
  elements: ReadonlyMap<string, Elements>
  /** Names that stand for another variable: `declare -n`. */
  readonly references: Map<string, string>
  /** Variables that were asked whether they hold anything. */
  readonly tested: Set<string>
  /** What neither this line nor the environment sets is empty: nobody sets it elsewhere, and nothing asks for it first. */
  sure: boolean
  /** Functions that were defined, each with its body. */
  readonly functions: Map<string, Script>
  /** Variables that hold a secret, and files that one was copied to. */
  readonly secretVariables: Set<string>
  readonly secretFiles: Set<string>
  /** Descriptors that were opened on the network. */
  readonly sockets: Set<string>
  /** Files of secrets that were put into a repository in spite of what it ignores. */
  readonly staged: Set<string>
  /** Worktrees and clones that this command line made itself. */
  readonly made: Set<string>
  /** Where it committed or stashed what was there. */
  readonly saved: Set<string>
  /** What this command line led elsewhere. */
  readonly led: Set<Led>
  /** What it surely exported, and what it was then. */
  exported: Exported
  /** What git lists, by the variable that goes through it. */
  readonly lists: Map<string, GitList>
  /** Containers that this command line started under a name. */
  readonly containers: Map<string, Container>
  /** What `mktemp` made for this command line, by the script that asks for it. */
  readonly temporaries: Map<Script, string>
  /** The directories among them that nothing was put into that lay elsewhere before. */
  readonly fresh: Set<string>
  /** A pattern fits names that begin with a dot as well. */
  dotted: boolean
  /** Files that this command line wrote, and what is in them. */
  readonly written: Map<string, string>
  /** Files that this command line made of others whose text it does not say, and what each was made of. */
  readonly copied: Map<string, string>
  /** Links that this command line made, and where they lead. */
  readonly linked: Map<string, string>
  /** Files that were downloaded. */
  readonly fetched: Set<string>
  /** Variables that hold what was downloaded or decoded, lines that were read from somewhere, or the ids of all processes. */
  readonly origins: Map<string, Origin>
  /** On another machine: its files are not ours, and nothing of it is the project. */
  readonly remote: boolean
  /** In a container: only what is mounted there is the host's. */
  readonly container?: Container
  /** What commands print, where the line itself says it. */
  readonly outputOf?: (script: Script, state: ShellState) => string | undefined
  /** Which paths commands list, where not only some of them are taken. */
  readonly listedBy?: (script: Script, state: ShellState) => readonly string[]
  /** What it prints goes into a word, a file or a program: nobody reads it. */
  taken: boolean
  /** The functions that are being gone through, each started by the one before it. */
  readonly running: readonly Script[]
  /** How deep in commands that are given as text. */
  readonly depth: number
  readonly budget: Budget
}

export const beginning = (
  place: Place,
  budget: Budget,
  told: Pick<ShellState, "outputOf" | "listedBy"> = {}
): ShellState => {
  const user = place.home.slice(place.home.lastIndexOf("/") + 1)
  return {
    place: { ...place, project: projectIn(place.project, place.cwd, place.home) },
    cwd: place.cwd,
    before: undefined,
    left: [],
    variables: new Map([
      ["HOME", [place.home]],
      ["USER", [user]],
      ["LOGNAME", [user]],
      ["TMPDIR", ["/tmp"]],
      // What stands between words, to whoever writes a command without blanks.
      ["IFS", [" "]]
    ]),
    elements: noElements,
    references: new Map(),
    tested: new Set(),
    sure: place.environment !== undefined,
    functions: new Map(),
    secretVariables: new Set(),
    secretFiles: new Set(),
    sockets: new Set(),
    staged: new Set(),
    made: new Set(),
    saved: new Set(),
    led: new Set(),
    exported: nothingExported,
    lists: new Map(),
    containers: new Map(),
    temporaries: new Map(),
    fresh: new Set(),
    dotted: false,
    written: new Map(),
    copied: new Map(),
    linked: new Map(),
    fetched: new Set(),
    origins: new Map(),
    remote: false,
    taken: false,
    running: [],
    depth: 0,
    budget,
    ...told
  }
}

/** What is changed in the copy does not change the original: a subshell, or a command given as text. */
export const copyOf = (state: ShellState, changed: Partial<ShellState> = {}): ShellState => {
  const { budget, functions, secretVariables, variables } = state
  budget.left -= 20 + 2 * (functions.size + secretVariables.size + variables.size)
  // Nothing is walked any further then.
  if (budget.left < 0) return { ...state, ...changed }
  return {
    ...state,
    variables: new Map(variables),
    functions: new Map(functions),
    secretVariables: new Set(secretVariables),
    ...changed
  }
}

/** More than these are not remembered, since every subshell has a copy of them: what one of the others stands for nobody knows. */
const maxNames = 200

const remember = <A>({ budget }: ShellState, known: Map<string, A>, name: string, value: A): void => {
  if (known.size < maxNames || known.has(name)) known.set(name, value)
  else passOver(budget)
}

/** Each one that is set makes a copy of those that are. */
const maxElements = 50

/** The variable that a name stands for. Where names stand for each other in turn, it is none of them. */
const meantBy = ({ budget, references }: ShellState, name: string): string => {
  let meant = name
  for (let at = 0; at < references.size; at++) {
    const next = references.get(meant)
    if (next === undefined || next === "") return meant
    budget.left--
    meant = next
  }
  return meant
}

export const setReference = (state: ShellState, name: string, meant: string): void =>
  remember(state, state.references, name, meant)

export const setVariable = (state: ShellState, name: string, values: readonly string[]): void => {
  const meant = meantBy(state, name)
  // What is assigned to a reference without a variable is the variable's name.
  if (state.references.get(meant) === "") setReference(state, meant, values[0] ?? "")
  else {
    remember(state, state.variables, meant, values)
    if (state.elements.has(meant)) forgetElements(state, meant)
  }
}

const forgetElements = (state: ShellState, name: string): void => {
  const others = new Map(state.elements)
  others.delete(name)
  state.elements = others
}

/** Of an array that held `before`; the others stay what they were. Without a number it may be any of them. */
export const setElement = (
  state: ShellState,
  name: string,
  at: number | undefined,
  values: readonly string[],
  before: Elements = new Map()
): void => {
  if (at === undefined || before.size >= maxElements || state.elements.size >= maxElements) return
  state.elements = new Map(state.elements).set(meantBy(state, name), new Map([...before, [at, values]]))
}

export const setSecret = ({ budget, secretVariables }: ShellState, name: string): void => {
  if (secretVariables.size < maxNames) secretVariables.add(name)
  else if (!secretVariables.has(name)) passOver(budget)
}

export const setOrigin = (state: ShellState, name: string, origin: Origin | undefined): void => {
  if (origin === undefined) state.origins.delete(name)
  else remember(state, state.origins, name, origin)
}

/** Nobody deals with more files, folders, links or containers in one line. */
const maxThings = 1000

/** As `set` of a map. */
export const keepThing = <A>({ budget }: ShellState, known: Map<string, A>, name: string, value: A): void => {
  if (known.size < maxThings || known.has(name)) known.set(name, value)
  else passOver(budget)
}

/** As `add` of a set. */
export const keepName = ({ budget }: ShellState, known: Set<string>, name: string): void => {
  if (known.size < maxThings) known.add(name)
  else if (!known.has(name)) passOver(budget)
}

export const setFunction = (state: ShellState, name: string, body: Script): void =>
  remember(state, state.functions, name, body)

/** What `set -- …` makes of `$1`, `$2` … `$@`. `origin`: of all of them together. */
export const setArguments = (
  state: ShellState,
  args: readonly (readonly string[])[],
  origin: Origin | undefined
): void => {
  const { budget, variables } = state
  const all = args.length === 0 ? [] : firstOf(args.flat(), budget)
  budget.left -= all.length
  for (const name of positional) {
    const values = Number.isNaN(Number(name)) ? all : args[Number(name) - 1]
    if (values === undefined) variables.delete(name)
    else variables.set(name, values)
  }
  for (const name of together) setOrigin(state, name, origin)
}

const together = ["@", "*"]
const positional = [...together, ..."123456789"]

/** Goes through `inside` with `$1`, `$2` … `$@` being what a function or a script is given. */
export const withArguments = <A>(
  state: ShellState,
  args: readonly (readonly string[])[],
  origin: Origin | undefined,
  inside: () => A
): A => {
  const before = positional.map((name) => [name, state.variables.get(name)] as const)
  const origins = together.map((name) => [name, state.origins.get(name)] as const)
  setArguments(state, args, origin)
  const result = inside()
  for (const [name, one] of origins) setOrigin(state, name, one)
  for (const [name, values] of before) {
    if (values === undefined) state.variables.delete(name)
    else state.variables.set(name, values)
  }
  return result
}

export const elementsOf = (state: ShellState, name: string): Elements | undefined =>
  state.elements.size === 0 ? undefined : state.elements.get(meantBy(state, name))

export const valuesOf = (state: ShellState, name: string): readonly string[] | undefined => {
  if (name === "PWD") return [state.cwd ?? unknown]
  if (name === "OLDPWD") return [state.before ?? state.place.environment?.OLDPWD ?? unknown]
  return state.variables.get(meantBy(state, name))
}
