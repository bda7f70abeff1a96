/** The host: one warm process for each user, that answers the hook calls of all their agents. Started with the state directory. */
import { dirname } from "node:path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { LockError } from "../../log/hostLock.ts"
import { closeInherited } from "../../runtime/closeInherited.ts"
import { asError } from "../../runtime/errors.ts"
import { noteTo } from "../../runtime/host/hostLog.ts"
import { exitProcess } from "./exitProcess.ts"
import { ground } from "./hostLayers.ts"
import { lifecycle } from "./lifecycle.ts"

const [, script = "", state = ""] = process.argv
// How this process manages its memory is no concern of those that it starts.
for (const name of ["MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_"]) delete process.env[name]
// Nothing of where it was started is held: a directory that is to be removed can be, and no agent waits for a stream.
process.chdir("/")
closeInherited()

const host = Effect.provide(Effect.scoped(lifecycle), ground(state, dirname(script)))
void Effect.runPromiseExit(host).then((exit) => {
  const error = Exit.isSuccess(exit) ? undefined : asError(Cause.squash(exit.cause))
  // Another host serves: that is what was wanted.
  const failed = error !== undefined && !(error instanceof LockError && error.reason !== "io")
  if (failed) noteTo(state)(error.message)
  exitProcess(failed ? error.message : undefined)
})
