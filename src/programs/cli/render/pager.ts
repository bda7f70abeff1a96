/** Output that is longer than the terminal goes through the pager of whoever sits there. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { Screen } from "../Screen.ts"

/** Where reading begins: what happened last stands at the end. */
export type PagedFrom = "start" | "end"

/** Colours kept, and what was read stays on the terminal. */
const usualPager: Readonly<Record<PagedFrom, string>> = { start: "less -RX", end: "less -RX +G" }

/** The command of the pager; undefined where there is no terminal, or nobody wants one. */
export const pagerOf = (
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  from: PagedFrom = "start"
): string | undefined => {
  const wanted = env["PAGER"] ?? usualPager[from]
  return isTerminal && wanted.trim() !== "" && wanted !== "cat" && env["TERM"] !== "dumb" ? wanted : undefined
}

/** Whether it needs more lines than the terminal has. */
export const isLonger = (text: string, rows: number | undefined): boolean =>
  rows !== undefined && text.split("\n").length > rows

/** False where there is no such program. It has the terminal until it ends: its keys, Ctrl-C among them, are its own. */
const through = (pager: string, text: string): Effect.Effect<boolean> =>
  Effect.uninterruptible(
    Effect.async<boolean>((resume) => {
      const env = { ...process.env, LESS: process.env["LESS"] ?? "RX" }
      const child = spawn("/bin/sh", ["-c", pager], {
        env,
        stdio: ["pipe", "inherit", "inherit"],
        windowsHide: true
      })
      // Whoever has seen enough closes it.
      child.stdin.on("error", () => {})
      child.stdin.end(text)
      // Whoever ends us means what we wait for as well.
      const end = (): void => void child.kill()
      process.once("SIGTERM", end)
      const over = (was: boolean): void => {
        process.off("SIGTERM", end)
        resume(Effect.succeed(was))
      }
      child.once("error", () => over(false))
      child.once("exit", (code) => over(code !== 126 && code !== 127))
    })
  )

/** What the work writes is held until it is done, and then shown at once. */
export const paged = <A, E, R>(work: Effect.Effect<A, E, R>, from: PagedFrom = "start") =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const pager = pagerOf(process.env, process.stdout.isTTY === true, from)
    if (pager === undefined) return yield* work
    const pieces: string[] = []
    const held = { ...screen, out: (text: string) => Effect.sync(() => void pieces.push(text)) }
    const done = yield* Effect.provideService(work, Screen, held)
    const text = pieces.join("")
    const isPaged = isLonger(text, process.stdout.rows) && (yield* through(pager, text))
    if (!isPaged) yield* screen.out(text)
    return done
  })
