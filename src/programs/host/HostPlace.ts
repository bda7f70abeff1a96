/** Where a host stands: the state directory that it answers for, and the build that it was started from. */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { noteTo } from "../../runtime/host/hostLog.ts"
import { openState, privateDirectory } from "../../state/state.ts"

export interface HostPlaceShape {
  readonly state: string
  /** The installed package's programs. */
  readonly home: string
  /** Which build this is. */
  readonly build: string
  /** Says something while nobody listens: a line in `logs/host.log`. */
  readonly note: (line: string) => void
}

export class HostPlace extends Context.Tag("hooktape/HostPlace")<HostPlace, HostPlaceShape>() {}

/** Makes the directories that are not there yet. */
export const layerHostPlace = (state: string, home: string): Layer.Layer<HostPlace> =>
  Layer.sync(HostPlace, () => {
    openState(state)
    privateDirectory(join(state, "run"))
    mkdirSync(join(state, "logs"), { recursive: true, mode: 0o700 })
    return {
      state,
      home,
      build: readFileSync(join(home, "build-id"), "utf8").trim(),
      note: noteTo(state)
    }
  })
