/** Recipes whose file the line itself gives: on standard input, as `<(…)`, or written a moment before. */
import { shellWord } from "../../../state/shellWord.ts"
import type { Call } from "../Call.ts"
import { type Argument, first } from "../expand.ts"
import { scriptText } from "../input.ts"
import { taskfileNames } from "./includedTasks.ts"
import { readJustfile } from "./justfile.ts"
import { readMakefile } from "./makefile.ts"
import type { RecipeReader } from "./Recipe.ts"
import { startedRecipe } from "./startedRecipe.ts"
import { readTaskfile } from "./taskfile.ts"

interface Kind {
  /** What names the file. */
  readonly option: RegExp
  readonly files: readonly string[]
  readonly read: RecipeReader
}

const make: Kind = {
  option: /^(?:-[a-zA-Z]*?f|--(?:file|makefile)(?:=|$))/,
  files: ["GNUmakefile", "makefile", "Makefile"],
  read: readMakefile
}
const task: Kind = { option: /^(?:-t|--taskfile(?:=|$))/, files: taskfileNames, read: readTaskfile }

const kinds: Readonly<Record<string, Kind>> = {
  make,
  gmake: make,
  just: {
    option: /^(?:-f|--justfile(?:=|$))/,
    files: ["justfile", "Justfile", ".justfile"],
    read: readJustfile
  },
  task,
  "go-task": task
}

const argument = (text: string): Argument => ({ values: [text], word: [] })

interface Given {
  readonly text: string
  /** The same call with a name for the file, where it has none. */
  readonly call: Call
}

const givenIn = (call: Call, { files, option }: Kind): Given | undefined => {
  const at = call.args.findIndex((arg) => option.test(first(arg)))
  if (at >= 0) {
    const rest = first(call.args[at] as Argument).replace(option, "")
    const file = rest === "" ? call.args[at + 1] : argument(rest)
    const text = file === undefined ? undefined : scriptText(call, file)
    if (text === undefined || rest !== "") return text === undefined ? undefined : { text, call }
    return { text, call: { ...call, args: call.args.with(at + 1, argument("/dev/stdin")) } }
  }
  if (call.state.written.size === 0) return undefined
  for (const name of files) {
    const text = scriptText(call, argument(name))
    if (text !== undefined) return { text, call }
  }
  return undefined
}

/** What is started of such a file, as lines of a shell. Undefined where it is another file, or nobody can tell what is started. */
export const givenRecipe = (call: Call): string | undefined => {
  const kind = Object.hasOwn(kinds, call.name) ? kinds[call.name] : undefined
  const given = kind && givenIn(call, kind)
  if (kind === undefined || given === undefined) return undefined
  call.state.budget.left -= given.text.length
  const { args = [], folders = [], recipe } = startedRecipe(given.call) ?? {}
  const [folder] = folders
  const text = recipe && kind.read(given.text, recipe, args)?.text
  if (text === undefined || folder === undefined) return undefined
  return folder === call.state.cwd ? text : `cd ${shellWord(folder)}\n${text}`
}
