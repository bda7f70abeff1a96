/** Reads one payload as the entrypoint does, and prints what came of it. */
import { writeSync } from "node:fs"
import { monotonic } from "../../../src/runtime/elapsed.ts"
import { parsePayload } from "../../../src/runtime/payload.ts"
import { readPayload } from "../../../src/runtime/stdin.ts"

const [, , deadline = "5000", limit = String(10 * 1024 * 1024)] = process.argv

const received = readPayload({
  descriptor: 0,
  deadlineMs: Number(deadline),
  limit: Number(limit),
  now: monotonic
})
const parsed = parsePayload(received)
writeSync(
  1,
  `${JSON.stringify({
    kind: received.kind,
    bytes: received.bytes.length,
    total: "total" in received ? received.total : undefined,
    verdict: "rejected" in parsed ? parsed.rejected : "accepted",
    maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024)
  })}\n`
)
