/** Replies that standard output does not take: what stops the agent is said the other way, and what is lost is on the log as that. */
import { existsSync, renameSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adapters } from "../../../src/agents/adapters.ts"
import { describeInvocation } from "../../../src/features/timeline/describe.ts"
import { checkActivity } from "../../../src/programs/cli/doctor/activity.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { replayInvocation } from "../../../src/tools/replay/replayInvocation.ts"
import { bash, dataOf, type Fired, outcomeOf, type Run, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterAll(endPlaces)

const says = `import { blockingFeedback, defineHook, modelContext } from "hooktape"
export default defineHook({ name: "says", on: "tool.before", run: ({ tool }) => {
  const { command } = tool?.input as { command: string }
  if (command.startsWith("block")) return blockingFeedback("STOP-IT")
  if (command.startsWith("ask")) return modelContext({ permission: "ask", reason: "MAY-I" })
  if (command.startsWith("wish")) return modelContext({ permission: "ask", reason: "MAY-I", ifCannotAsk: "allow" })
  return modelContext("JUST-SO-YOU-KNOW")
} })
`

/** A block that another hook after it loses the whole process over: who started it has the reply then. */
const decides = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "decides", on: "tool.before", priority: 1, run: ({ tool }) => {
  if (JSON.stringify(tool).includes("lost")) return blockingFeedback("STOP-IT")
} })
`
const spins = `import { defineHook } from "hooktape"
export default defineHook({ name: "spins", on: "tool.before", priority: 2, deadline: 500, run: async ({ tool }) => {
  if (!JSON.stringify(tool).includes("lost")) return
  await null
  for (;;);
} })
`

/** How a call is answered: by a host through the client, by the entrypoint below the client, by the entrypoint alone. */
const ways = ["host", "client", "entrypoint"] as const
type Way = (typeof ways)[number]
const outputs = { closed: /EBADF/, full: /ENOSPC/, unread: /EPIPE/ } as const
type Output = keyof typeof outputs

const outputNames = Object.keys(outputs) as readonly Output[]
const cases = ways.flatMap((way) => outputNames.map((output) => [way, output] as const))

describe.skipIf(!existsSync(shippedClient()) || !existsSync("/dev/full"))(
  "a reply whose standard output takes nothing",
  () => {
    const places = new Map<Way, Station>()

    beforeAll(async () => {
      for (const way of ways) {
        const place = await furnished({ hooks: { says, decides, spins } })
        if (way === "host") await startHost(place)
        else place.env["HOOKTAPE_HOST"] = "off"
        const bin = join(place.state, "bin")
        if (way === "entrypoint") renameSync(join(bin, "entry"), join(bin, "hook"))
        places.set(way, place)
      }
    })

    const placeOf = (way: Way): Station => places.get(way) as Station

    const fired = (way: Way, output: Output, command: string): Promise<Fired> => {
      const redirect = { closed: ">&-", full: ">/dev/full", unread: "" }[output]
      const child = placeOf(way).start({ redirect, env: { NODE_OPTIONS: "" } })
      if (output === "unread") child.stdout?.destroy()
      child.stdin?.end(bash(command))
      return outcomeOf(child)
    }

    /** What is on the log of the call with that command, once it has ended. */
    const runOf = async (way: Way, command: string): Promise<Run> => {
      let found: Run | undefined
      await until(async () => {
        found = (await placeOf(way).runs()).find(
          (run) => dataOf(run, "PAYLOAD_BUFFERED")[0]?.payload.includes(JSON.stringify(command)) === true
        )
        return found?.types.includes("EXITED") === true
      })
      if (found === undefined) throw new Error("it is not on the log")
      return found
    }
    const lossesOf = async (way: Way, command: string) => dataOf(await runOf(way, command), "DELIVERY_FAILED")

    it.each(cases)(
      "that blocks, by %s, %s: is said on standard error with exit code 2",
      async (way, output) => {
        const command = `block ${output}`
        expect(await fired(way, output, command)).toMatchObject({ code: 2, stderr: "STOP-IT\n" })
        const losses = await lossesOf(way, command)
        expect(losses).toMatchObject([{ exitCode: 2, stdout: "", stderr: "STOP-IT\n" }])
        expect(losses[0]?.error.message).toMatch(outputs[output])
      }
    )

    it.each(ways)("that asks, by %s: is a question that nobody was asked, and blocks", async (way) => {
      const { code, stderr } = await fired(way, "full", "ask")
      expect(stderr).toContain("MAY-I")
      expect(code).toBe(2)
      expect(await lossesOf(way, "ask")).toMatchObject([{ exitCode: 2 }])
    })

    it.each(ways)("that asks and may go unasked, by %s: lets the agent go on", async (way) => {
      expect(await fired(way, "full", "wish")).toMatchObject({ code: 0, stderr: "" })
      expect(await lossesOf(way, "wish")).toMatchObject([{ exitCode: 0 }])
    })

    it.each(cases)(
      "that informs, by %s, %s: lets the agent go on, and is on the log",
      async (way, output) => {
        const command = `look ${output}`
        expect(await fired(way, output, command)).toMatchObject({ code: 0, stderr: "" })
        const losses = await lossesOf(way, command)
        expect(losses).toMatchObject([{ exitCode: 0, stdout: expect.stringContaining("JUST-SO-YOU-KNOW") }])
        expect(losses[0]?.error.message).toMatch(outputs[output])
      }
    )

    it.each(["client", "entrypoint"] as const)(
      "that is held for a process that is lost, by %s: blocks the other way as well",
      async (way) => {
        const { code, stderr } = await fired(way, "full", "lost")
        expect(stderr).toContain("STOP-IT")
        expect(code).toBe(2)
        expect(await lossesOf(way, "lost")).toMatchObject([
          {
            exitCode: 2,
            stdout: "",
            stderr: expect.stringContaining("STOP-IT"),
            error: { message: expect.stringContaining("ENOSPC") }
          }
        ])
      }
    )

    it.each(ways)("is shown as one that was not delivered, and replayed as the same, by %s", async (way) => {
      const command = "block, to be shown"
      await fired(way, "full", command)
      const { facts } = await runOf(way, command)
      const { delivered, outcome } = describeInvocation(facts)
      expect(outcome).toBe("undelivered")
      expect(delivered).toMatchObject({ exitCode: 2, error: { message: expect.stringContaining("ENOSPC") } })
      expect(replayInvocation(facts, adapters).differences).toEqual([])
      expect(checkActivity(facts, Date.now())).toMatchObject([
        { message: expect.stringContaining("did not reach the agent") }
      ])
    })
  }
)
