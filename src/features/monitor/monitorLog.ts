/** The monitor's own log: it only grows, a line for each stage, each with its time. Never a reason to fail. */
import { appendFileSync } from "node:fs"

export type Say = (message: string) => void

export const monitorLog =
  (file: string, now: () => number = Date.now): Say =>
  (message) => {
    try {
      const line = `${new Date(now()).toISOString()} | ${message.replaceAll(/[\r\n]+/g, " ⏎ ")}\n`
      appendFileSync(file, line, { mode: 0o600 })
    } catch {
      // There is nowhere left to say so.
    }
  }
