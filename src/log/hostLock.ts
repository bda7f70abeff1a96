/** Who may be the host: held by the kernel for an open file, and so free the moment its process is gone, however it went. */
import { closeSync, existsSync, openSync } from "node:fs"
import { join } from "node:path"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { isBusy } from "./sqlite/sqliteErrors.ts"

export const hostLock = (state: string): string => join(state, "run", "host.lock")

export class LockError extends Schema.TaggedError<LockError>()("LockError", {
  file: Schema.String,
  /** `held`: another host has it and did not let go. `served`: and it answers, of the same build. */
  reason: Schema.Literal("held", "served", "io"),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return this.reason !== "io"
      ? `another host holds ${this.file}`
      : `${this.file} cannot be locked: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

const attempt = (file: string): Effect.Effect<void, LockError, Scope.Scope> =>
  Effect.gen(function* () {
    // SQLite would make it for everybody.
    yield* Effect.sync(() => closeSync(openSync(file, "a", 0o600)))
    const client = yield* SqliteClient.make({ filename: file, disableWAL: true })
    const connection = yield* client.reserve
    const say = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* say("PRAGMA busy_timeout = 0")
    // Not in WAL mode: there an exclusive transaction excludes nobody but writers.
    yield* say("PRAGMA journal_mode = DELETE")
    yield* say("BEGIN EXCLUSIVE")
  }).pipe(
    Effect.provide(Reactivity.layer),
    Effect.catchAllDefect((cause) => Effect.fail(cause)),
    Effect.mapError((cause) => new LockError({ file, reason: isBusy(cause) ? "held" : "io", cause }))
  )

/** Held until the scope closes. The file stays: removing it would split the lock in two. */
export const takeLock = (
  file: string,
  wait: Duration.DurationInput
): Effect.Effect<void, LockError, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (held) =>
    Effect.gen(function* () {
      // A connection that did not get the lock is closed before the next one tries.
      const trial = yield* Scope.fork(held, ExecutionStrategy.sequential)
      yield* Effect.provideService(attempt(file), Scope.Scope, trial).pipe(
        Effect.tapError(() => Scope.close(trial, Exit.void))
      )
    })
  ).pipe(
    Effect.retry({
      schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo(wait)),
      while: ({ reason }) => reason === "held"
    })
  )

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
