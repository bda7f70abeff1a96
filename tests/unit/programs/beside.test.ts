/** What `hooktape dev` finds beside a build is shown as it was recorded: only its own sentences are laid out for the terminal. */
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { type Checks, makeBeside } from "../../../src/programs/cli/dev/beside.ts"
import type { Tested } from "../../../src/programs/cli/render/fixtures.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { Screen, type ScreenShape } from "../../../src/programs/cli/Screen.ts"

const reply = (stdout: string) => ({ exitCode: 0, stdout, stderr: "" })
const failing: readonly Tested[] = [
  {
    fixture: "one",
    status: "different",
    expected: reply("run hooktape log"),
    reply: reply("say hooktape log")
  } as Tested,
  { fixture: "two", status: "missing", expected: undefined, reply: reply("") } as Tested
]
const error = "hook.ts(1,1): error TS1: see hooktape log"

const checks: Checks = {
  again: async () => ({ failing, problem: undefined, ran: 3 }) as never,
  check: async () => ({ kind: "done", errors: [error] })
}

it("changes nothing of a reply, or of what a compiler said", async () => {
  const said: { readonly text: string; readonly how: string | undefined }[] = []
  let told = () => {}
  const all = new Promise<void>((done) => {
    told = done
  })
  const screen = {
    style: plain,
    out: () => Effect.void,
    note: (text: string, how?: "exact") =>
      Effect.sync(() => {
        said.push({ text, how })
        if (text.includes(error)) told()
      })
  } as unknown as ScreenShape
  await Effect.runPromise(
    Effect.scoped(
      Effect.zipRight(
        makeBeside({ project: "/p" }, checks).start(true),
        Effect.promise(() => all)
      )
    ).pipe(Effect.provideService(Screen, screen))
  )
  const howOf = (part: string) => said.find(({ text }) => text.includes(part))?.how
  expect(["run hooktape log", "say hooktape log", error].map((part) => howOf(part))).toEqual(
    Array(3).fill("exact")
  )
  // Our own, which names a command.
  expect(howOf("hooktape test --update")).toBeUndefined()
  expect(said.some(({ text }) => text.includes("2 of 3 fixtures not as kept"))).toBe(true)
})
