/** Looks at a working tree for the rules that depend on it, with a git that starts nothing which the repository brings. */
import { realpath } from "node:fs/promises"
import type { Environment } from "../../state/callEnvironment.ts"
import { git } from "../../trust/git.ts"
import { classify, type Judged } from "./classify.ts"
import { within } from "./folders.ts"
import { type FileDoes, fileDoes } from "./lookFile.ts"
import { type ScriptLook, scriptLook } from "./lookScript.ts"
import type { Files, Links, Place, Scripts } from "./rule.ts"
import { readTree, type TreeState } from "./tree.ts"

/** `git status` of a directory, or undefined where there is no answer. */
export type GitStatus = (folder: string) => Promise<StatusAnswer | undefined>

export type StatusAnswer = {
  readonly exitCode: number | null
  readonly stdout: string
  readonly truncated: boolean
}

/** So long may one look take; a tree that takes longer is asked about. */
const lookMs = 2000
const maxBytes = 262_144

/** A directory that is not there, or that cannot be entered, has no answer: the human is asked, and nothing fails. */
const unanswered: StatusAnswer = { exitCode: null, stdout: "", truncated: false }

export const gitStatus = (folder: string, callEnvironment?: Environment): Promise<StatusAnswer> =>
  git(
    folder,
    ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignored=traditional", "--no-renames"],
    { timeout: lookMs, maxOutput: maxBytes, ...(callEnvironment === undefined ? {} : { callEnvironment }) }
  ).then(
    ({ exitCode, stdout, truncated }) => ({ exitCode, stdout, truncated }),
    () => unanswered
  )

export const lookAt = async (ask: GitStatus, folder: string): Promise<TreeState | null> => {
  const status = await ask(folder)
  if (status === undefined || status.exitCode !== 0 || status.truncated) return null
  return readTree(status.stdout) ?? null
}

/** More directories than these nobody throws work away in with one command. */
const maxLooks = 4

/** Where a folder of a project really lies: its own path, unless a link leads out of the project. */
export type RealFolder = (folder: string, project: string) => Promise<string>

export const realFolder: RealFolder = async (folder, project) => {
  try {
    const [real, own] = await Promise.all([realpath(folder), realpath(project)])
    return within(real, own) ? folder : real
  } catch {
    // What is not there leads nowhere.
    return folder
  }
}

export interface Unseen {
  readonly files: Files
  readonly links: Links
  readonly scripts: Scripts
  readonly wantedTrees: Set<string>
}

export const unseen = (): Unseen => ({
  files: { seen: new Map(), wanted: new Map() },
  links: { seen: new Map(), wanted: new Set() },
  scripts: { seen: new Map(), wanted: new Map() },
  wantedTrees: new Set()
})

export const isNothingWanted = ({ files, links, scripts, wantedTrees }: Unseen): boolean =>
  wantedTrees.size === 0 && links.wanted.size === 0 && files.wanted.size === 0 && scripts.wanted.size === 0

/** Whether no rule has a word on a command, told without a look at the disk: nothing of what it names would have to be followed. */
export const isCleared = (command: string, place: Place): boolean => {
  const nothing = unseen()
  return classify(command, { ...place, ...nothing }) === undefined && isNothingWanted(nothing)
}

/** As `classify`, and where a rule depends on a working tree, on where a link leads or on what is in a file or a script, with a look at it. */
export const classifyLooking = async (
  command: string,
  place: Place,
  ask: GitStatus,
  follow: RealFolder = realFolder,
  lookInto: FileDoes = fileDoes,
  lookScript: ScriptLook = scriptLook
): Promise<Judged | undefined> => {
  const trees = new Map<string, TreeState | null>(place.trees)
  const { files, links, scripts, wantedTrees } = unseen()
  for (let looks = 0; ; looks++) {
    links.wanted.clear()
    files.wanted.clear()
    scripts.wanted.clear()
    wantedTrees.clear()
    const verdict = classify(command, { ...place, trees, files, links, scripts, wantedTrees })
    const leads = verdict?.action === "block" ? [] : [...links.wanted]
    for (const folder of leads) links.seen.set(folder, await follow(folder, place.project))
    const told = verdict === undefined ? [...files.wanted] : []
    for (const [path, language] of told) files.seen.set(path, await lookInto(path, language))
    const run = verdict?.action === "block" ? [] : [...scripts.wanted]
    for (const [key, started] of run) scripts.seen.set(key, await lookScript(started, place))
    // Where the human is asked anyway, no further look is worth its time.
    const unlooked = verdict === undefined || verdict.look !== undefined ? [...wantedTrees] : []
    for (const folder of unlooked) trees.set(folder, await lookAt(ask, folder))
    const isNew =
      unlooked.length > 0 ||
      leads.some((folder) => links.seen.get(folder) !== folder) ||
      told.some(([path]) => files.seen.get(path) !== "") ||
      run.some(([key]) => scripts.seen.get(key) !== null)
    if (isNew && looks < maxLooks) continue
    if (verdict?.look === undefined || looks >= maxLooks || trees.has(verdict.look)) return verdict
    trees.set(verdict.look, await lookAt(ask, verdict.look))
  }
}
