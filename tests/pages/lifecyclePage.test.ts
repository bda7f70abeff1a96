/** The page about the machines is drawn from them. `-u` draws it again. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { mermaid, regenerated, table } from "../support/diagram.ts"
import {
  exploreBreaker,
  exploreChain,
  exploreHandlers,
  exploreHost,
  exploreInvocation,
  exploreJob,
  exploreSession
} from "../support/machines.ts"

const page = fileURLToPath(new URL("../../docs/explanation/lifecycle.md", import.meta.url))

const blocks = () => {
  const { edges } = exploreInvocation()
  // They move nothing, and would only put loops on the states.
  const moves = edges.filter(({ fact }) => fact !== "NOISE_CAPTURED" && fact !== "SERVICE_CALLED")
  return {
    "invocation diagram": mermaid("buffering", ["exiting"], moves),
    "invocation table": table(edges),
    "breaker diagram": mermaid("closed", [], exploreBreaker().edges),
    "job diagram": mermaid("queued", ["done"], exploreJob().edges),
    "job table": table(exploreJob().edges),
    "chain diagram": mermaid("open", ["resolved", "suppressed", "abandoned"], exploreChain().edges),
    "host diagram": mermaid("starting", ["stopped"], exploreHost().edges),
    "handlers diagram": mermaid("starting", ["ended"], exploreHandlers().edges),
    "session diagram": mermaid("unseen", [], exploreSession().edges)
  }
}

it("says what the machines do", async () => {
  await expect(regenerated(readFileSync(page, "utf8"), blocks())).toMatchFileSnapshot(page)
})

it("would not say so with an edge missing", () => {
  const { edges } = exploreInvocation()
  const drifted = { "invocation table": table(edges.slice(1)) }
  expect(regenerated(readFileSync(page, "utf8"), drifted)).not.toBe(readFileSync(page, "utf8"))
})

it("refuses a page that has no place for what is drawn", () => {
  expect(() => regenerated("# A page", blocks())).toThrow("no place for invocation diagram")
})
