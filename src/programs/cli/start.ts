/** The command from its arguments to its exit code, with what tells whether it was started by an agent. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Scheduler from "effect/Scheduler"
import { printable } from "../../state/terminalText.ts"
import type { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { leave, terminal } from "./render/terminal.ts"
import { run } from "./run.ts"
import { Screen } from "./Screen.ts"
import { unwritable } from "./unwritable.ts"

const screen = terminal()
const debug = process.env["HOOKTAPE_LOG_LEVEL"] === "debug"

const sentence = (error: unknown): string => {
  if (error instanceof Error && error.message !== "") return error.message
  return typeof error === "string" ? error : "something failed without saying what"
}

/** One line per thing that is wrong; where it happened only for those who look for it. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.failureOption(cause)
  const place = failure._tag === "Some" ? undefined : unwritable(Cause.squash(cause))
  const lines =
    place !== undefined
      ? [`${printable(place)}. See that it can be written.`]
      : failure._tag === "Some"
        ? sentence(failure.value).split("\n").map(printable)
        : [
            `${printable(sentence(Cause.squash(cause)))} (a defect of hooktape; HOOKTAPE_LOG_LEVEL=debug shows where)`
          ]
  const trace = debug ? `${Cause.pretty(cause, { renderErrorCause: true })}\n` : ""
  return `${lines.map((line) => `hooktape: ${line}\n`).join("")}${trace}`
}

let signalled: number | undefined

const end = async (exit: Exit.Exit<number, unknown>): Promise<never> => {
  if (Exit.isSuccess(exit)) return leave(exit.value)
  // Whoever ends us may close our output as well, and we may have seen that first.
  if (signalled === undefined) await new Promise(setImmediate)
  if (signalled !== undefined) return leave(signalled)
  // Interrupted by ourselves: whoever read our output has gone, and wants no more.
  if (Cause.isInterruptedOnly(exit.cause)) return leave(0)
  await Effect.runPromise(screen.note(explain(exit.cause)))
  return leave(1)
}

const program = (beneath: Layer.Layer<BeneathAgent>): Effect.Effect<number, unknown> =>
  run(process.argv.slice(2)).pipe(Effect.provideService(Screen, screen), Effect.provide(beneath))

/** Each turn is one of the event loop: by default thousands of them may pass before a signal is heard. */
const turnByTurn = Scheduler.make((task) => void setImmediate(task))

export const start = (beneath: Layer.Layer<BeneathAgent>): void => {
  const work = program(beneath)
  const fiber = Effect.runFork(work, { scheduler: turnByTurn })
  // Whatever a command has put up for its time goes with it; a terminal that is closed says SIGHUP.
  for (const [signal, code] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    process.once(signal, () => {
      signalled = code
      fiber.unsafeInterruptAsFork(fiber.id())
    })
  }
  fiber.addObserver((exit) => void end(exit))
}
