/** Until when a tool call goes on of which no hook told the end. */
import { beforeAll, expect, it } from "vitest"
import { bash, payloadOf, type Station, station } from "../../../support/entrypoint.ts"
import { answersOf } from "../../../support/inspector/answersOf.ts"

let place: Station
let answers: ReturnType<typeof answersOf>

const prompt = (session: string) =>
  place.fire({
    event: "UserPromptSubmit",
    input: payloadOf("UserPromptSubmit", { prompt: "go on", session_id: session })
  })
const before = (session: string, use: string) =>
  place.fire({ input: bash(`echo ${use}`, { tool_use_id: use, session_id: session }) })
const stop = (session: string) =>
  place.fire({ event: "Stop", input: payloadOf("Stop", { session_id: session }) })

beforeAll(async () => {
  place = await station()
  await place.build()
  await prompt("stopped")
  await before("stopped", "t-1")
  await stop("stopped")
  await before("stopped", "t-2")
  await prompt("asked-again")
  await before("asked-again", "t-3")
  await prompt("asked-again")
  await before("at-work", "t-4")
  await place.facts()
  answers = answersOf(place.state)
})

const barOf = async (session: string, use: string) => {
  const { tools } = await answers.session({}, session)
  return tools.find((tool) => tool.use === use)
}
const endOf = async (session: string, event: string): Promise<number | undefined> => {
  const { calls } = await answers.calls({ session }, "")
  return calls.find((call) => call.event === event)?.at
}

it("is the end of its turn", async () => {
  expect(await barOf("stopped", "t-1")).toMatchObject({
    to: null,
    until: await endOf("stopped", "turn.stop")
  })
})

it("is the beginning of the next turn, where the end of its own was not told", async () => {
  expect(await barOf("asked-again", "t-3")).toMatchObject({
    to: null,
    until: await endOf("asked-again", "prompt.submit")
  })
})

it("is now while its turn goes on, also after one that ended", async () => {
  for (const [session, use] of [
    ["at-work", "t-4"],
    ["stopped", "t-2"]
  ] as const)
    expect(await barOf(session, use)).toSatisfy((bar) => bar.to === null && bar.until === undefined)
})

it("is the same among the lanes", async () => {
  const { lanes } = await answers.window({ span: 600_000 }, "")
  const bars = lanes.find(({ session }) => session === "stopped")?.tools
  expect(bars?.map(({ until, use }) => [use, until === undefined])).toEqual([
    ["t-1", false],
    ["t-2", true]
  ])
})
