/** What `make` starts, where the line itself says it: a makefile that is given or was written here, rules that are added, and variables that are commands. */
import { type Call, textsOf } from "./Call.ts"
import { scriptText } from "./input.ts"
import { givenRecipe } from "./recipes/givenRecipe.ts"

const makefiles = ["Makefile", "makefile", "GNUmakefile"]

const file = /^(?:-[a-zA-Z]*f|--(?:file|makefile))(?:=|$)/

const givenFiles = (call: Call, texts: readonly string[]): readonly string[] => {
  const named = texts.flatMap((text, at) => {
    if (text === "-f-") return scriptText(call, undefined) ?? []
    const [option = ""] = file.exec(text) ?? []
    if (option === "") return []
    const rest = text.slice(option.length)
    const given = rest === "" ? call.args[at + 1] : { values: [rest], word: [] }
    return given === undefined ? [] : (scriptText(call, given) ?? [])
  })
  if (texts.some((text) => file.test(text) || text === "-f-")) return named
  return makefiles.flatMap((name) => scriptText(call, { values: [name], word: [] }) ?? [])
}

const evaluating = /^(?:-E|--eval)(?:=|$)/

const evaluated = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text, at) => {
    if (!evaluating.test(text)) return []
    const rest = text.replace(evaluating, "")
    return [rest === "" ? (texts[at + 1] ?? "") : rest]
  })

/** Recipes, rules that have theirs on the same line, and what is asked of a shell while it reads. */
const commandsIn = (makefile: string): readonly string[] =>
  makefile
    .split("\n")
    .filter((line) => /^\t|^[^\t=]*:(?!=)[^;]*;|\$\(shell |^\w+\s*!=/.test(line))
    .map((line) =>
      line
        .replace(/^\t[@\-+]*/, "")
        .replace(/^.*\$\(shell (.*)\).*$/, "$1")
        .replace(/^[^\t;]*:[^;]*;/, "")
        .replace(/^\w+\s*!=/, "")
    )

/** A variable of more than one word is a command, perhaps: `SHELL='rm -rf ~ #'`. */
const assigned = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => {
    const [, name = "", value = ""] = /^([\w.]+)[:?+]{0,2}=(.*)$/s.exec(text) ?? []
    return /\s/.test(value) && name !== "MAKEFLAGS" ? [value.replaceAll("$(shell ", "$(")] : []
  })

const flags = (call: Call, texts: readonly string[]): readonly string[] =>
  [
    ...texts.flatMap((text) => /^MAKEFLAGS[:?+]?=(.+)$/s.exec(text)?.[1] ?? []),
    ...(call.state.variables.get("MAKEFLAGS") ?? [])
  ].flatMap((text) => /--eval[= ](.+)/s.exec(text)?.[1] ?? [])

/** It only says what it would run… */
const shows = /^(?:-n|--dry-run|--just-print|--recon)$/
/** …but for what it asks a shell while it reads, and lines that are marked or start another make. */
const runsAnyway = /\$[({]shell\s|^[^\t\n=]*!=|^\t[@-]*\+|\$[({]MAKE[)}]/m

export const madeBy = (call: Call): readonly string[] => {
  const texts = textsOf(call.args)
  const recipe = givenRecipe(call)
  const isShown = texts.some((text) => shows.test(text))
  const files =
    recipe === undefined ? givenFiles(call, texts).filter((text) => !isShown || runsAnyway.test(text)) : []
  const read = [...files, ...evaluated(texts), ...flags(call, texts)]
  return [...(recipe === undefined ? [] : [recipe]), ...read.flatMap(commandsIn), ...assigned(texts)]
}
