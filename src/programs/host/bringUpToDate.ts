/** What an earlier version left is migrated before the log is opened: by the command, in a process of its own, since the host needs none of that afterwards. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { isTakenBack, layout, reachedLayout } from "../../state/layout.ts"

/** A log of gigabytes is copied meanwhile; calls are answered in process. */
const longestMs = 10 * 60_000

const migrate = (state: string, home: string): Effect.Effect<string | undefined> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [join(home, "cli.js"), "migrate", "--user"], {
      stdio: "ignore",
      timeout: longestMs,
      cwd: state,
      env: { ...process.env, HOOKTAPE_HOME: state },
      windowsHide: true
    })
    child.once("error", (error) => resume(Effect.succeed(error.message)))
    child.once("exit", (code) =>
      resume(Effect.succeed(code === 0 ? undefined : `it ended with ${code ?? "a signal"}`))
    )
    return Effect.sync(() => child.kill())
  })

/** Reads one number, mostly. Whether the log can be opened then, opening it says. */
export const bringUpToDate = Effect.fn("host.bringUpToDate")(function* (
  state: string,
  home: string,
  note: (line: string) => void
) {
  if ((reachedLayout(state) ?? layout) >= layout) return
  if (isTakenBack(state)) {
    note('a migration was taken back: this version waits for "hooktape migrate"')
    return
  }
  const problem = yield* migrate(state, home)
  if (problem !== undefined)
    note(`what an earlier version left is not up to date (${problem}). Run "hooktape migrate".`)
})
