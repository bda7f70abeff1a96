/** What a path on a command line means to the project: inside, outside, all of it. Nothing is looked up on the disk. */
import { isCache } from "./caches.ts"
import { below, normalized, within } from "./folders.ts"
import { onHost } from "./mounts.ts"
import type { RuleId } from "./rule.ts"
import { costOf, passOver, unknown } from "./script.ts"
import type { Container, ShellState } from "./shellState.ts"

const temporary = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders"]

/** Undefined for a relative path where nobody knows what it is relative to. */
export const absolute = (path: string, { budget, cwd }: ShellState): string | undefined => {
  budget.left -= costOf(path.length + (path.startsWith("/") ? 0 : (cwd?.length ?? 0)))
  if (budget.left < 0) return undefined
  if (path.startsWith("/")) return normalized(path)
  return cwd === undefined || cwd.includes(unknown) ? undefined : normalized(`${cwd}/${path}`)
}

/**
 * Where a program finds what is there under this path: who goes up from a link comes out beside the link, or beside what it leads to, as
 * the one who follows it has it.
 */
export const placesOf = (path: string, state: ShellState): readonly string[] => {
  const place = absolute(path, state)
  if (place === undefined) return []
  return /(?:^|\/)\.\.(?:\/|$)/.test(path)
    ? [place, path.startsWith("/") ? path : `${state.cwd}/${path}`]
    : [place]
}

const isAllowed = (path: string, { made, place, temporaries }: ShellState): boolean =>
  isCache(path, place.home) ||
  [...made, ...temporaries.values()].some((folder) => within(path, folder)) ||
  (place.allow ?? []).some((folder) => within(path, normalized(folder.replace(/^~(?=\/|$)/, place.home))))

/** What lies in the home directory, or beside the project, is not there to go just because all of it is in `/tmp`. */
export const isTemporary = (path: string, { place }: ShellState): boolean => {
  const { home, project } = place
  const beside = normalized(`${project}/..`)
  const roots = [...temporary, ...(place.temporary ?? [])].map(normalized)
  if (within(path, home) || (within(path, beside) && beside !== "/" && !roots.includes(beside))) return false
  return roots.some((folder) => below(path, folder))
}

const isTemporaryRoot = (path: string, { place }: ShellState): boolean =>
  [...temporary, ...(place.temporary ?? [])].some((folder) => path === normalized(folder))

export interface Judged {
  readonly rule: Extract<RuleId, "delete-outside" | "delete-project">
  /** The path as a person would name it. */
  readonly path: string
  /** In a container, and nothing of the user's own machine. */
  readonly contained?: true
  /** Where programs keep what they need for a while, others' too. */
  readonly shared?: true
}

/** A part of a path that stands for any name. */
const isAnyName = (part: string): boolean => /[*?]/.test(part) && /^[*?.!^[\]{},]+$/.test(part)

/** The directory whose contents are meant, for `dir/*`. */
const withoutAny = (path: string): string => {
  let end = path.length
  for (;;) {
    while (end > 1 && path[end - 1] === "/") end--
    const slash = path.lastIndexOf("/", end - 1)
    if (!isAnyName(path.slice(slash + 1, end))) return path.slice(0, end)
    if (slash < 0) return "."
    if (slash === 0) return "/"
    end = slash
  }
}

/** Whether a pattern with its dot written fits the name of the project's history. */
const fitsHistory = (pattern: string): boolean => {
  if (!pattern.startsWith(".") || pattern.length > 12 || pattern.includes(unknown)) return false
  const text = pattern
    .replaceAll(/[\\.+^${}()|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replaceAll("[!", "[^")
  try {
    return new RegExp(`^${text}$`).test(".git")
  } catch {
    return false
  }
}

const open = new RegExp(`[*?[${unknown}]`)

const judgeWhole = (
  path: string,
  state: ShellState,
  chosen: boolean,
  beside: boolean
): Judged | undefined => {
  const { project } = state.place
  const git = `${project}/.git`
  if (isAllowed(path, state)) return undefined
  if (state.remote) return isTemporary(path, state) ? undefined : { rule: "delete-outside", path }
  if (path === project || path === git || path === `${git}/objects` || path === `${git}/refs`)
    return chosen ? undefined : { rule: "delete-project", path }
  if (below(path, project)) return undefined
  if (!beside && isTemporary(path, state) && !below(project, path)) return undefined
  if (isTemporaryRoot(path, state)) return chosen ? undefined : { rule: "delete-outside", path, shared: true }
  return { rule: "delete-outside", path }
}

/** More folders than these nobody deletes in with one command. */
const maxWanted = 1000

/** Where a folder of the project really lies: a link in it may lead anywhere. Without a look, where its name says. */
const reallyAt = (folder: string, { budget, linked, place, remote }: ShellState): string => {
  const { links, project } = place
  for (const [link, target] of linked)
    if (within(folder, link)) return normalized(target + folder.slice(link.length))
  if (links === undefined || remote || !below(folder, project)) return folder
  const real = links.seen.get(folder)
  if (real !== undefined) return real
  if (links.wanted.size < maxWanted) links.wanted.add(folder)
  else if (!links.wanted.has(folder)) passOver(budget)
  return folder
}

/** A link itself is deleted by its name; what it leads to, by what stands behind that. */
const real = (path: string, target: string, state: ShellState): string => {
  if (/[/.]$/.test(target) || withoutAny(target) !== target) return reallyAt(path, state)
  const slash = path.lastIndexOf("/")
  return `${reallyAt(path.slice(0, slash), state)}${path.slice(slash)}`
}

/**
 * What deleting `target` with all that is in it would mean, or nothing where that is fine or cannot be told. `chosen`: only some
 * of what is in it goes, by name or by age.
 */
export const judge = (target: string, state: ShellState, chosen = false): Judged | undefined => {
  if (target === "" || target.startsWith(unknown)) return undefined
  if (state.container !== undefined) return judgeContained(target, state, state.container, chosen)
  const path = absolute(withoutAny(target), state)
  if (path === undefined) return undefined
  const at = path.search(open)
  // Who writes `../x` in a project means its neighbour, wherever the project lies.
  const beside = !target.startsWith("/") && within(state.cwd ?? "/", state.place.project)
  if (at < 0) {
    const place = real(path, target, state)
    return judgeWhole(place, state, chosen, beside && place === path)
  }
  // Only the beginning is known, up to the last name before what is open.
  const slash = path.lastIndexOf("/", at)
  const known = slash === 0 ? "/" : path.slice(0, slash)
  const { project } = state.place
  if (!state.remote && !chosen && known === project && fitsHistory(path.slice(known.length + 1)))
    return { rule: "delete-project", path }
  if (!state.remote && within(known, project)) {
    const place = reallyAt(known, state)
    return within(place, project) || isTemporary(place, state)
      ? undefined
      : judgeWhole(place, state, chosen, false)
  }
  const isLast = path.indexOf("/", at) < 0
  // A deeper name may well be one of the project's.
  if (path[at] === unknown && below(project, known) && !isLast) return undefined
  if (isTemporaryRoot(known, state) || isTemporary(known, state) || isAllowed(known, state)) return undefined
  return { rule: "delete-outside", path: path.replaceAll(unknown, "…") }
}

const judgeContained = (
  target: string,
  { container: _, ...state }: ShellState,
  container: Container,
  chosen: boolean
): Judged | undefined => {
  const path = absolute(target, state)
  if (path === undefined) return undefined
  const host: ShellState = { ...state, cwd: state.place.cwd, remote: false }
  for (const one of onHost(path, container)) {
    const found = judge(one, host, chosen)
    if (found) return found
  }
  const isOwn = container.isNew || onHost(path, container).length > 0
  const found = isOwn ? undefined : judge(path, { ...state, remote: true }, chosen)
  return found && { ...found, contained: true }
}
