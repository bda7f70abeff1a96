/**
 * A host is started by the first call that finds none, and has its environment: also what the settings of that call's repository set.
 * What is done in another project knows nothing of it: keys that stand there are no other project's, and what can weaken a guard least of all.
 */
import { userInfo } from "node:os"
import { delimiter } from "node:path"
import { projectVariables } from "../../agents/about.ts"
import { isWithin } from "../../state/within.ts"
import { pathOutside } from "../../trust/plainEnvironment.ts"
import { repositoryAbove } from "../../trust/repositoryAbove.ts"
import { setBySettings } from "../../trust/weakenedBySettings.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Agents say where they work; PWD is what the shell before them said. */
const places = [...projectVariables, "PWD"]

export interface Starter {
  readonly root: string
  readonly names: ReadonlySet<string>
}

/** What of an environment a repository set that somebody works in; undefined where that is nothing. */
export const starterOf = (env: Variables): Starter | undefined => {
  const project = places.map((name) => env[name]).find((place) => place !== undefined && place !== "")
  if (project === undefined) return undefined
  const root = repositoryAbove(project) ?? project
  const names = [...new Set([project, root])].flatMap(setBySettings).flatMap(([name, value]) => {
    const own = env[name]
    // What is expanded or quoted begins as it stands there.
    return own !== undefined && (value === "" ? own === "" : own.startsWith(value)) ? [name] : []
  })
  return names.length === 0 ? undefined : { root, names: new Set(names) }
}

const homeOf = (): string | undefined => {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}

/** What work in a folder may know of the host's environment. */
export const knownIn = (cwd: string, own: Variables, starter: Starter | undefined): Variables => {
  if (starter === undefined || isWithin(cwd, starter.root)) return own
  const kept: Record<string, string | undefined> = { ...own }
  for (const name of starter.names) delete kept[name]
  // Without these two nothing runs.
  if (starter.names.has("HOME")) kept["HOME"] = homeOf()
  if (starter.names.has("PATH")) kept["PATH"] = pathOutside(own["PATH"], starter.root).join(delimiter)
  return kept
}
