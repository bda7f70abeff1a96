/** Says that a formatter was not run since the repository brings it: every time on the log, once a session to the human. */
import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { diagnostic, type Intent, userHint } from "../../../events/intents.ts"
import type { Services } from "../../hooks/Services.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { fileKey } from "../../state/fileKey.ts"
import { newFile, privateDirectory } from "../../state/state.ts"

export interface Refusal {
  readonly refused: string
  readonly byContent?: true
  readonly command: string
  readonly path: string
  readonly session: string | null
  readonly services: Services
}

/** No session lasts so long. */
const longestMs = 30 * 86_400_000

/** Whether this is the first time; where nothing can be remembered it never is, and nobody is told at every edit. */
const isFirst = (services: Services, key: string): boolean => {
  try {
    const folder = join(placeOf(services).state, "run", "hinted")
    privateDirectory(folder)
    for (const name of readdirSync(folder)) {
      const { mtimeMs } = statSync(join(folder, name))
      if (Date.now() - mtimeMs > longestMs) rmSync(join(folder, name), { force: true })
    }
    closeSync(openSync(join(folder, key), newFile, 0o600))
    return true
  } catch {
    return false
  }
}

export const refusal = async ({
  byContent,
  command,
  path,
  refused,
  services,
  session
}: Refusal): Promise<readonly Intent[]> => {
  const name = command.split(/[\\/]/).at(-1) ?? command
  const given = byContent
    ? '"hooktape trust", in a terminal of yours, shows it and takes that for what it is now'
    : '"projectTools": true in the settings of format-on-edit, in your own configuration, gives it for every repository'
  const text = `${name} does not run on ${path}: ${refused}. What a repository brings runs only with your consent: ${given}.`
  const key = fileKey(`format-on-edit ${session ?? ""} ${name} ${refused}`)
  const first = await services.call("first refusal", key, () => isFirst(services, key))
  return [
    diagnostic("debug", `${path} is not formatted: ${text}`),
    ...(first ? [userHint(`format-on-edit: ${text}`)] : [])
  ]
}
