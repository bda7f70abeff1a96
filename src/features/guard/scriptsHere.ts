/** What `npm test` and its like start in a folder, read as a call is planned: the scripts of the nearest package. */
import { dirname, join } from "node:path"
import { readSmall } from "../../state/readSmall.ts"
import { statOf } from "../../state/statOf.ts"
import { realPlace } from "../../state/userFolder.ts"
import { packageScripts } from "./glanced.ts"
import { isPlain } from "./plain.ts"
import { jsonMember } from "./recipes/jsonMember.ts"

const nearestPackage = (directory: string): string | undefined => {
  for (let at = realPlace(directory); ; at = dirname(at)) {
    const file = join(at, "package.json")
    if (statOf(file) !== undefined) return file
    if (dirname(at) === at) return undefined
  }
}

/** Whether each script that plain commands can start from here, with those before and behind it, is one that a guard has no word on. */
export const areScriptsCleared = (
  directory: string,
  isCleared: (script: string, folder: string) => boolean
): boolean => {
  const file = nearestPackage(directory)
  if (file === undefined) return true
  const found = readSmall(file)
  const scripts = found === undefined || "not" in found ? undefined : jsonMember(found.text, "scripts")
  if (scripts === undefined) return false
  return packageScripts
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .map((name) => (Object.hasOwn(scripts, name) ? scripts[name] : undefined))
    .every((script) => typeof script !== "string" || isPlain(script) || isCleared(script, dirname(file)))
}
