/** `hooktape run`: one hook call as an agent would make it, with nothing installed. */
import * as Effect from "effect/Effect"
import { agents } from "../../../../events/agentEvents.ts"
import { nearestOf } from "../../../hooks/Problem.ts"
import { dialects, type InstallAgent } from "../../../tools/install/dialects.ts"
import { CliError } from "../CliError.ts"
import { isTerminal } from "../confirm.ts"
import { firstBuild } from "../firstBuild.ts"
import { launchThrough } from "../launch.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { argument } from "../syntax/parameters.ts"

export interface RunOptions {
  readonly agent: string
  readonly agentEvent: string
}

const isForeign = (agent: string, agentEvent: string): boolean => {
  const dialect = Object.hasOwn(dialects, agent) ? dialects[agent as InstallAgent] : undefined
  return dialect !== undefined && !Object.hasOwn(dialect.events, agentEvent)
}

/** Which of its events was likely meant; a name in other letters is near enough. */
export const nearEvent = (agent: string, agentEvent: string): string => {
  const known = Object.keys(Object.hasOwn(dialects, agent) ? dialects[agent as InstallAgent].events : {})
  const near = nearestOf(agentEvent, known)
  return near === undefined ? "" : `. Did you mean "${near}"?`
}

const runHook = Effect.fn("cli.run")(function* ({ agent, agentEvent }: RunOptions) {
  if (!(agents as readonly string[]).includes(agent)) {
    return yield* new CliError({
      what: "run",
      reason: `no agent is called "${agent}"`,
      remedy: `Known: ${agents.join(", ")}.`
    })
  }
  const { note, watched } = yield* Screen
  if (watched && isForeign(agent, agentEvent))
    yield* note(
      `${agent} has no event "${agentEvent}"; passed on as agent.${agentEvent}${nearEvent(agent, agentEvent)}\n`
    )
  if (isTerminal())
    yield* note(
      "Waiting for the call as JSON on standard input; Ctrl-D ends it. Mostly it is piped in: echo '{}' | hooktape run …\n"
    )
  const places = findPlaces()
  // Switched off, the launcher only drains its input: nothing needs to be there for that.
  if (process.env["HOOKTAPE"] !== "0") {
    yield* prepareState(places.state)
    yield* firstBuild(places)
  }
  return yield* launchThrough({
    state: places.state,
    agent,
    agentEvent,
    cwd: places.cwd,
    env: { ...process.env, HOOKTAPE_HOME: places.state }
  })
})

export const command = defineCommand({
  group: "Try out",
  summary: "Run one hook call: the payload on standard input, the reply on standard output.",
  arguments: {
    agent: argument("<agent>", `${agents.join(", ")}.`),
    agentEvent: argument("<Event>", "The agent's own name of the event.")
  },
  examples: ["echo '{}' | hooktape run claude-code PreToolUse"],
  guards: "keeps",
  run: runHook
})
