/** A log that the host cannot write to for long, or that is not there any more: calls are answered in time, and nothing is lost. */
import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { bash, dataOf } from "../../support/entrypoint.ts"
import { endPlaces, furnished } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

afterEach(endPlaces)

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", run: () => blockingFeedback("No.") })
`

/** Nobody but the host answers: a call that it is too late for comes back as if there were no hooks. */
const withoutEntrypoint = async (options: Parameters<typeof furnished>[0]) => {
  const place = await furnished(options)
  rmSync(join(place.state, "bin", "entry"))
  return place
}
const blocked = { code: 0, stdout: expect.stringContaining('"permissionDecision":"deny"') }

describe("the log", () => {
  it("that another process writes for as long as the calls last: guards still block, and all of it is recorded in order", async () => {
    const place = await withoutEntrypoint({ hooks: { guard }, deadlineMs: 20_000 })
    const host = await startHost(place)
    expect(await place.fire({ input: bash("first") })).toMatchObject(blocked)
    const other = openPlainly(join(place.state, "log.sqlite"))
    other.exec("BEGIN IMMEDIATE")
    const calls = ["a", "b", "c"].map((id) => place.fire({ input: bash(id) }))
    for (const call of calls) expect(await call).toMatchObject(blocked)
    expect(await place.fire({ input: bash("later") })).toMatchObject(blocked)
    other.exec("COMMIT")
    other.close()
    expect(await place.fire({ input: bash("last") })).toMatchObject(blocked)
    expect(await host.stop()).toEqual({ code: 0, signal: null })
    const runs = await place.runs()
    expect(runs.map(({ types }) => types)).toEqual(
      Array.from({ length: 6 }, () => [
        "INVOCATION_OPENED",
        "PAYLOAD_BUFFERED",
        "HANDLERS_PLANNED",
        "HANDLER_STARTED",
        "HANDLER_SUCCEEDED",
        "REPLY_DELIVERED",
        "EXITED"
      ])
    )
  }, 120_000)

  it("that was removed: the host makes room for one that writes where readers look", async () => {
    const place = await withoutEntrypoint({ hooks: { guard } })
    const host = await startHost(place)
    expect(await place.fire({ input: bash("first", { tool_use_id: "first" }) })).toMatchObject(blocked)
    for (const ending of ["", "-wal", "-shm", ".seal"])
      rmSync(join(place.state, `log.sqlite${ending}`), { force: true })
    await once(host.child, "exit")
    const next = await startHost(place)
    expect(await place.fire({ input: bash("second", { tool_use_id: "second" }) })).toMatchObject(blocked)
    await next.stop()
    // The first went with the log, save for what was still on its way there.
    const kept = (await place.runs()).filter(
      (run) => dataOf(run, "PAYLOAD_BUFFERED")[0]?.toolUseId === "second"
    )
    expect(kept.map(({ types }) => [types[0], types.at(-1)])).toEqual([["INVOCATION_OPENED", "EXITED"]])
  }, 120_000)
})
