/** A log that cannot be read: nothing else could be looked at, which is not the same as nothing found. */
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

export const unreadableLog = ({ problem, unreadable }: Evidence): readonly Finding[] =>
  unreadable
    ? [
        {
          category: "log",
          severity: "critical",
          reference: "log.sqlite",
          description: `nothing on the log could be looked at: ${problem ?? "it cannot be read"}`,
          recommendation: "See what is wrong with it: hooktape doctor."
        }
      ]
    : []
