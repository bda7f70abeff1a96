/** Files that this command line writes, where it says itself what is in them: a script that is written first and started then. */
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { fileText, pipedText } from "./input.ts"
import { absolute } from "./paths.ts"
import { type Pipeline, unknown } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

/** More than these are not remembered. */
const maxFiles = 50

const keep = (file: string, text: string | undefined, adds: boolean, state: ShellState): void => {
  const path = file.includes(unknown) ? undefined : absolute(file, state)
  if (path === undefined || state.written.size >= maxFiles) return
  const before = adds ? state.written.get(path) : undefined
  if (text !== undefined) state.written.set(path, before === undefined ? text : `${before}\n${text}`)
  // What is there now nobody can tell.
  else if (!adds) state.written.delete(path)
}

const targetsOf = (args: readonly Argument[]): readonly string[] =>
  args.map(first).filter((text) => !text.startsWith("-"))

/** A copy, or another name for it. */
const followCopy = (args: readonly Argument[], state: ShellState): void => {
  const [given, target] = args.filter((arg) => !first(arg).startsWith("-"))
  const from = given && first(given)
  const to = target && first(target)
  const source = from === undefined || from.includes(unknown) ? from : absolute(from, state)
  const text =
    source === undefined ? undefined : (fileText(given?.word ?? [], state) ?? state.written.get(source))
  if (text !== undefined && to !== undefined && source !== undefined)
    keep(/\/$|(?:^|\/)\.{1,2}$/.test(to) ? `${to}/${source.replace(/^.*\//, "")}` : to, text, false, state)
}

export const followWritten = (pipeline: Pipeline, state: ShellState): void => {
  const last = pipeline.at(-1)
  if (last === undefined) return
  const writes = last.redirects.filter(({ operator }) => /^&?>{1,2}\|?$/.test(operator))
  const { args = [], name = "" } =
    last.words.length === 0 ? {} : (unwrap(argumentsOf(last.words, state)) ?? {})
  if (writes.length === 0 && name !== "tee") {
    if (/^(?:cp|mv|ln|install)$/.test(name)) followCopy(args, state)
    return
  }
  const text = pipedText(pipeline, state)
  for (const { operator, target } of writes)
    keep(expand(target, state)[0] ?? "", text, operator.includes(">>"), state)
  if (name === "tee") {
    const adds = args.some((arg) => /^-\w*a|^--append/.test(first(arg)))
    for (const file of targetsOf(args)) keep(file, text, adds, state)
  }
}
