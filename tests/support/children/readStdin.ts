/** Reads one payload as the entrypoint does, and prints what came of it. */
import { writeSync } from "node:fs"
import { monotonic } from "../../../src/runtime/elapsed.ts"
import { parsePayload } from "../../../src/runtime/payload.ts"
import { readPayload } from "../../../src/runtime/stdin.ts"

const [, , deadline = "5000", limit = String(10 * 1024 * 1024)] = process.argv

const inlet = readPayload({
  descriptor: 0,
  deadlineMs: Number(deadline),
  limit: Number(limit),
  now: monotonic
})
const parsed = parsePayload(inlet)
writeSync(
  1,
  `${JSON.stringify({
    kind: inlet.kind,
    bytes: inlet.bytes.length,
    total: "total" in inlet ? inlet.total : undefined,
    verdict: "rejected" in parsed ? parsed.rejected : "accepted",
    maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024)
  })}\n`
)
