/** A log that grows past what its upkeep should leave, and a spool that nobody takes in. */
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

const megabyte = 1_048_576
const largeLog = 1024 * megabyte
const hugeLog = 4096 * megabyte
const fullSpool = 1000

export const growth = ({ logBytes, spooled }: Evidence): readonly Finding[] => [
  ...(logBytes < largeLog
    ? []
    : [
        {
          category: "growth",
          severity: logBytes < hugeLog ? ("warning" as const) : ("critical" as const),
          reference: "log.sqlite",
          description: `the log holds ${Math.round(logBytes / megabyte)} MB`,
          recommendation: "See what fills it: hooktape doctor. The host keeps it bounded while it runs."
        }
      ]),
  ...(spooled < fullSpool
    ? []
    : [
        {
          category: "growth",
          severity: "warning" as const,
          reference: "spool",
          description: `${spooled} files wait in the spool`,
          recommendation: "Have them taken in: hooktape host start"
        }
      ])
]
