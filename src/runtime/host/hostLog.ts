/** What the host has to say while nobody listens: one line each in `logs/host.log`. */
import { appendFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"

const longest = 1024 * 1024

export const hostLog = (state: string): string => join(state, "logs", "host.log")

/** Never fails: it is how failures are told. */
export const noteTo =
  (state: string) =>
  (line: string): void => {
    const file = hostLog(state)
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > longest) renameSync(file, `${file}.old`)
      appendFileSync(file, `${new Date().toISOString()} ${line.replace(/\s+/g, " ").trim()}\n`, {
        mode: 0o600
      })
    } catch {
      // There is nowhere left to say it.
    }
  }
