/** Follows an error to its fix: names the chain it belongs to, and tells the model what resolved one like it before. */
import type { Tool } from "../../../events/agentEvents.ts"
import { modelContext } from "../../../events/intents.ts"
import { stringAt, textOf } from "../../agents/toolCall.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

const name = "error-chain"

/** A response may be megabytes, and secrets are looked for in all of it: what went wrong stands near one of its ends. */
const longestText = 48_000

const bounded = (text: string): string =>
  text.length <= longestText
    ? text
    : `${text.slice(0, longestText / 3)}\n…\n${text.slice((-longestText * 2) / 3)}`

const withoutBulk = (call: Tool): Tool => {
  const { input, response, ...rest } = call
  const old = stringAt(input, "old_string")
  return {
    ...rest,
    input: old === undefined ? null : { old_string: old },
    ...(response === undefined ? {} : { response: bounded(textOf(response)) })
  }
}

export const errorChain = defineHook({
  name,
  on: "error.observed",
  priority: 10,
  deadline: "1 second",
  run: async ({ agent, invocation, message, project, services, session, signature, timestamp, ...more }) => {
    // The event names the tool; where there was a call, it stands in its place.
    const { tool } = more as { readonly tool?: Tool | string }
    const named = typeof tool === "string" ? tool : tool?.name
    if (message.trim() === "" && signature === "" && named === undefined) return undefined
    const found = await services.call("chains", { invocation, signature }, async () => {
      const { fixFor } = await import("./fixFor.ts")
      const { reader } = placeOf(services)
      const data = { signature, message, ...(named === undefined ? {} : { tool: named }) }
      return fixFor(
        reader,
        {
          project,
          session,
          agent,
          invocation,
          at: Date.parse(timestamp),
          error: { event: "error.observed", data },
          tool: typeof tool === "object" ? withoutBulk(tool) : undefined
        },
        name
      ) as { readonly chain: string; readonly fix: { readonly chain: string; readonly text: string } | null }
    })
    if (found === null) return undefined
    const { chain, fix } = found
    if (fix === null) return { chain, metadata: { chain } }
    // Kept with the run: from here it is known that this session has it.
    return { intents: modelContext(fix.text), chain, metadata: { chain, told: fix.chain } }
  }
})
