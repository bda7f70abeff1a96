/** What an adapter tells of a tool's result, as far as hooks go by it. */
import { expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

interface Told {
  readonly ok?: boolean
  readonly exitCode?: number
  /** Of `command.ran`. */
  readonly output?: string
  readonly change?: string
  readonly error?: string
}

const toldBy = (agent: Agent, event: string, payload: JsonObject): Told => {
  const { events, tool } = adapters[agent].decode(event, payload)
  const data = (name: string): JsonObject => events.find((one) => one.event === name)?.data ?? {}
  const told = {
    ok: tool?.ok,
    exitCode: tool?.exitCode,
    output: data("command.ran")["output"],
    change: data("file.edited")["change"],
    error: data("error.observed")["message"]
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as Told
}

export const ran = (tool_name: string, tool_input: JsonObject, tool_response?: Json): JsonObject => ({
  tool_name,
  tool_input,
  ...(tool_response === undefined ? {} : { tool_response })
})
export const failure = (
  tool_name: string,
  tool_input: JsonObject,
  error: string,
  more: JsonObject = {}
): JsonObject => ({
  tool_name,
  tool_input,
  error,
  ...more
})

type Row = readonly [name: string, payload: JsonObject, told: Told]

export const holds = (agent: Agent, event: string, rows: readonly Row[]) =>
  it.each(rows)(`${agent} tells at ${event}: %s`, (_, payload, told) => {
    expect(toldBy(agent, event, payload)).toEqual(told)
  })
