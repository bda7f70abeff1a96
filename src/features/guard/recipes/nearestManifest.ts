/** The package that a command is of: the nearest one at or above the folder in which it is run. */
import type { Stats } from "node:fs"
import { dirname, join } from "node:path"
import { statOf } from "../../../state/statOf.ts"
import { manifestNames } from "./packageManifest.ts"

/** Where a manifest lies, and which of its forms. */
export interface ManifestPlace {
  readonly folder: string
  readonly name: (typeof manifestNames)[number]
}

/**
 * Undefined where there is none. `folder` is where a link leads, as package managers look up from there. What of a manifest's name is no
 * file they pass by; whether it counts is the caller's to say.
 */
export const nearestManifest = (
  folder: string,
  counts: (stat: Stats) => boolean
): ManifestPlace | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    const name = manifestNames.find((one) => {
      const stat = statOf(join(at, one))
      return stat !== undefined && counts(stat)
    })
    if (name !== undefined) return { folder: at, name }
    if (dirname(at) === at) return undefined
  }
}
