/** What a newer version wrote is no defect of a build: it is a problem, with what to do. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NewerFile, ofNewer } from "../../state/newerFile.ts"
import { BuildError } from "./BuildError.ts"

export const newerProblem = (file: string): BuildError =>
  new BuildError({
    op: "discover",
    problems: [
      {
        file,
        reason: ofNewer(basename(file)),
        remedy: 'To stay with this version, remove that file, then run "hooktape trust" and "hooktape build".'
      }
    ]
  })

export const orNewer = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | BuildError, R> =>
  Effect.catchSomeDefect(work, (defect) =>
    defect instanceof NewerFile ? Option.some(Effect.fail(newerProblem(defect.file))) : Option.none()
  )
