/** Prints a text and ends the process, without what a command needs: for what is answered before one is loaded. */
import { taken, waitMs } from "./stream.ts"

/** A slow reader is waited for; one that has gone wants no more. */
export const printAndLeave = (text: string): void => {
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
