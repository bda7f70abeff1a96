/** Every field that an agent is known to send is looked at: one of another kind is named, and costs nothing but itself. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

const fixtures = join(import.meta.dirname, "../../fixtures")
const native = Object.values(adapters).flatMap(({ agent }) => (agent === "raw" ? [] : [agent]))

const samples = native.flatMap((agent) =>
  readdirSync(join(fixtures, agent), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => {
      const payload = JSON.parse(readFileSync(join(fixtures, agent, name), "utf8")) as JsonObject
      return [agent, name.replace(/\.json$/, ""), payload] as const
    })
)

const wrong = (value: Json | undefined): Json => (typeof value === "string" ? 7 : "of another kind")

/** Of what a tool is given and gives back agents promise nothing. */
const free =
  /^(?:tool_input|tool_response|tool_output|result_json|tool_result|error|output|content|arguments|tool_info|token_usage)$/

/** The fields of a sample that may be of any kind. */
const unlooked = (agent: Agent, event: string, payload: JsonObject): readonly string[] =>
  Object.keys(payload).filter((field) => {
    const { drift } = adapters[agent].decode(event, { ...payload, [field]: wrong(payload[field]) })
    return !drift.some(
      (path) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
    )
  })

describe("a payload", () => {
  it.each(samples)("of %s at %s has no field that is not looked at", (agent, event, payload) => {
    expect(unlooked(agent, event, payload).filter((field) => !free.test(field))).toEqual([])
  })

  it.each(samples)("of %s at %s that has a field more is taken as well", (agent, event, payload) => {
    const more = { ...payload, unheard_of: { a: 1 } }
    expect(adapters[agent].decode(event, more)).toEqual(adapters[agent].decode(event, payload))
  })
})
