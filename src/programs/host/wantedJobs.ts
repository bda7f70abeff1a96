/** Whether the job of a background hook is still wanted: by what was switched off, and by what the build of its project holds now. */
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Marks } from "../../../events/Recorded.ts"
import type { Enqueued } from "../../../machines/job.ts"
import { readSwitches, switchedBy } from "../../history/switches.ts"
import type { IsWanted, Wanted } from "../../jobs/Wanted.ts"
import { readDescribed } from "../../runtime/builds/described.ts"
import { hookKind } from "../../runtime/enqueue.ts"
import type { Manifest } from "../../state/manifest.ts"
import type { Builds } from "./builds.ts"

const wanted: Wanted = { is: "wanted" }
const dropped = (reason: string): Wanted => ({ is: "dropped", reason })

const patienceMs = 30_000

/** The file of the project that may hold a hook which is in no bundle, and why that file is left out. */
const withheldFor = ({ dir, history, project, withheld }: Manifest, handler: string) => {
  const [before] = history.flatMap(
    (build) => readDescribed(join(dirname(dir), build))?.find(({ name }) => name === handler) ?? []
  )
  return withheld.find(({ file }) =>
    before === undefined ? file.includes("/hooks/") : before.source === `${project}/${file}`
  )
}

const inBuild = (manifest: Manifest, handler: string, isSwitchedOn: boolean): Wanted => {
  const described = readDescribed(manifest.dir)
  if (described === undefined) return wanted
  const hook = described.find(({ name }) => name === handler)
  if (hook !== undefined) {
    if (hook.removed) return dropped("disabled in the configuration")
    return hook.enabled || isSwitchedOn ? wanted : dropped("disabled")
  }
  const file = withheldFor(manifest, handler)
  if (file !== undefined) return { is: "held", reason: `${file.file} is left out: ${file.reason}` }
  return dropped(`no hook is called "${handler}" any more`)
}

const look = async (
  state: string,
  builds: Builds,
  { handler, kind }: Enqueued,
  { project, session }: Marks
): Promise<Wanted> => {
  if (kind !== hookKind || handler === undefined || project === null) return wanted
  const said = switchedBy(readSwitches(state), handler, { project, session })
  if (said?.enabled === false) return dropped(said.reason)
  const { found } = await builds.serving(project, patienceMs)
  return found === undefined ? wanted : inBuild(found.manifest, handler, said !== undefined)
}

export const makeIsWanted =
  (state: string, builds: Builds): IsWanted =>
  (enqueued, marks) =>
    Effect.orElseSucceed(
      Effect.tryPromise(() => look(state, builds, enqueued, marks)),
      () => wanted
    )
