/**
 * Whether something is lost that git could not give back, told by those who look at a working tree. Without anybody who looks it is
 * nobody's matter: most of what is deleted in a project is there again after the next checkout.
 */
import { type Call, type Rule, readOptions, shown, textsOf } from "./Call.ts"
import { below, within } from "./folders.ts"
import { fitsGlob } from "./history.ts"
import { readFind } from "./listed.ts"
import { absolute } from "./paths.ts"
import type { Verdict } from "./rule.ts"
import { unknown } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { isGenerated, type TreeState } from "./tree.ts"

/** Of more directories than these nobody asks with one command. */
const maxWanted = 4

/** What a working tree says, or would say to those who look; `otherwise`: what counts where there is no answer. */
export const asksTree = (
  folder: string | undefined,
  { place, remote }: ShellState,
  loses: (tree: TreeState) => boolean,
  otherwise: boolean
): boolean => {
  const { trees, wantedTrees } = place
  if (wantedTrees === undefined) return false
  if (folder === undefined || remote) return otherwise
  const tree = trees?.get(folder)
  if (tree === undefined && wantedTrees.size < maxWanted) wantedTrees.add(folder)
  return tree === null ? otherwise : tree !== undefined && loses(tree)
}

/** What was changed there, and is there still. */
export const changedThere = ({ changed, gone }: TreeState): readonly string[] =>
  changed.filter((path) => !gone.includes(path))

/** A folder that is new as a whole somebody made for a while; what lies new beside what git holds is work. */
const losesBelow =
  (folder: string) =>
  (tree: TreeState): boolean =>
    [...changedThere(tree), ...tree.untracked].some(
      (path) => path.length > folder.length + 1 && path.startsWith(`${folder}/`) && !isGenerated(path)
    )

/** By its name a folder that a tool fills, though git may hold what is in it. */
const filled =
  /(?:^|\/)(?:_*generated_*|gen|vendor|third_party|(?:__)?snapshots(?:__)?|screenshots|test-results|playwright-report|reports?|logs?|cache|temp|artifacts|fixtures\/(?:out|tmp))$/

const isFilled = (path: string): boolean =>
  filled.test(path) ||
  filled.test(path.slice(0, Math.max(0, path.lastIndexOf("/")))) ||
  path.endsWith(".snap")

/** Folders of the project, as seen from there, that are deleted with all that is in them. */
const foldersIn = ({ args, state }: Call): readonly string[] => {
  const { flags, operands } = readOptions(args)
  const isRecursive = [...flags].some((flag) => /^(?:[rR]|--r.*)$/.test(flag))
  if (!isRecursive) return []
  const { project } = state.place
  return operands.flatMap(({ values }) =>
    values.flatMap((value) => {
      const whole = value.replace(/\/\*$/, "")
      const path = /[*?[{]/.test(whole) || whole.includes(unknown) ? undefined : absolute(whole, state)
      const isOurs = path !== undefined && below(path, project) && !below(path, `${project}/.git`)
      return isOurs ? [path.slice(project.length + 1)] : []
    })
  )
}

/** What `find` deletes of the project, chosen by name or otherwise: that which was changed is lost. */
const losesFound =
  (folders: readonly string[], names: readonly string[]) =>
  (tree: TreeState): boolean =>
    changedThere(tree).some(
      (path) =>
        folders.some((folder) => folder === "" || path.startsWith(`${folder}/`)) &&
        (names.length === 0 || names.some((name) => fitsGlob(name, path.slice(path.lastIndexOf("/") + 1)))) &&
        !isGenerated(path) &&
        !isFilled(path)
    )

const byFind = ({ args, state }: Call): Verdict | undefined => {
  const { deletes, roots } = readFind(args)
  if (!deletes(state.budget)) return undefined
  const { project } = state.place
  const folders = roots.flatMap(({ values }) =>
    values.flatMap((value) => {
      const path = value.includes(unknown) ? undefined : absolute(value, state)
      return path === undefined || !within(path, project) ? [] : [path.slice(project.length + 1)]
    })
  )
  const texts = textsOf(args)
  const names = texts.filter(
    (_, at) => /^-i?name$/.test(texts[at - 1] ?? "") && !/^(?:!|-not)$/.test(texts[at - 2] ?? "")
  )
  const isMadeAnew = folders.every(isGenerated) || (names.length > 0 && names.every(isGenerated))
  return !isMadeAnew && asksTree(project, state, losesFound(folders, names), false)
    ? { rule: "git-discard", reason: "`find` deletes files in which something was never committed." }
    : undefined
}

export const uncommitted: Rule = (call) => {
  const { name, state } = call
  if ((name !== "rm" && name !== "find") || state.container !== undefined || state.remote) return undefined
  if (state.place.wantedTrees === undefined || state.place.off?.includes("git-discard")) return undefined
  const { project } = state.place
  if (state.saved.has(project)) return undefined
  if (name === "find") return byFind(call)
  for (const folder of foldersIn(call)) {
    if (isGenerated(folder) || isFilled(folder) || !asksTree(project, state, losesBelow(folder), false))
      continue
    return {
      rule: "git-discard",
      reason: `\`rm -r\` deletes ${shown(folder)}, in which something was never committed.`
    }
  }
  return undefined
}
