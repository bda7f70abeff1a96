/** What is looked for in the end: hooks see a question before, and may rewrite it. */
import { expect, it } from "vitest"
import { ask } from "../../../src/features/search/ask.ts"
import { station } from "../../support/entrypoint.ts"

const asked = async (run: string, query: string) => {
  const at = await station()
  at.putUser(
    "hooks/h.ts",
    `import { blockingFeedback, defineHook } from "hooktape"
    export default defineHook({ name: "h", on: "search.before", run: ${run} })\n`
  )
  await at.build()
  return ask({ state: at.state, project: at.project, cwd: at.project, query })
}

it("is what the handlers made of it", async () => {
  const rewritten = await asked("({ query }) => ({ metadata: { query: query.toUpperCase() } })", "redis")
  expect(rewritten).toMatchObject({ query: "REDIS" })
  expect(await asked("() => ({ metadata: { query: 7 } })", "redis")).toMatchObject({ query: "redis" })
})

it("is nothing where a handler blocks", async () => {
  expect(await asked("() => blockingFeedback('private')", "redis")).toMatchObject({
    refused: { handler: "h", reason: "private" }
  })
})

it("leaves no trace where no hook wants to know: who looks whether a text was forgotten must not store it again", async () => {
  const at = await station()
  at.putUser(
    "hooks/other.ts",
    `import { defineHook } from "hooktape"
    export default defineHook({ name: "other", on: "tool.before", run: () => undefined })\n`
  )
  await at.build()
  const place = { state: at.state, project: at.project, cwd: at.project }
  expect(await ask({ ...place, query: "zanzibar" })).toEqual({ query: "zanzibar", intents: [] })
  expect(await at.facts()).toEqual([])
})
