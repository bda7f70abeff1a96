/** Reads a script that a shell is told to run, for what nobody ever means. */
import { shellWord, shellWords } from "../../state/shellWord.ts"
import { classify, type Judged } from "./classify.ts"
import { fileText } from "./fileText.ts"
import { Looked } from "./recipes/Looked.ts"
import type { Recipe } from "./recipes/Recipe.ts"
import { recipeText } from "./recipes/recipeText.ts"
import { type Place, type ScriptDoes, type Scripts, type StartedScript, scriptKey } from "./rule.ts"

/** `place`: where the command that starts it is to run. */
export type ScriptLook = (started: StartedScript, place: Place) => Promise<ScriptDoes | null>

/** A longer script was not written to do one thing. */
const maxBytes = 8192

/** So many are read in all of those that one starts, which start others. */
const mostInAll = 40
/** And so many where packages of a workspace are among them. */
const mostOfWorkspace = 2000

/** One look at all that is started. */
interface Looking {
  readonly place: Place
  /** By `scriptKey`. What is being read counts as nothing: it is judged already. */
  readonly seen: Map<string, ScriptDoes | null>
  /** By folder and text, the same: in other words it may be started again. */
  readonly texts: Map<string, ScriptDoes | null>
  readonly looked: Looked
  read: number
  most: number
  /** A recipe that was not read to its end, as a reason names it. */
  unread?: string
}

/** `NAME=value` as a line of a shell. */
const setting = (text: string): string => {
  const at = text.indexOf("=")
  return `${text.slice(0, at)}=${shellWord(text.slice(at + 1))}`
}

/** Its first line names another reader than a shell, or it is no text. */
const isOthers = (text: string): boolean => /^#!(?![^\n]*sh\b)/.test(text) || text.includes("\0")

/**
 * Only what is blocked counts: most scripts hold lines that nobody can judge without running them, and a question about each of those would be
 * answered yes without being read. A recipe that cannot be read to its end is asked about.
 */
const does = async (started: StartedScript, looking: Looking): Promise<ScriptDoes | null> => {
  const key = scriptKey(started)
  const before = looking.seen.get(key)
  if (before !== undefined) return before
  looking.seen.set(key, null)
  const found = await blockedIn(started, looking)
  looking.seen.set(key, found)
  return found
}

const blockedIn = async (started: StartedScript, looking: Looking): Promise<ScriptDoes | null> => {
  const { place } = looking
  const isBeyond = ++looking.read > looking.most
  if (isBeyond && started.recipe !== undefined) looking.unread ??= recipeNamed(started.recipe)
  const script = isBeyond ? undefined : await textOf(started, looking)
  if (script === undefined) return null
  if (!script.isWhole) looking.unread ??= script.what
  const { cwd, set = [] } = started
  const text = [...set.map(setting), script.text].join("\n")
  const { files: _, links: __, ...plain } = place
  const before = looking.texts.get(`${cwd}\0${text}`)
  if (before !== undefined) return before
  looking.texts.set(`${cwd}\0${text}`, null)
  const { packages = 1 } = script
  if (packages > 1) looking.most = mostOfWorkspace
  const scripts: Scripts = { seen: new Map(), wanted: new Map(), ofPackages: packages }
  const blocked = (): Judged | undefined => {
    const found = classify(text, { ...plain, cwd, scripts })
    return found?.action === "block" && found.look === undefined ? found : undefined
  }
  let found = blocked()
  if (found === undefined) {
    for (const [key, started] of scripts.wanted) scripts.seen.set(key, await does(started, looking))
    // What does no harm says nothing new.
    if ([...scripts.seen.values()].some((one) => one !== null)) found = blocked()
  }
  const harm =
    found === undefined || found.rule === "hidden-code" || found.unread === true
      ? null
      : { rule: found.rule, reason: `${script.what}: ${found.reason}` }
  looking.texts.set(`${cwd}\0${text}`, harm)
  return harm
}

interface ScriptText {
  readonly text: string
  /** As the reason names it. */
  readonly what: string
  readonly isWhole: boolean
  readonly packages?: number | undefined
}

const recipeNamed = ({ names }: Recipe): string =>
  (names.length === 0 ? "The first recipe" : `The recipe ${names.join(" ")}`).slice(0, 80)

/** What is run, with what it is given before it; undefined where that is nothing, or a script that is too long to be read. */
const textOf = async (
  { args, path, recipe, ...started }: StartedScript,
  { looked, place }: Looking
): Promise<ScriptText | undefined> => {
  if (recipe !== undefined) {
    const found = await recipeText(path, recipe, args ?? [], { ...place, looked, set: started.set ?? [] })
    if (found === undefined) return undefined
    const { folder, isWhole, packages } = found
    const text = folder === started.cwd ? found.text : `cd ${shellWord(folder)}\n${found.text}`
    return { text, what: `${recipeNamed(recipe)} of ${found.file}`, isWhole, packages }
  }
  const script = await fileText(path, maxBytes)
  if (script === undefined || !script.isWhole || isOthers(script.text)) return undefined
  const before = args === undefined ? "" : `set -- ${shellWords(args)}\n`
  return { text: before + script.text, what: `The script ${path}`, isWhole: true }
}

export const scriptLook: ScriptLook = async (started, place) => {
  const looking: Looking = {
    place,
    seen: new Map(),
    texts: new Map(),
    looked: new Looked(),
    read: 0,
    most: mostInAll
  }
  const found = await does(started, looking)
  if (found !== null || looking.unread === undefined) return found
  return {
    rule: "hidden-code",
    reason: `${looking.unread} starts more than can be read before it runs.`
  }
}
