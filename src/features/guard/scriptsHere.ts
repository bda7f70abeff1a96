/** What `npm test` and its like start in a folder, read as a call is planned: the scripts of the nearest package. */
import { dirname, join } from "node:path"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { readSmall } from "../../state/readSmall.ts"
import { userHome } from "../../state/state.ts"
import { statOf } from "../../state/statOf.ts"
import { realPlace } from "../../state/userFolder.ts"
import { packageScripts } from "./glanced.ts"
import { isPlain } from "./plain.ts"
import { nearestManifest } from "./recipes/nearestManifest.ts"
import { memberOf, readManifest } from "./recipes/packageManifest.ts"
import { shellIn, shellSettings } from "./recipes/scriptShell.ts"
import { namesVariables } from "./recipes/scriptVariables.ts"

/** Other packages than this one. */
const workspaces = /^[ \t]*workspaces?[ \t]*=/m

const changesScripts = (folder: string): boolean =>
  shellSettings.some((name) => {
    const found = statOf(join(folder, name)) === undefined ? undefined : readSmall(join(folder, name))
    if (found === undefined || "not" in found) return found !== undefined
    return shellIn(name, found.text) !== undefined || (name === ".npmrc" && workspaces.test(found.text))
  })

/** Whether a setting in reach has scripts of other packages run, or by another shell than the system's. */
const hasSettings = (folder: string): boolean => {
  const environment = callEnvironment()
  const isSet = Object.keys(environment).some((name) =>
    /^npm_config_(?:script_shell|workspaces?)$/i.test(name)
  )
  if (isSet || changesScripts(userHome(environment))) return true
  for (let at = folder; ; at = dirname(at)) {
    if (changesScripts(at)) return true
    // No workspace is larger than its repository.
    if (dirname(at) === at || statOf(join(at, ".git"))?.isDirectory() === true) return false
  }
}

/** Whether each script that plain commands can start from here, with those before and behind it, is one that a guard has no word on. */
export const areScriptsCleared = (
  directory: string,
  isCleared: (script: string, folder: string) => boolean
): boolean => {
  // Whatever it is: what nobody can read is not cleared.
  const { folder, name = "" } = nearestManifest(realPlace(directory), () => true) ?? {}
  if (folder === undefined) return true
  const found = readSmall(join(folder, name))
  const manifest = found === undefined || "not" in found ? undefined : readManifest(name, found.text)
  if (manifest === undefined) return false
  const scripts = memberOf(manifest, "scripts")
  const started = packageScripts
    .flatMap((one) => [`pre${one}`, one, `post${one}`])
    .map((one) => (Object.hasOwn(scripts, one) ? scripts[one] : undefined))
    .filter((script) => typeof script === "string")
  if (started.length === 0 && manifest["workspaces"] === undefined) return true
  return (
    !hasSettings(folder) &&
    started.every((script) => isPlain(script) || (!namesVariables(script) && isCleared(script, folder)))
  )
}
