/** Follows an error to its fix: names the chain it belongs to, and tells the model what resolved one like it before. */
import type { Tool } from "../../../events/agentEvents.ts"
import { modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

const name = "error-chain"

/** Of the call only what tells one error from another: a response may be megabytes. */
const withoutTexts = ({ input: _, response: __, ...call }: Tool): Tool => ({ ...call, input: null })

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
          tool: typeof tool === "object" ? withoutTexts(tool) : undefined
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
