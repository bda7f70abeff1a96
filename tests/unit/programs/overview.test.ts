/** Where things stand: what comes next names who has to do with it. */
import { expect, it } from "vitest"
import type { Call, HookRun } from "../../../src/features/timeline/Call.ts"
import type { Standing } from "../../../src/features/timeline/standing.ts"
import { drawOverview, type Today } from "../../../src/programs/cli/render/overview.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import type { WithheldFile } from "../../../src/state/manifest.ts"

const run: HookRun = {
  hook: "guard",
  event: "tool.before",
  outcome: "succeeded",
  attempts: 1,
  at: 0,
  ms: 1,
  decision: "block",
  reason: "no",
  said: [],
  services: []
}
const call = {
  invocation: "01a20b67-b29e-7c81-a94f-138fae2939d0",
  outcome: "blocked",
  by: "guard",
  hooks: [run, { ...run, hook: "format", outcome: "failed" }]
} as unknown as Call

const standing = { calls: 1, sessions: 1, blocked: 1, asked: 0, failed: 0, lost: 0, dead: 1, waitMs: 1 }

const nextOf = (today: Partial<Today>): string | undefined =>
  drawOverview(
    {
      version: "1.0.0",
      records: [{ agent: "codex", scope: "user" }],
      hooks: { on: 1, off: 0, withheld: [] },
      host: undefined,
      today: {
        standing: standing as unknown as Standing,
        failed: undefined,
        dead: undefined,
        slowest: undefined,
        ...today
      }
    },
    { style: plain, width: undefined }
  )
    .split("\n")
    .find((line) => line.startsWith("next"))

it("names the hook that failed, and not the one that blocked", () => {
  expect(nextOf({ failed: call, dead: "notify" })).toMatch(/hooktape show \S+: format failed$/)
})

it("blames nobody for a payload that was refused, or a reply that was not taken", () => {
  expect(nextOf({ failed: { ...call, hooks: [run] } })).toMatch(/hooktape show \S+$/)
})

it("names the hook whose work after the reply was given up", () => {
  expect(nextOf({ dead: "notify" })).toMatch(
    /hooktape jobs list --state dead: work of notify after the reply failed$/
  )
})

it("sends to the check, and not to trust, what cannot be built", () => {
  const file = ".hooktape/hooks/a.ts"
  const next = (...withheld: readonly WithheldFile[]) =>
    drawOverview(
      {
        version: "1.0.0",
        records: [{ agent: "codex", scope: "user" }],
        hooks: { on: 1, off: 0, withheld },
        host: undefined,
        today: undefined
      },
      { style: plain, width: undefined }
    )
  const broken = next({ file, reason: "does not build: no", kind: "broken" })
  expect(broken).toContain("1 on here, 1 file does not build\n")
  expect(broken).toContain("hooktape check says what does not build")
  const taken = next({ file, reason: "its name", kind: "taken" })
  expect(taken).toContain("1 file left out\n")
  expect(taken).toContain("hooktape doctor says why")
  expect(next({ file, reason: "not trusted" })).toContain("hooktape trust shows what changed")
})
