/** The hooks on the page about remembering are built as they stand and do what the page says. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { evidenceIn } from "../../src/features/checkpoints/evidence.ts"
import { takeCheckpoint } from "../../src/features/checkpoints/takeCheckpoint.ts"
import { storeNote } from "../../src/features/notes/storeNote.ts"
import { ask } from "../../src/features/search/ask.ts"
import { station } from "../support/entrypoint.ts"

const page = readFileSync(
  fileURLToPath(new URL("../../docs/how-to/remember-across-sessions.md", import.meta.url)),
  "utf8"
)

it("docs/how-to/remember-across-sessions.md: its hooks keep a note, rewrite a question and refuse a checkpoint", async () => {
  const at = await station()
  at.putUser("hooks/page.ts", /^```ts\n([\s\S]*?)^```/m.exec(page)?.[1] ?? "")
  await at.build()
  const place = { state: at.state, project: at.project, cwd: at.project }
  const note = (text: string) => storeNote({ ...place, text, source: "operator" })
  expect(await note("Customer 12 called")).toMatchObject({
    refused: { handler: "discreet", reason: "names a customer" }
  })
  expect(await note("Somebody called")).toMatchObject({ note: { text: "Somebody called" } })
  expect(await ask({ ...place, query: "cache timeout" })).toMatchObject({ query: "redis timeout" })
  const checked = (exitCode: number) =>
    takeCheckpoint({
      ...place,
      trigger: "operator",
      log: evidenceIn([
        {
          type: "PAYLOAD_BUFFERED",
          event: "tool.after",
          stream: "invocation/a",
          data: { events: [{ event: "command.ran", data: { command: "npx tsc", exitCode, output: "" } }] }
        }
      ])
    })
  expect((await checked(1)).checkpoint.refused).toEqual({ by: "strict", reason: "`npx tsc` failed" })
  expect((await checked(0)).checkpoint.successful).toBe(true)
})
