/** Prints a text and ends the process, without what a command needs: for what is answered before one is loaded. */
import { taken, waitMs } from "./stream.ts"

/** A slow reader is waited for; one that has gone wants no more. `beside`: a line for whoever reads the other stream. */
export const printAndLeave = (text: string, beside?: string): void => {
  if (beside !== undefined) taken(2, Buffer.from(`hooktape: ${beside}\n`, "utf8"), 0)
  const bytes = Buffer.from(text, "utf8")
  const from = (at: number): void => {
    for (let next = at; next < bytes.length; ) {
      const more = taken(1, bytes, next)
      if (more === undefined) return
      if (more === 0) {
        setTimeout(from, waitMs, next)
        return
      }
      next += more
    }
  }
  from(0)
}
