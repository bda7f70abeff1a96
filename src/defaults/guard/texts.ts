/** The command lines that commands are given as text, or start, and what they change in their shell. */
import type { Call } from "./Call.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { absolute } from "./paths.ts"
import { unknown } from "./script.ts"
import { carriesSecret } from "./secretSources.ts"
import { type ShellState, setVariable } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

export const joinedTexts = (args: readonly Argument[]): string => args.map(first).join(" ")

export const assign = (args: readonly Argument[], state: ShellState): void => {
  for (const { values, word } of args) {
    const [text = ""] = values
    const equals = text.indexOf("=")
    if (equals <= 0) continue
    const name = text.slice(0, equals)
    setVariable(
      state,
      name,
      values.map((value) => value.slice(equals + 1))
    )
    if (carriesSecret(word, state)) state.secretVariables.add(name)
  }
}

/** What a shell reads as its commands from standard input. */
const standardInput = ({ redirects, state, upstream }: Call): string | undefined => {
  const given = redirects.find(({ operator }) => operator.startsWith("<<"))
  if (given) return expand(given.target, state)[0]
  const [source, second] = upstream
  if (source === undefined || second !== undefined) return undefined
  const heredoc = source.redirects.find(({ operator }) => operator.startsWith("<<"))
  const { name = "", args = [] } = unwrap(argumentsOf(source.words, state)) ?? {}
  if (name === "echo" || name === "printf")
    return joinedTexts(args.filter((arg) => !/^-[neE]+$/.test(first(arg))))
  return name === "cat" && heredoc ? expand(heredoc.target, state)[0] : undefined
}

export const shellText = (call: Call): string | undefined => {
  const texts = call.args.map(first)
  const at = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/.test(text))
  if (at >= 0) return texts.slice(at + 1).find((text) => !/^[-+]\w/.test(text))
  return texts.every((text) => text.startsWith("-")) ? standardInput(call) : undefined
}

const sshValued = "BbcDEeFIiJLlmOopQRSWw"

export const remoteText = (args: readonly Argument[]): string => {
  let at = 0
  for (; at < args.length && first(args[at] as Argument).startsWith("-"); at++) {
    const text = first(args[at] as Argument)
    if (text.length === 2 && sshValued.includes(text[1] as string)) at++
  }
  return joinedTexts(args.slice(at + 1))
}

/** What `find … -exec` starts, each up to its end. */
export const executed = (args: readonly Argument[]): readonly (readonly Argument[])[] => {
  const commands: Argument[][] = []
  let current: Argument[] | undefined
  for (const arg of args) {
    const text = first(arg)
    if (current !== undefined && (text === ";" || text === "+")) current = undefined
    else if (current !== undefined) current.push(text === "{}" ? { ...arg, values: [unknown] } : arg)
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      current = []
      commands.push(current)
    }
  }
  return commands
}

export const changeDirectory = (args: readonly Argument[], state: ShellState): void => {
  const target = args.map(first).find((text) => text === "-" || !text.startsWith("-"))
  if (target === undefined) state.cwd = state.place.home
  else state.cwd = target === "-" || target.includes(unknown) ? undefined : absolute(target, state)
}
