/** One call may have several invocations; one of them stands for it, whichever order they came to the log in. */
import { describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { replacedBy } from "../../../src/history/calls.ts"
import { checkActivity } from "../../../src/programs/cli/doctor/activity.ts"
import { exited, openedAt, undelivered } from "../../support/facts.ts"

const call = "01890000-0000-7000-8000-0000000000ca"
const replaced = (...facts: readonly Recorded[]) => Object.fromEntries(replacedBy(facts))

describe("of several invocations of one call", () => {
  it("the entrypoint's answered, whatever the host did and whoever was first on the log", () => {
    const host = (position: number) => openedAt("host", position, { call, transport: "socket" })
    const entry = (position: number) => openedAt("entry", position, { call, transport: "entry" })
    const answered = { "invocation/host": "invocation/entry" }
    expect(replaced(host(1), entry(2))).toEqual(answered)
    expect(replaced(entry(1), host(2))).toEqual(answered)
  })

  it("the last of several hosts' stands for it", () => {
    const hosts = ["a", "b", "c"].map((name, at) => openedAt(name, at + 1, { call, transport: "socket" }))
    expect(replaced(...hosts)).toEqual({ "invocation/a": "invocation/c", "invocation/b": "invocation/c" })
  })

  it("each stands for itself where the calls differ, or nobody named them", () => {
    const other = "01890000-0000-7000-8000-0000000000cb"
    expect(
      replaced(
        openedAt("a", 1, { call }),
        openedAt("b", 2, { call: other }),
        openedAt("c", 3, {}),
        openedAt("d", 4, {})
      )
    ).toEqual({})
  })

  it("the doctor counts the one that stands for the call, and no other, among the lost", () => {
    const minute = 60_000
    const host = openedAt("host-one", 1, { call, transport: "socket" })
    const entry = openedAt("entry-one", 2, { call, transport: "entry" })
    const done = { ...entry, type: "EXITED", position: 3, data: exited() } as Recorded
    expect(checkActivity([host, entry, done], 10 * minute)).toMatchObject([{ status: "ok" }])
    expect(checkActivity([host, entry], 10 * minute)).toMatchObject([
      { name: "lost", message: "1 invocation in 24 h never ended", fix: "Look: hooktape show ntry-one" }
    ])
  })

  it("the doctor tells of a reply that did not arrive, but not where another invocation answered", () => {
    const host = openedAt("host-one", 1, { call, transport: "socket" })
    const entry = openedAt("entry-one", 2, { call, transport: "entry" })
    const failed = { ...host, type: "DELIVERY_FAILED", position: 3, data: undelivered() } as Recorded
    const ended = { ...host, type: "EXITED", position: 4, data: exited() } as Recorded
    const done = { ...entry, type: "EXITED", position: 5, data: exited() } as Recorded
    expect(checkActivity([host, failed, ended], 0)).toMatchObject([{ name: "delivery", status: "warn" }])
    expect(checkActivity([host, entry, failed, ended, done], 0)).toMatchObject([{ status: "ok" }])
  })
})
