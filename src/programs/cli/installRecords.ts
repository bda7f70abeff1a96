/** What "hooktape install" noted down of itself. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { InstallRecord } from "../../tools/install/record.ts"
import { readRecordFile } from "../../tools/install/store.ts"

/** What was installed for this user. */
export const recordsIn = (state: string): Effect.Effect<readonly InstallRecord[]> => {
  const folder = join(state, "installs")
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : []
  return Effect.map(
    Effect.forEach([...files].sort(), (name) => readRecordFile(join(folder, name))),
    (records) => records.filter((record) => record !== undefined)
  )
}
