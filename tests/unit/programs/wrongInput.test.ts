/** What cannot be meant is refused in words, and not answered with nothing. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { expect, it } from "vitest"
import { command as explain } from "../../../src/programs/cli/commands/explain.ts"
import { command as log } from "../../../src/programs/cli/commands/log.ts"
import { nearEvent } from "../../../src/programs/cli/commands/run.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { Screen } from "../../../src/programs/cli/Screen.ts"
import type { Command } from "../../../src/programs/cli/syntax/Command.ts"

const said = async (command: Command, given: object): Promise<string> => {
  const told: string[] = []
  const tell = (text: string) => Effect.sync(() => void told.push(text))
  const work = command.action?.run(given as never, undefined as never) as Effect.Effect<
    unknown,
    Error,
    Screen
  >
  const ended = await Effect.runPromise(
    Effect.either(
      Effect.provideService(work, Screen, {
        out: tell,
        note: tell,
        watched: false,
        style: plain,
        width: undefined,
        progress: () => ({ at: () => undefined, end: () => undefined })
      })
    )
  )
  return Either.isLeft(ended) ? ended.left.message : told.join("")
}

it.each([
  ["", "the command is empty"],
  ["  ", "the command is empty"],
  ["if then ((", "was not read to its end"],
  ["ls -la", "no rule of guard-destructive matches"]
])("explain %j", async (line, words) => {
  const given = { command: [line], cwd: undefined, project: undefined, json: false }
  expect(await said(explain, given)).toContain(words)
})

it.each([0, -3])("log --limit %d", async (limit) => {
  expect(await said(log, { limit })).toContain(`--limit wants how many lines to show, not ${limit}`)
})

it("an event in other letters is near enough", () => {
  expect(nearEvent("claude-code", "pretooluse")).toBe('. Did you mean "PreToolUse"?')
  expect(nearEvent("claude-code", "PreToolUze")).toBe('. Did you mean "PreToolUse"?')
  expect(nearEvent("nobody", "PreToolUse")).toBe("")
})
