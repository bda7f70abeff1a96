/** What a shell knows while a command line runs, as far as reading it tells. */
import type { Place } from "./rule.ts"
import { type Budget, unknown } from "./script.ts"

export interface ShellState {
  readonly place: Place
  /** Undefined once nobody can tell. */
  cwd: string | undefined
  /** Every value that a variable may have. */
  readonly variables: Map<string, readonly string[]>
  /** Variables that hold a secret, and files that one was copied to. */
  readonly secretVariables: Set<string>
  readonly secretFiles: Set<string>
  /** On another machine: its files are not ours, and nothing of it is the project. */
  readonly remote: boolean
  /** How deep in commands that are given as text. */
  readonly depth: number
  readonly budget: Budget
}

export const beginning = (place: Place, budget: Budget): ShellState => {
  const user = place.home.slice(place.home.lastIndexOf("/") + 1)
  return {
    place,
    cwd: place.cwd,
    variables: new Map([
      ["HOME", [place.home]],
      ["USER", [user]],
      ["LOGNAME", [user]],
      ["TMPDIR", ["/tmp"]]
    ]),
    secretVariables: new Set(),
    secretFiles: new Set(),
    remote: false,
    depth: 0,
    budget
  }
}

/** What is changed in the copy does not change the original: a subshell, or a command given as text. */
export const copyOf = (state: ShellState, changed: Partial<ShellState> = {}): ShellState => ({
  ...state,
  variables: new Map(state.variables),
  secretVariables: new Set(state.secretVariables),
  ...changed
})

/** More than these are not remembered: every subshell has a copy of them. */
const mostVariables = 200

export const setVariable = (state: ShellState, name: string, values: readonly string[]): void => {
  if (state.variables.size < mostVariables || state.variables.has(name)) state.variables.set(name, values)
}

export const valuesOf = (state: ShellState, name: string): readonly string[] | undefined => {
  if (name === "PWD") return [state.cwd ?? unknown]
  return state.variables.get(name)
}
