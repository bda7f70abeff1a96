/** Whether a command brings out a secret, and whether a word carries one. */

import { nameOf, readOptions } from "./Call.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { absolute } from "./paths.ts"
import type { Pipeline, Script, Stage, Word } from "./script.ts"
import { isSecretName, isSecretPath, isSecretVariable } from "./secretPaths.ts"
import { tellsSecret } from "./secretTellers.ts"
import { keepName, type ShellState, setSecret } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

const readers = new Set(
  (
    "cat tac head tail less more base64 base32 xxd od hexdump strings gzip bzip2 xz zstd tar zip openssl gpg sed awk grep " +
    "egrep rg cut sort uniq tr jq dd cp mv ln install python node perl"
  ).split(" ")
)

export const isSecretFile = (path: string, state: ShellState): boolean => {
  if (state.remote) return false
  const place = absolute(path, state) ?? path
  return state.secretFiles.has(place) || isSecretPath(path.startsWith("/") ? place : path)
}

const dumps = (name: string, texts: readonly string[]): boolean => {
  const operands = texts.filter((text) => !text.startsWith("-"))
  if (name === "printenv") return operands.length === 0 || operands.some(isSecretVariable)
  if (name === "env") return operands.every((text) => text.includes("="))
  if (name === "set") return texts.length === 0
  if (name === "export" || name === "declare" || name === "typeset")
    return operands.length === 0 && (texts.length > 0 || name === "export")
  return false
}

/** What this one command puts out, not looking at what it is given. */
const tells = (stage: Stage, state: ShellState): boolean => {
  state.budget.left -= 20 + stage.words.length
  if (state.budget.left < 0) return false
  const fromFile = stage.redirects.some(
    ({ operator, target }) =>
      operator === "<" && expand(target, state).some((path) => isSecretFile(path, state))
  )
  if (fromFile) return true
  if (stage.inner !== undefined) return stage.inner.some((pipeline) => carries(pipeline, state))
  const command = unwrap(argumentsOf(stage.words, state), state.budget)
  if (command === undefined) return false
  const { name, args } = command
  const texts = args.map(first)
  if (dumps(name, texts)) return true
  if (tellsSecret(name, texts)) return true
  if (name === "echo" || name === "printf") return args.some(({ word }) => carriesSecret(word, state))
  return (
    readers.has(name) &&
    args.some(({ values }) => values.some((value) => isSecretFile(unlabelled(value), state)))
  )
}

/** `if=x` of dd. */
const unlabelled = (text: string): string => (text.startsWith("if=") ? text.slice(3) : text)

/** Commands between that let nothing of it through. */
const stops = new Set(["wc", "md5sum", "sha256sum", "sha1sum", "shasum"])

export const carries = (pipeline: Pipeline, state: ShellState): boolean => {
  const last = pipeline.findLastIndex((stage) => tells(stage, state))
  return (
    last >= 0 &&
    !pipeline.slice(last + 1).some(({ words }) => stops.has(nameOf(expand(words[0] ?? [], state)[0] ?? "")))
  )
}

const prints = (script: Script, state: ShellState): boolean =>
  script.some((pipeline) => carries(pipeline, state))

/** Stands, among variables that hold a secret, for those of a file that was read into the shell: nobody knows their names. */
const anySourced = "."

/** `source .env`: what is in it is in the shell's variables from here on, or in those of `inside`. */
export const followSourced = (args: readonly Argument[], state: ShellState, inside = state): void => {
  if (args.slice(0, 1).some(({ values }) => values.some((value) => isSecretFile(value, state))))
    setSecret(inside, anySourced)
}

/** Whether what a word comes to holds a secret: a substitution that reads one, or a variable. */
export const carriesSecret = (word: Word, state: ShellState): boolean => {
  state.budget.left -= word.length
  return word.some((part) => {
    if (state.budget.left < 0) return false
    if (part.kind === "output") return prints(part.script, state)
    if (part.kind === "variable")
      return (
        state.secretVariables.has(part.name) ||
        isSecretVariable(part.name) ||
        (state.secretVariables.has(anySourced) && isSecretName(part.name))
      )
    return false
  })
}

const copiers = new Set("cp mv ln install tar zip gpg openssl gzip rsync".split(" "))

/** Remembers where a secret was copied to. */
export const follow = (pipeline: Pipeline, state: ShellState): void => {
  if (state.remote) return
  const remember = (text: string): void => {
    const path = absolute(text, state)
    if (path !== undefined && !path.startsWith("/dev/")) keepName(state, state.secretFiles, path)
  }
  const written = pipeline.flatMap(({ redirects }) =>
    redirects.filter(({ operator }) => /^>[>|]?$/.test(operator))
  )
  if (written.length > 0 && carries(pipeline, state))
    for (const { target } of written) for (const path of expand(target, state)) remember(path)
  for (const [at, stage] of pipeline.entries()) {
    const command = unwrap(argumentsOf(stage.words, state), state.budget)
    if (command === undefined) continue
    // They write what they read, and `tee` hands it on.
    if (/^(?:tee|sponge)$/.test(command.name) && carries(pipeline.slice(0, at + 1), state))
      for (const arg of readOptions(command.args).operands) remember(first(arg))
    if (!copiers.has(command.name) || !tells(stage, state)) continue
    for (const arg of readOptions(command.args).operands) remember(first(arg))
    if (command.name === "tar") for (const arg of command.args) remember(first(arg))
  }
}
