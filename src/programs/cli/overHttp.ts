/** Which events an installation has the agent call over HTTP, and why not the others. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { count } from "../../features/timeline/words.ts"
import { isGuarded } from "../../runtime/builds/reach.ts"
import { httpToken } from "../../state/state.ts"
import { readManifest } from "../../tools/build/output.ts"
import { dialects, type InstallAgent, type Place, settingsFile } from "../../tools/install/dialects.ts"
import type { OverHttp } from "../../tools/install/plan.ts"
import { hasHttp, httpEvents, type TransportChoice } from "../../tools/install/transport.ts"
import { CliError } from "./CliError.ts"
import { choosePort } from "./httpPort.ts"
import { contentOf, hookOf, shippedClient } from "./prepare.ts"
import { carriedBy } from "./repository.ts"

export interface HttpRequest extends Place {
  readonly state: string
  readonly transport: TransportChoice
  readonly dryRun: boolean
}

export interface HttpChoice {
  /** Undefined where all is called by command. */
  readonly http?: OverHttp
  /** Lines for the user. */
  readonly warnings: readonly string[]
}

const manifestsIn = (state: string) => {
  const folder = join(state, "projects")
  try {
    return readdirSync(folder).flatMap((name) => readManifest(join(folder, name)) ?? [])
  } catch {
    return []
  }
}

/**
 * Events at which some hook of any project stands guard. The agent takes a host that it cannot reach for consent: a command finds
 * another way.
 */
export const guardedEvents = (agent: InstallAgent, state: string): readonly string[] => {
  const manifests = manifestsIn(state)
  return httpEvents(agent).filter((native) =>
    manifests.some((manifest) => isGuarded(manifest, agent, native))
  )
}

/** A native client is at least as fast over a session, and falls back; Windows has none. Before anything is prepared: what would be. */
const hasClient = (state: string): boolean => {
  if (process.platform === "win32") return false
  const there = contentOf(hookOf(state)) ?? contentOf(shippedClient())
  return there !== undefined && there.toString("latin1", 0, 2) !== "#!"
}

const refused = (reason: string, remedy: string) =>
  new CliError({ what: "HTTP hooks cannot be registered", reason, remedy })

/** Undefined where the token may be written into the settings of that scope. */
const obstacle = Effect.fn("cli.overHttp.obstacle")(function* (request: HttpRequest) {
  const { agent, scope } = request
  if (!hasHttp(agent)) return refused(`${dialects[agent].name} has no HTTP hooks`, "Use --transport command.")
  if (scope === "project") {
    return refused(
      "they need a token, and the settings of scope project are part of the repository",
      "Use --scope user or --scope local."
    )
  }
  const file = yield* settingsFile(request)
  const repository = yield* carriedBy(file)
  return repository === undefined
    ? undefined
    : refused(
        `they need a token, and ${file} is in the repository ${repository}, which does not ignore it`,
        "Add it to .gitignore, or use --transport command."
      )
})

export const chooseHttp = Effect.fn("cli.overHttp")(function* (request: HttpRequest) {
  const { agent, dryRun, state, transport } = request
  const none: HttpChoice = { warnings: [] }
  if (transport === "command" || (transport === "auto" && hasClient(state))) return none
  const why = yield* obstacle(request)
  if (why !== undefined) return transport === "auto" ? none : yield* why
  const guarded = guardedEvents(agent, state)
  const events = httpEvents(agent).filter((event) => !guarded.includes(event))
  const { port, lost } = yield* choosePort(state, !dryRun)
  // A dry run makes nothing, and shows no token anyway.
  const token = dryRun && !existsSync(join(state, "run", "http-token")) ? "0".repeat(32) : httpToken(state)
  return {
    http: { target: { port, token, state }, events },
    warnings: [
      ...(guarded.length === 0
        ? []
        : [
            `${count(guarded.length, "event")} with a hook whose failure is to block or ask ${guarded.length === 1 ? "stays" : "stay"} with the command: ${guarded.join(", ")}.`
          ]),
      ...(lost === undefined
        ? []
        : [
            `Port ${lost} is held by another program; it is ${port} now. Run "hooktape doctor" for other settings.`
          ])
    ]
  } satisfies HttpChoice as HttpChoice
})
