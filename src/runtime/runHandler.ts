/** One handler, run so that nothing it does can reach past its own outcome. */
import * as Micro from "effect/Micro"
import type { Hook } from "../hooks/defineHook.ts"
import type { HookContext } from "../hooks/HookContext.ts"
import { monotonic } from "./elapsed.ts"
import { asError } from "./errors.ts"
import { isInert, type Outcome, toOutcome } from "./outcome.ts"
import { SpunTooLong, type Watch } from "./watchdog.ts"

/** Turns an Effect that a handler returned into a promise. Only bundles whose hooks use Effect bring one. */
export type RunEffect = (effect: unknown, signal: AbortSignal) => Promise<unknown>

export type Ended =
  | { readonly kind: "succeeded"; readonly outcome: Outcome }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "timed-out" }

/** As they are before any hook is loaded: one that fakes time fakes its own. */
const later = setTimeout
const cancel = clearTimeout

/** An answer that came in time is judged, even if only just. */
const judgingMs = 100

const effectType = Symbol.for("effect/Effect")

const isEffect = (value: unknown): boolean =>
  typeof value === "object" && value !== null && effectType in value

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"

export interface Running {
  readonly deadlineMs: number
  readonly runEffect?: RunEffect | undefined
  /** Hands in a failure that happens outside of any call; returns how to stop listening. */
  readonly onStray: (failed: (error: Error) => void) => () => void
  /** Puts back what the handler changed of what all code stands on. */
  readonly mend?: (() => void) | undefined
  readonly watch: Watch
  /** Calls the handler such that what it leaves behind is known to be its own. */
  readonly within: <A>(work: () => A) => A
}

/** Never fails: whatever a handler does is one of three ends. */
export const runHandler = (
  hook: Hook,
  makeContext: (signal: () => AbortSignal) => HookContext,
  { deadlineMs, runEffect, mend, onStray, watch, within }: Running
): Micro.Micro<Ended> =>
  Micro.async<Ended>((resume) => {
    let controller: AbortController | undefined
    let ended = false
    let timer: NodeJS.Timeout | undefined
    /** Whether code of the handler may have run since things were last put back. */
    let touched = true
    const mended = () => {
      if (touched) mend?.()
      touched = false
    }
    const end = (how: Ended) => {
      if (ended) return
      ended = true
      mended()
      if (timer) cancel(timer)
      stopListening()
      if (how.kind === "timed-out") controller?.abort(new Error(`deadline of ${deadlineMs} ms has passed`))
      resume(Micro.succeed(how))
    }
    const fail = (error: unknown) =>
      end(error instanceof SpunTooLong ? { kind: "timed-out" } : { kind: "failed", error: asError(error) })
    const left = () => Math.max(1, deadlineMs - (monotonic() - started))
    const settle = (value: unknown) => {
      mended()
      try {
        // What a handler returns may be code as well: getters, proxies, toJSON. Being watched costs more than most handlers do.
        const judge = () => toOutcome(value)
        touched = !isInert(value)
        const outcome = touched ? watch(Math.max(judgingMs, left()), judge) : judge()
        end({ kind: "succeeded", outcome })
      } catch (error) {
        fail(error)
      }
    }
    const stopListening = onStray((error) => {
      fail(error)
      // It goes on, and nobody waits for it.
      controller?.abort(error)
    })
    const signal = () => {
      controller ??= new AbortController()
      return controller.signal
    }
    const started = monotonic()
    try {
      const returned = watch(deadlineMs, () => {
        const value = within(() => hook.run(makeContext(signal) as never))
        mended()
        touched = !isInert(value)
        if (isThenable(value)) return { promise: value }
        return isEffect(value) ? { effect: value } : { outcome: toOutcome(value) }
      })
      if (returned.outcome) return end({ kind: "succeeded", outcome: returned.outcome })
      timer = later(() => end({ kind: "timed-out" }), left())
      if (returned.promise) returned.promise.then(settle, fail)
      else if (runEffect) runEffect(returned.effect, signal()).then(settle, fail)
      else
        fail(new Error("returned an Effect, and this build brings no Effect runtime; run `hooktape build`"))
    } catch (error) {
      fail(error)
    }
  })
