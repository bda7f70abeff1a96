/** Clones, worktrees and repositories that a line made itself: nothing in them is anybody's loss. */
import { type Call, readOptions } from "../Call.ts"
import { first } from "../expand.ts"
import { within } from "../folders.ts"
import { absolute, isTemporary } from "../paths.ts"
import { unknown } from "../script.ts"
import { isReplaced, madeAround } from "../temporaries.ts"
import type { Git } from "./gitCall.ts"

/** What a clone is put into that nobody gave a name: the last of where it comes from. */
const namedAfter = (from: string | undefined): string | undefined =>
  /([\w-][\w.-]*?)(?:\.git)?\/*$/.exec((from ?? "").slice(-200))?.[1]

/** Where a clone, a worktree or a repository is made. */
const placeMade = ({ args, call, folder, texts, verb }: Git): string | undefined => {
  const { flags, operands } = readOptions(verb === "worktree" ? args.slice(1) : args, "bBjo")
  if ([...flags].some((flag) => /^--(?:separate-git-dir|reason)/.test(flag))) return undefined
  const [one, another] = operands.map(first)
  const inside = { ...call.state, cwd: folder }
  const isFresh = folder !== undefined && madeAround(folder, call.state) !== undefined
  if (verb === "worktree") return texts[0] === "add" && one !== undefined ? absolute(one, inside) : undefined
  if (verb === "clone" && another !== undefined) return absolute(another, inside)
  const name = verb === "clone" ? namedAfter(one) : undefined
  if (name !== undefined) return isFresh ? absolute(name, inside) : undefined
  // A repository that is there already keeps all that is in it.
  const begun = verb === "init" ? absolute(one ?? ".", inside) : undefined
  return begun !== undefined && isTemporary(begun, call.state) && madeAround(begun, call.state) !== undefined
    ? begun
    : undefined
}

/** A worktree or a clone that was made a moment ago holds nothing that is not elsewhere. */
export const remember = (git: Git): void => {
  const { call, folder, texts, verb } = git
  const saves = verb === "commit" || (verb === "stash" && /^(?:push|save|-.*|)$/.test(texts[0] ?? ""))
  if (saves && folder !== undefined && call.state.saved.size < 20) call.state.saved.add(folder)
  const path = placeMade(git)
  const isOpen = path === undefined || path.includes(unknown) || /[*?[]/.test(path)
  if (
    !isOpen &&
    call.state.made.size < 20 &&
    !within(call.state.place.project, path) &&
    !within(call.state.place.home, path)
  )
    call.state.made.add(path)
}

/** It takes its history or its files from where a variable says. */
const takesOthers = ({ state }: Call): boolean =>
  ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE"].some((name) =>
    state.variables.get(name)?.some((value) => value !== "")
  )

/** The line made what lies there, and nothing else took its place. */
export const isMadeHere = (folder: string, call: Call): boolean =>
  call.state.made.has(folder) && !isReplaced(folder, call.state) && !takesOthers(call)

/** `git worktree remove x` of such a one. */
export const isWorktreeMadeHere = ({ args, call, folder }: Git): boolean => {
  const [, one, another] = readOptions(args).operands
  const path = one === undefined ? undefined : absolute(first(one), { ...call.state, cwd: folder })
  return another === undefined && path !== undefined && isMadeHere(path, call)
}
