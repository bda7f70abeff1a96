/** Which of an agent's events may be called over HTTP without anything being lost by it. */
import { adapters } from "../../agents/adapters.ts"
import { dialects, type InstallAgent } from "./dialects.ts"

export const transports = ["auto", "command", "http"] as const
export type TransportChoice = (typeof transports)[number]

/** What a reply can hold that an HTTP answer has a place for. An exit code has none, and a diagnostic goes to the log. */
const slots = ["context", "permission", "input", "output", "hint", "block"] as const

export const hasHttp = (agent: InstallAgent): boolean => dialects[agent].commandOnly !== undefined

/** Every event whose replies arrive over HTTP as they do from a command. */
export const httpEvents = (agent: InstallAgent): readonly string[] => {
  const { commandOnly, events } = dialects[agent]
  if (commandOnly === undefined) return []
  return Object.entries(events).flatMap(([name, registered]) => {
    const carries = adapters[agent].events[name]?.carries
    if (carries === undefined || registered === "asked" || commandOnly.includes(name)) return []
    const isCarried = slots.every(
      (slot) => "channel" in carries(slot, "http") || !("channel" in carries(slot, "command"))
    )
    return isCarried ? [name] : []
  })
}
