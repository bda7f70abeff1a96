/** What a shell is set to: its aliases, and whether its patterns take in names that begin with a dot. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { parse } from "./parse.ts"
import { type ShellState, setFunction } from "./shellState.ts"

/** An alias is a function of one line. */
export const defineAliases = (args: readonly Argument[], state: ShellState): void => {
  for (const arg of args) {
    const [, name = "", text = ""] = /^([\w.-]+)=(.+)$/s.exec(first(arg)) ?? []
    if (name !== "" && !new RegExp(`^(?:\\w+ )*${name.replaceAll(/[.-]/g, "\\$&")}\\b`).test(text))
      setFunction(state, name, parse(`${text} "$@"`, state.budget))
  }
}

const dots = /^(?:dot_?glob|glob_?dots)$/i

export const startsDotted = (args: readonly Argument[]): boolean =>
  args.some((arg, at) => dots.test(first(arg)) && /^[-+]O$/.test(first(args[at - 1] ?? arg)))

export const setDotted = ({ args, name, state }: Call): void => {
  const texts = args.map(first)
  if (!texts.some((text) => dots.test(text))) return
  state.dotted = name === "setopt" || (name === "shopt" && texts.some((text) => /^-\w*s/.test(text)))
}
