/** The command line while another process holds the log's write lock: it answers from what there is, says so, and loses nothing. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { installationId } from "../../../src/state/state.ts"
import { command } from "../../support/command.ts"
import { bash, inTurns, type Station, station } from "../../support/entrypoint.ts"
import * as job from "../../support/jobs/facts.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly, type PlainSqlite } from "../../support/log/plainSqlite.ts"

const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", run: () => blockingFeedback("No.") })
`

/** Each of them tells the same before and meanwhile. */
const looks: readonly (readonly string[])[] = [
  ["log", "--json", "--type", "EXITED", "--event", "tool.before"],
  ["show", "last", "--json"],
  ["jobs", "list", "--json"],
  ["hooks", "list", "--json"],
  ["notes", "list", "--json"],
  ["chains", "list", "--json"],
  ["checkpoints", "list", "--json"],
  ["replay", "last", "--json"],
  ["search", "releases", "--json"]
]

const remark =
  /^! another process is writing the log: \d+ files? of the spool waits? to be taken in, and what happened there is not shown\.\n$/

let place: Station
/** A connection of this process, which is not the command's. */
let other: PlainSqlite
let before: readonly string[]

const locked = async <A>(work: () => Promise<A>): Promise<A> => {
  other.exec("BEGIN IMMEDIATE")
  try {
    return await work()
  } finally {
    other.exec("ROLLBACK")
  }
}

const call = () => place.fire({ input: bash("true") })
const hooktape = (...args: readonly string[]) => command(place, ...args)
const documentOf = async (...args: readonly string[]) => JSON.parse((await hooktape(...args)).stdout)
const asked = (args: readonly string[]): Promise<string> => hooktape(...args).then(({ stdout }) => stdout)

beforeAll(async () => {
  place = await station()
  place.putUser("hooks/guard.ts", guard)
  await place.build(true)
  await call()
  await hooktape("note", "Releases are cut from main")
  await place.facts()
  const file = join(place.state, "log.sqlite")
  const stream = `job/${job.anId}`
  // Of today: what is old and over is forgotten.
  const facts = [job.enqueued(), job.started(1), job.failed(1), job.died(1)].map((data) =>
    draftOf(stream, { type: data.type, data: { ...data }, at: Date.now() })
  )
  await Effect.runPromise(
    Effect.flatMap(EventLog, (log) => log.append(stream, "any", facts as never)).pipe(
      Effect.provide(Layer.fresh(layerSqlite({ file, source: installationId(place.state) })))
    )
  )
  // A search is itself on the log.
  await asked(["search", "releases", "--json"])
  before = await inTurns(looks, 1, asked)
  other = openPlainly(file)
}, 120_000)

afterAll(() => other.close())

describe("while another process writes the log all the while", { timeout: 120_000 }, () => {
  it("nothing is said where nothing waits, and nobody waits", async () => {
    await place.facts()
    await locked(async () => {
      expect(await hooktape("log", "--limit", "1")).toMatchObject({ code: 0, stderr: "" })
    })
  })

  it("whoever only looks has what is on the log, and hears that something waits", async () => {
    await call()
    await locked(async () => {
      const answers = await inTurns(looks, 2, (args) => hooktape(...args))
      for (const [at, { code, stderr, stdout }] of answers.entries()) {
        const what = looks[at]?.join(" ")
        expect([what, code, stdout]).toEqual([what, 0, before[at]])
        expect(stderr, what).toMatch(remark)
      }
    })
    expect(await documentOf("show", "last", "--json")).not.toEqual(JSON.parse(before[1] ?? ""))
  })

  it("the doctor finds it", async () => {
    await call()
    await locked(async () => {
      const { stderr, stdout } = await hooktape("doctor", "--json")
      expect(stderr).toBe("")
      expect(JSON.parse(stdout).checks).toContainEqual({
        name: "log",
        status: "warn",
        message: expect.stringMatching(
          /^\d+ facts, .*; another process is writing it all the while, and what was spooled waits$/
        ),
        fix: expect.stringMatching(/^Nothing is lost\./)
      })
    })
  })

  it("what has to be written is kept, or refused in time", async () => {
    await locked(async () => {
      const [note, disabled, retried] = await Promise.all([
        hooktape("note", "The staging database is read-only"),
        hooktape("hooks", "disable", "guard", "--scope", "user"),
        hooktape("jobs", "retry", "--all-dead")
      ])
      expect(note).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✔ stored as /) })
      expect(disabled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✔ guard is off everywhere/) })
      expect(retried).toMatchObject({ code: 1, stdout: "" })
      expect(retried.stderr).toMatch(/another process is writing it: try again when it is done\n$/)
      // It holds at once, though the log does not know of it yet.
      expect(await call()).toMatchObject({ code: 0 })
      expect((await documentOf("hooks", "list", "--json")).hooks[0]).toMatchObject({ enabled: false })
    })
    expect((await documentOf("hooks", "list", "--json")).hooks[0]).toMatchObject({ enabled: false })
    expect((await documentOf("notes", "list", "--json")).notes).toHaveLength(2)
    expect(await hooktape("jobs", "retry", "--all-dead")).toMatchObject({ code: 0, stderr: "" })
  })

  it("what was never made ready to be asked is not shown as empty", async () => {
    await place.facts()
    other.exec("DROP TABLE chains; DELETE FROM checkpoints WHERE name GLOB 'projection/chains/*'")
    await locked(async () => {
      const { code, stderr, stdout } = await hooktape("chains", "list", "--all")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^hooktape: chains: nothing was made ready .* Try again when it is done\.\n$/)
    })
    expect(await hooktape("chains", "list", "--all")).toMatchObject({ code: 0 })
  })
})
