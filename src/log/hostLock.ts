/** Who may be the host. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { messageOf } from "../state/messageOf.ts"
import { StateError } from "../state/state.ts"
import { takeFileLock } from "./fileLock.ts"

export const hostLock = (state: string): string => join(state, "run", "host.lock")

export class LockError extends Schema.TaggedError<LockError>()("LockError", {
  file: Schema.String,
  /** `held`: another host has it and did not let go. `served`: and it answers, of the same build. */
  reason: Schema.Literal("held", "served", "io"),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    if (this.reason !== "io") return `another host holds ${this.file}`
    return this.cause instanceof StateError
      ? this.cause.message
      : `${this.file} cannot be locked: ${messageOf(this.cause)}`
  }
}

const attempt = (file: string): Effect.Effect<void, LockError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => takeFileLock(file, { library: Sqlite }),
      catch: (cause) => new LockError({ file, reason: "io", cause })
    }).pipe(
      Effect.flatMap((release) =>
        release === undefined ? Effect.fail(new LockError({ file, reason: "held" })) : Effect.succeed(release)
      )
    ),
    (release) => Effect.sync(release)
  )

/** Held until the scope closes. */
export const takeLock = (
  file: string,
  wait: Duration.DurationInput
): Effect.Effect<void, LockError, Scope.Scope> =>
  // Asked again and again, since waiting inside SQLite would block the process.
  Effect.retry(attempt(file), {
    schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo(wait)),
    while: ({ reason }) => reason === "held"
  })

/** Whether a host has it at this moment. */
export const isLocked = (file: string): Effect.Effect<boolean, LockError> =>
  Effect.suspend(() => {
    if (!existsSync(file)) return Effect.succeed(false)
    return Effect.scoped(attempt(file)).pipe(
      Effect.as(false),
      Effect.catchIf(
        ({ reason }) => reason === "held",
        () => Effect.succeed(true)
      )
    )
  })
