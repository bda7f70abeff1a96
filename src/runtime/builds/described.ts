/** What a build says of its hooks, for people and programs who ask: a file beside the bundles, which no hook call reads. */
import { join } from "node:path"
import type { JsonObject } from "../../../events/intents.ts"
import { readRegular } from "../../state/readRegular.ts"

export interface DescribedHook {
  readonly name: string
  readonly events: readonly string[]
  readonly priority: number
  readonly owner: "hooktape" | "user" | "project"
  /** The file it was found in. */
  readonly source: string
  /** What it says of itself, or the configuration says of it. */
  readonly enabled: boolean
  /** The configuration took it out: it is in no bundle, and nothing but the configuration brings it back. */
  readonly removed: boolean
  readonly background: boolean
  readonly metadata: JsonObject
  /** The rest of its options as far as they are plain: `when`, `agents`, `once`, `cooldown`, `rateLimit`, `retry` … */
  readonly options: JsonObject
}

export const describedFile = "hooks.json"

/** None where the build is gone, or older than the file. */
export const readDescribed = (dir: string): readonly DescribedHook[] | undefined => {
  try {
    return JSON.parse(readRegular(join(dir, describedFile)).toString()) as readonly DescribedHook[]
  } catch {
    return undefined
  }
}
