/** Reads a script that a shell is told to run, for what nobody ever means. */
import { shellWord, shellWords } from "../../state/shellWord.ts"
import { classify, type Judged } from "./classify.ts"
import { fileText } from "./fileText.ts"
import { unread } from "./mentioned.ts"
import { longestText } from "./recipes/Recipe.ts"
import { recipeText } from "./recipes/recipeText.ts"
import type { Place, ScriptDoes, Scripts, StartedScript } from "./rule.ts"

/** `place`: where the command that starts it is to run. */
export type ScriptLook = (started: StartedScript, place: Place) => Promise<ScriptDoes | null>

/** A longer one was not written to do one thing. */
const maxBytes = longestText

/** A script that starts one that starts one: nobody hides deeper by mistake. Nor among more than so many in all. */
const deepest = 3
const mostInAll = 12

/** `NAME=value` as a line of a shell. */
const setting = (text: string): string => {
  const at = text.indexOf("=")
  return `${text.slice(0, at)}=${shellWord(text.slice(at + 1))}`
}

/** Its first line names another reader than a shell, or it is no text. */
const isOthers = (text: string): boolean => /^#!(?![^\n]*sh\b)/.test(text) || text.includes("\0")

/**
 * Only what is blocked counts, and only where all of it was read: most scripts hold lines that nobody can judge without running them, and a
 * question about each of those would be answered yes without being read.
 */
const does = async (
  started: StartedScript,
  place: Place,
  depth: number,
  budget: { left: number }
): Promise<ScriptDoes | null> => {
  budget.left--
  const script = budget.left < 0 ? undefined : await textOf(started, place)
  if (script === undefined) return null
  const { cwd, set = [] } = started
  const text = [...set.map(setting), script.text].join("\n")
  const { files: _, links: __, ...plain } = place
  const scripts: Scripts = { seen: new Map(), wanted: new Map() }
  const blocked = (): Judged | undefined => {
    const found = classify(text, { ...plain, cwd, scripts })
    return found?.action === "block" && found.look === undefined ? found : undefined
  }
  let found = blocked()
  if (found === undefined && depth < deepest && scripts.wanted.size > 0) {
    for (const [key, started] of scripts.wanted)
      scripts.seen.set(key, await does(started, place, depth + 1, budget))
    found = blocked()
  }
  return found === undefined || found.rule === "hidden-code" || found.reason.startsWith(unread)
    ? null
    : { rule: found.rule, reason: `${script.what}: ${found.reason}` }
}

interface ScriptText {
  readonly text: string
  /** As the reason names it. */
  readonly what: string
}

/** All that is run, with what it is given before it; undefined where that is nothing, or not known as a whole. */
const textOf = async (
  { args, path, recipe, ...started }: StartedScript,
  place: Place
): Promise<ScriptText | undefined> => {
  if (recipe !== undefined) {
    const found = await recipeText(path, recipe, args ?? [], place.project)
    if (found === undefined) return undefined
    const name = recipe.names.length === 0 ? "The first recipe" : `The recipe ${recipe.names.join(" ")}`
    const { folder } = found
    const text = folder === started.cwd ? found.text : `cd ${shellWord(folder)}\n${found.text}`
    return { text, what: `${name.slice(0, 80)} of ${found.file}` }
  }
  const script = await fileText(path, maxBytes)
  if (script === undefined || !script.isWhole || isOthers(script.text)) return undefined
  const before = args === undefined ? "" : `set -- ${shellWords(args)}\n`
  return { text: before + script.text, what: `The script ${path}` }
}

export const scriptLook: ScriptLook = (started, place) => does(started, place, 1, { left: mostInAll })
