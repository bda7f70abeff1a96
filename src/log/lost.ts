/** What never came to its end: killed, or still running. Nothing is written; a reader tells from the facts. */
import type { Recorded } from "../../events/Recorded.ts"
import { isAlive } from "../state/isAlive.ts"

/** An invocation without its EXITED whose process is gone, or that is older than any can get. */
export const isLost = (
  facts: readonly Pick<Recorded, "type" | "at" | "data">[],
  now: number,
  alive: (pid: number) => boolean = isAlive
): boolean => {
  const opened = facts.find(({ type }) => type === "INVOCATION_OPENED")
  const last = facts.at(-1)
  if (last === undefined || facts.some(({ type }) => type === "EXITED")) return false
  if (now - last.at > 10 * 60_000) return true
  const pid = (opened?.data as { pid?: unknown } | undefined)?.pid
  return typeof pid === "number" && !alive(pid)
}

/** A run of an agent of which nothing was heard for so long is over, whatever its last word was. */
export const silentMs = 86_400_000

export const isSessionOver = (facts: readonly Pick<Recorded, "type" | "at">[], now: number): boolean => {
  const last = facts.at(-1)
  return last === undefined || last.type === "SESSION_ENDED" || now - last.at > silentMs
}

/** A host, or a process of handlers, that said that it ended, or that is gone without a word. */
export const isProcessOver = (
  facts: readonly Pick<Recorded, "type" | "data">[],
  alive: (pid: number) => boolean = isAlive
): boolean => {
  if (facts.some(({ type }) => type === "HOST_STOPPED" || type === "HANDLER_PROCESS_ENDED")) return true
  const pid = (facts[0]?.data as { pid?: unknown } | undefined)?.pid
  return typeof pid !== "number" || !alive(pid)
}
