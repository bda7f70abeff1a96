/** What doctor says of calls that no hook saw, and of blocks that an agent passed over. */
import { expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { checkMissed } from "../../../src/programs/cli/doctor/missed.ts"

const fact = (type: string, data: object): Recorded =>
  ({ type, agent: "codex", known: true, data: { type, source: "transcript", call: "c", ...data } }) as never
const missed = (name: string, expected: string) => fact("HOOK_CALL_MISSED", { name, expected })

it("is nothing where nothing was missed", () => expect(checkMissed([])).toEqual([]))

it("is a failure for a block that was ignored, a warning for calls that no guard saw, and a word on ends", () => {
  const checks = checkMissed([
    missed("Bash", "tool.before"),
    missed("apply_patch", "tool.before"),
    missed("Bash", "tool.before"),
    missed("Bash", "tool.after"),
    fact("DENIAL_IGNORED", { name: "Bash\u001b[2J", invocation: "019a9f10-0001-7000-8000-000000000001" })
  ])
  expect(checks).toMatchObject([
    { name: "denials", status: "fail", fix: expect.stringContaining("hooktape show 00000001") },
    {
      name: "expected",
      status: "warn",
      message: expect.stringContaining(
        "3 calls ran in 7 days without a hook that was asked before (codex Bash 2, codex apply_patch 1)"
      )
    },
    { name: "endings", status: "ok", message: expect.stringContaining("1 end of calls") }
  ])
  expect(checks[0]?.message).not.toContain("\u001b")
})
