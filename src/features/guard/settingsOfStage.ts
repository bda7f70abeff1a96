/** What stands before a command, or is given to `env` and `sudo`: set for that command, and sometimes run. */
import { type Argument, assigned, expand, first } from "./expand.ts"
import { followOrigin } from "./packs/remoteCode.ts"
import { runs } from "./runVariables.ts"
import { type Assign, plainText, type Stage } from "./script.ts"
import { carriesSecret } from "./secretSources.ts"
import { copyOf, elementsOf, type ShellState, setElement, setSecret, setVariable } from "./shellState.ts"
import { assign } from "./texts.ts"

/** Commands that set variables themselves. */
const declares = /^(?:declare|typeset|local|export|readonly)$/

const setAssigned = (one: Assign, state: ShellState): void => {
  const { index, name, value } = one
  const before = elementsOf(state, name)
  setVariable(state, name, assigned(one, state))
  if (index === undefined) return
  const [at = ""] = expand(index, state)
  setElement(state, name, /^\d{1,6}$/.test(at) ? Number(at) : undefined, expand(value, state), before)
}

/** Sets it, and gives what takes it back: it holds for this command alone, unless there is none. */
export const setBefore = ({ assigns, words }: Stage, state: ShellState): (() => void) => {
  // Its own words do not know it yet.
  const before =
    words.length === 0 || declares.test(plainText(words[0] ?? []) ?? "")
      ? []
      : assigns.map(({ name }) => [name, state.variables.get(name)] as const)
  for (const one of assigns) {
    if ([one.value, ...(one.items ?? [])].some((word) => carriesSecret(word, state)))
      setSecret(state, one.name)
    setAssigned(one, state)
    followOrigin(one.name, one.items ?? [one.value], state)
  }
  return () => {
    for (const [name, values] of before) {
      if (values === undefined) state.variables.delete(name)
      else setVariable(state, name, values)
    }
  }
}

/** `NAME=value`, with each value that it may have. */
export const settingOf = ({ items, name, value }: Assign, state: ShellState): readonly Argument[] =>
  items === undefined
    ? [
        {
          values: (state.variables.get(name) ?? [""]).map((one) => `${name}=${one}`),
          word: [{ kind: "text", text: `${name}=`, quoted: false }, ...value]
        }
      ]
    : []

/** Those of variables whose value is run. */
export const runAmong = (set: readonly Argument[]): readonly Argument[] =>
  set.filter((one) => runs(first(one).split("=", 1)[0] ?? ""))

/** What a command finds for which `env` or `sudo` set something. */
export const withSet = (set: readonly Argument[], state: ShellState): ShellState => {
  if (set.length === 0) return state
  const inside = copyOf(state)
  assign(set, inside)
  return inside
}
