/** What the read model tells of a log that real hooks wrote: the made-up one of the page's tests has only what somebody thought of. */
import { beforeAll, describe, expect, it } from "vitest"
import { payloadOf, type Station } from "../../../support/entrypoint.ts"
import { answersOf } from "../../../support/inspector/answersOf.ts"
import { recordedStation } from "../../../support/inspector/inspected.ts"

let place: Station
let answers: ReturnType<typeof answersOf>

beforeAll(async () => {
  place = await recordedStation()
  // As hooktape tells its own events, in the session of the agent that they are about: after the agent's last call.
  await place.fire({
    agent: "raw",
    event: "reflection.before",
    input: JSON.stringify({ session: "s-1", text: "Goal: push it" })
  })
  await place.fire({
    event: "SessionStart",
    input: payloadOf("SessionStart", { session_id: "s-2", source: "startup" })
  })
  await place.facts()
  answers = answersOf(place.state)
})

describe("sessions", () => {
  it("are their agent's, also where hooktape's own events name them last", async () => {
    const { sessions } = await answers.sessions({}, "")
    expect(sessions.map(({ agent, session }) => [session, agent])).toEqual([
      ["s-2", "claude-code"],
      ["s-1", "claude-code"]
    ])
    const { lanes } = await answers.window({}, "")
    expect(
      lanes.map(({ agent, calls, session, tools }) => [session, agent, tools?.length, calls?.length])
    ).toEqual([
      ["s-2", "claude-code", 0, 1],
      ["s-1", "claude-code", 3, 1]
    ])
  })

  it("are told apart among the actors", async () => {
    const { kinds } = await answers.actors({}, "")
    const subjects = kinds
      .find(({ machine }) => machine === "invocation")
      ?.actors.map(({ subject }) => subject)
    expect(subjects).toContain("claude-code·s-1 PreToolUse Bash")
    expect(subjects).toContain("claude-code·s-2 SessionStart")
  })
})
