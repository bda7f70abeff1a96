/** How long a host that ends waits for those who still wait for it. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { Stopping } from "../../../src/programs/host/Stopping.ts"

const closing = (work: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { patiently } = yield* Stopping
    const scope = yield* Scope.make()
    yield* Scope.addFinalizer(scope, patiently(work))
    // As what a host lets go of at its end: nothing interrupts that.
    return yield* Effect.fork(Effect.uninterruptible(Scope.close(scope, Exit.void)))
  })

it.effect("is no longer than its limit, whatever it waits for as it lets go", () =>
  Effect.gen(function* () {
    const fiber = yield* closing(Effect.never)
    yield* TestClock.adjust("7 seconds")
    expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(fiber)
  }).pipe(Effect.provide(Stopping.Default))
)

it.effect("is no longer than it takes", () =>
  Effect.gen(function* () {
    const fiber = yield* closing(Effect.sleep("1 second"))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
  }).pipe(Effect.provide(Stopping.Default))
)
