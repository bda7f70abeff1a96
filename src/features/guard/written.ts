/** Files that this command line writes, where it says itself what is in them: a script that is written first and started then. */
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { fileText, pipedText } from "./input.ts"
import { absolute } from "./paths.ts"
import { type Pipeline, unknown } from "./script.ts"
import { keepThing, type ShellState } from "./shellState.ts"
import { followPut } from "./temporaries.ts"
import { unwrap } from "./unwrap.ts"

const keep = (file: string, text: string | undefined, adds: boolean, state: ShellState): void => {
  const path = file.includes(unknown) ? undefined : absolute(file, state)
  if (path === undefined) return
  // What is added to a copy leaves in it what it was made of.
  if (adds && state.copied.has(path)) return
  state.copied.delete(path)
  const before = adds ? state.written.get(path) : undefined
  if (text !== undefined)
    keepThing(state, state.written, path, before === undefined ? text : `${before}\n${text}`)
  // What is there now nobody can tell.
  else if (!adds) state.written.delete(path)
}

const targetsOf = (args: readonly Argument[]): readonly string[] =>
  args.map(first).filter((text) => !text.startsWith("-"))

/** Of more copies than these nobody knows any longer what they were made of. */
const maxCopies = 1000

/** What is in `given` is in `paths` from then on, whether the line says what that is or not. */
const copy = (given: Argument, paths: readonly string[], state: ShellState): void => {
  const from = first(given)
  const source = from.includes(unknown) ? undefined : absolute(from, state)
  const text = fileText(given.word, state) ?? (source === undefined ? undefined : state.written.get(source))
  for (const path of paths) {
    keep(path, text, false, state)
    if (text !== undefined || source === undefined) continue
    if (state.copied.size < maxCopies) state.copied.set(path, state.copied.get(source) ?? source)
    else state.budget.forgotten = true
  }
}

/** Copies, or other names for it: a value of an option counts as one more that nobody starts. */
const followCopy = (args: readonly Argument[], state: ShellState): void => {
  const given = args.filter((arg) => !first(arg).startsWith("-"))
  const target = given.pop()
  const to = target && first(target)
  if (to === undefined) return
  for (const one of given) {
    const within = `${to}/${first(one).replace(/^.*\//, "")}`
    // Whether a folder of this name is there only the disk knows.
    const targets = /\/$|(?:^|\/)\.{1,2}$/.test(to) ? [within] : [to, within]
    copy(
      one,
      targets.flatMap((path) => (path.includes(unknown) ? [] : (absolute(path, state) ?? []))),
      state
    )
  }
}

export const followWritten = (pipeline: Pipeline, state: ShellState): void => {
  const last = pipeline.at(-1)
  if (last === undefined) return
  const writes = last.redirects.filter(({ operator }) => /^&?>{1,2}\|?$/.test(operator))
  const { args = [], name = "" } =
    last.words.length === 0 ? {} : (unwrap(argumentsOf(last.words, state), state.budget) ?? {})
  followPut(name, args.map(first), state)
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
