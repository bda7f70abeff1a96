/** Adds what hooks cannot see, from the transcript that the agent keeps beside them. After the reply; nobody waits. */
import type { JsonObject } from "../../../events/intents.ts"
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

const megabyte = 1024 * 1024
const usual = { megabytes: 32 }
const most = 512

const within = (value: unknown): number =>
  typeof value === "number" && value > 0 ? Math.min(value, most) : usual.megabytes

export const reconcile = defineHook({
  name: "reconcile",
  on: ["turn.stop", "session.end"],
  agents: ["claude-code", "codex", "gemini-cli"],
  background: true,
  settings: usual,
  run: async ({ agent, event, payload, services, session, settings }) => {
    const { transcript_path: path } = payload
    const transcript = typeof path === "string" ? path : ""
    if (session === null || transcript === "") return undefined
    const isOver = event === "session.end"
    const told = await services.call("reconcile", { session, transcript, isOver }, async () => {
      const { reconcileSession } = await import("./reconcileSession.ts")
      const { reader, state } = placeOf(services)
      const mostBytes = within(settings["megabytes"]) * megabyte
      const done = await reconcileSession(reader, { state, agent, session, transcript, mostBytes, isOver })
      return { ...done } as JsonObject
    })
    const { facts, ignored, missed, skipped } = told as {
      readonly [name: string]: number | string | undefined
    }
    if (skipped !== undefined) return diagnostic("info", `the transcript was not read: ${skipped}`)
    const warnings = [
      ...(missed === 0 ? [] : [`${missed} times no hook was called where one should have been`]),
      ...(ignored === 0 ? [] : [`${ignored} blocked calls ran all the same`])
    ]
    return diagnostic(
      warnings.length === 0 ? "info" : "warn",
      [`${facts} facts that hooks did not tell`, ...warnings].join("; ")
    )
  }
})
