/** What a command starts, or changes in its shell, once every rule was asked about the command itself. */
import { type Call, textsOf } from "./Call.ts"
import { containedIn } from "./container.ts"
import { followRename } from "./containerRenamed.ts"
import { evaluatedTexts } from "./evaluated.ts"
import { type Argument, first } from "./expand.ts"
import { followExport } from "./exported.ts"
import { formatted } from "./formatted.ts"
import { writtenText } from "./input.ts"
import { isKnown, optionCommands, programOf } from "./interpreters.ts"
import { followListed } from "./packs/gitListed.ts"
import { followLed } from "./packs/led.ts"
import { followOrigin } from "./packs/remoteCode.ts"
import { readLines } from "./readLines.ts"
import { remoteCommand } from "./remote.ts"
import type { Verdict } from "./rule.ts"
import { firstOf, passOver, unknown } from "./script.ts"
import { followSourced } from "./secretSources.ts"
import { defineAliases, setDotted, startsDotted } from "./shellSettings.ts"
import { copyOf, type ShellState, setVariable } from "./shellState.ts"
import { walkExecuted } from "./startedByFind.ts"
import { walkGitAlias, walkRunVariables } from "./startedBySettings.ts"
import { walkContained, walkRemote } from "./startedElsewhere.ts"
import { walkProgram, walkScript } from "./startedProgram.ts"
import {
  assign,
  changeDirectory,
  joinedTexts,
  makeLink,
  parallelText,
  popDirectory,
  pushDirectory,
  refer,
  setPositional,
  shellText,
  sourcedText,
  tmuxText,
  unset,
  watchexecText,
  watchText
} from "./texts.ts"
import { scriptDoes } from "./toldScript.ts"
import { unwrap } from "./unwrap.ts"
import { deepestText, shells, type Walker } from "./Walker.ts"

/** As a script ends, it ends what it started: its own group, and no other. */
const ownGroup = /\bkill\s+(?:-\w+\s+)?(?:--\s+)?0(?=\s*(?:$|[;&|\n]))/g

/** What is run may be what was too long to be worked out. */
const notePart = (text: string | undefined, { budget }: ShellState): void => {
  if (budget.cut && text?.includes(unknown)) passOver(budget)
}

export const startedBy = (call: Call, walker: Walker): Verdict | undefined => {
  const { args, name, state } = call
  const inner = (
    text: string | undefined,
    changed: Partial<ShellState> = {},
    given?: readonly Argument[]
  ) => {
    notePart(text, state)
    return text === undefined || text === "" ? undefined : walker.text(text, state, changed, given)
  }
  const here = (text: string | undefined): Verdict | undefined => {
    notePart(text, state)
    if (text === undefined || text.includes(unknown)) state.sure = false
    return text === undefined || text === "" ? undefined : walker.here(text, state)
  }
  notePart(name, state)
  if (state.functions.has(name)) return walker.definition(call)
  const line = inner(call.line)
  if (line) return line
  for (const text of optionCommands(call)) {
    const found = isKnown(text) ? inner(text) : undefined
    if (found) return found
  }
  for (const text of evaluatedTexts(call)) {
    const found = inner(text)
    if (found) return found
  }
  followLed(call)
  followRename(call)
  const remote = remoteCommand(call)
  if (remote !== undefined) return walkRemote(remote, call, walker)
  const contained = containedIn(call)
  if (contained !== undefined) return walkContained(contained, call, walker)
  if (name === "git") {
    const found = walkGitAlias(call, walker)
    if (found) return found
  }
  const program = programOf(call)
  if (program !== undefined && isKnown(program)) return walkProgram(program, call, walker)
  const written = call.path?.includes("/") ? writtenText(call.path, state) : undefined
  if (written !== undefined) return walkScript(written, call, walker)
  const does = walker.verdict(scriptDoes(call, shells.has(name)))
  if (does) return does
  if (shells.has(name)) {
    const { text, args: given } = shellText(call)
    return inner(text, startsDotted(args) ? { dotted: true } : {}, given)
  }
  switch (name) {
    case "cd":
      changeDirectory(args, state)
      return undefined
    case "pushd":
      pushDirectory(args, state)
      return undefined
    case "popd":
      popDirectory(args, state)
      return undefined
    case "for": {
      const [variable, , ...values] = args
      if (variable === undefined) return undefined
      setVariable(
        state,
        first(variable),
        firstOf(
          values.flatMap((value) => value.values),
          state.budget
        )
      )
      followOrigin(first(variable), values.length === 1 ? values.map(({ word }) => word) : [], state)
      followListed(
        first(variable),
        values.map(({ word }) => word),
        state
      )
      return undefined
    }
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      if (name !== "export" && refer(args, state)) return undefined
      assign(args, state)
      if (name === "export") followExport(args, state)
      if (args.some((arg) => first(arg).startsWith(unknown))) state.sure = false
      return walkRunVariables(args, call, walker)
    case "ln":
      makeLink(args, state)
      return undefined
    case "unset":
      unset(args, state)
      return undefined
    case "printf":
      if (textsOf(args)[0] === "-v" && args[1] !== undefined)
        setVariable(state, first(args[1]), [formatted(textsOf(args.slice(2))).trimEnd()])
      return undefined
    case "alias":
      defineAliases(args, state)
      return undefined
    case "read":
    case "mapfile":
    case "readarray":
      readLines(call)
      return undefined
    case "eval":
      return here(args.length === 1 ? args[0]?.values.join("\n") : joinedTexts(args))
    case "source":
    case ".":
      followSourced(args, state)
      return here(sourcedText(call))
    case "shopt":
    case "setopt":
    case "unsetopt":
      setDotted(call)
      return undefined
    case "set":
      setPositional(args, state)
      if (/(?:^| )-\w*u|nounset/.test(joinedTexts(args))) state.sure = false
      return undefined
    case "watchexec":
      return inner(watchexecText(args))
    case "watch":
      return inner(watchText(args))
    case "tmux":
      return inner(tmuxText(args))
    case "parallel": {
      const { text, args: given, fed } = parallelText(args)
      if (fed === undefined) return inner(text, {}, given)
      if (state.depth >= deepestText) return passOver(state.budget)
      const command = unwrap(fed, state.budget)
      const inside = { ...call, state: copyOf(state, { depth: state.depth + 1 }) }
      return command && walker.call({ ...inside, ...command, fed: true })
    }
    case "trap":
      // By then more is set than here.
      return inner(args[0] && first(args[0]).replace(ownGroup, ":"), { sure: false })
    case "su": {
      const at = args.findIndex((arg) => /^-\w*c$|^--command$/.test(first(arg)))
      return at < 0 ? undefined : inner(args[at + 1] && first(args[at + 1] as Argument))
    }
    case "env":
      return undefined
    case "find":
    case "fd":
    case "fdfind":
      return walkExecuted(call, walker)
    default:
      return undefined
  }
}
