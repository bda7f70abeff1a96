/** Requests to the model, of which Codex tells its hooks and takes no answer. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { blockingFeedback, type JsonObject, modelContext, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const { decode, encode, events } = adapters.codex

const fixture = (event: string): JsonObject =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/codex", `${event}.json`), "utf8"))

it("begin with the model's name and end with a whole answer, whose words are not told", () => {
  expect(decode("PreModelRequest", fixture("PreModelRequest")).events).toEqual([
    { event: "model.before", data: { model: "gpt-5.6" } }
  ])
  expect(decode("PostModelRequest", fixture("PostModelRequest")).events).toEqual([
    { event: "model.after", data: { text: "", final: true } }
  ])
})

it.each(["PreModelRequest", "PostModelRequest"])("%s is told of on demand, and is said nothing", (event) => {
  expect(events[event]?.register).toBe("on demand")
  const reply = fold([modelContext("CONTEXT"), userHint("HINT"), blockingFeedback("REASON")])
  const { carried, stderr, stdout } = encode(event, "command", reply, undefined)
  expect({ stderr, stdout }).toEqual({ stderr: "", stdout: "" })
  expect(Object.values(carried)).toHaveLength(3)
  for (const one of Object.values(carried)) expect(one).toHaveProperty("undeliverable")
})
