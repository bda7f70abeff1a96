/** Standard streams that somebody closes: what is opened next does not get their numbers. */
import { expect, it } from "vitest"
import { shell } from "../../support/child.ts"

it("are taken again once they are refilled, and stay taken once they are kept", () => {
  const { status, stdout, stderr } = shell("closedStreams", '"$0" "$1" 3>&1 </dev/null >/dev/null 2>&1')
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const { closed, error, kept, refilled } = JSON.parse(stdout) as Readonly<Record<string, number | null>>
  expect(closed).toBe(0)
  expect(refilled).toBeGreaterThan(3)
  expect(kept).toBe(refilled)
  expect(error).toBeNull()
})
