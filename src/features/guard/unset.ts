/** Paths that begin with a variable which nothing sets: what is left of them is somewhere else than their author means. */
import type { Call } from "./Call.ts"
import { normalized } from "./folders.ts"
import { isWhole } from "./project.ts"
import type { Part, Word } from "./script.ts"
import { type ShellState, valuesOf } from "./shellState.ts"

/** Shells and agents set these themselves. */
const ofShells =
  /^(?:BASH\w*|ZSH\w*|RANDOM|SECONDS|LINENO|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|E?UID|GROUPS|PPID|PWD|OLDPWD|SHLVL|SHELL|PATH|COLUMNS|LINES|OPTARG|OPTIND|REPLY|FUNCNAME|PIPESTATUS|EPOCH\w*|TERM|LANG|LC_\w+|DISPLAY|XDG_\w+|CI_\w+|GITHUB_\w+|RUNNER_\w+|CLAUDE_\w+)$/

const isUnset = (part: Part, state: ShellState): boolean =>
  part.kind === "variable" &&
  /^[A-Za-z_]\w*$/.test(part.name) &&
  part.change === undefined &&
  part.fallback === undefined &&
  part.required !== true &&
  valuesOf(state, part.name) === undefined &&
  !state.tested.has(part.name) &&
  !ofShells.test(part.name) &&
  (state.place.environment?.[part.name] ?? "") === ""

/** `test -n "$X"`, `[ -z "$X" ]`, `: "${X:?}"`: whoever asks does not take it for granted. */
export const noteTested = ({ name, state, words = [] }: Call): void => {
  if (!state.sure || !/^(?:test|\[|:)$/.test(name)) return
  for (const part of words.flat())
    if (part.kind === "variable" && state.tested.size < 50) state.tested.add(part.name)
}

/** Everything in a folder, as a shell's pattern says it. */
const everything = /\/(?:\*|\.\*|\{\*,\.\*\})?$/

/**
 * The variable, where a path is all of the system or one of its folders without its value. Anything deeper is rarely there: to
 * ask about each variable that is set elsewhere would only teach people to say yes.
 */
export const emptiedBy = (
  word: Word,
  state: ShellState
): { readonly name: string; readonly path: string } | undefined => {
  if (!state.sure) return undefined
  const [head, ...rest] = word.filter((part) => part.kind !== "text" || part.text !== "")
  if (head === undefined || head.kind !== "variable" || !isUnset(head, state)) return undefined
  let text = ""
  for (const part of rest) {
    if (part.kind === "text") text += part.text
    else if (!isUnset(part, state)) return undefined
  }
  if (!text.startsWith("/")) return undefined
  const path = normalized(text.replace(everything, "/"))
  return isWhole(path, normalized(state.place.home)) ? { name: head.name, path } : undefined
}
