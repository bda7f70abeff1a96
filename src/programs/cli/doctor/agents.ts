/** Whether the agents call us, and whether the very command they call answers. */

import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { probeFile, probeSession } from "../../../runtime/probe.ts"
import { isExecutable } from "../../../state/isExecutable.ts"
import { projectManifest } from "../../../state/manifest.ts"
import { printable } from "../../../state/terminalText.ts"
import { readManifest } from "../../../tools/build/output.ts"
import { unregistered, unregisteredText } from "../../../tools/check/registration.ts"
import { commandLine } from "../../../tools/install/command.ts"
import {
  dialects,
  type InstallAgent,
  installAgents,
  scopes,
  settingsFile
} from "../../../tools/install/dialects.ts"
import { unseenByGuards } from "../../../tools/install/events.ts"
import { type Inspection, inspect } from "../../../tools/install/installation.ts"
import { isSharedHook } from "../../../tools/install/sharedHook.ts"
import { foundPlugins } from "../../../tools/plugins/foundPlugins.ts"
import { type Consent, type MayRun, mayRun } from "../../../trust/mayRun.ts"
import { collect } from "../launch.ts"
import type { Places } from "../places.ts"
import { type Check, fail, ok, warn } from "./Check.ts"
import { checkHttp } from "./http.ts"
import { runInstall } from "./installCommand.ts"

const nameOf = (agent: InstallAgent, scope: string): string =>
  scope === "user" ? agent : `${agent} (${scope})`

const startsAnew = (agent: InstallAgent, scope: string): string =>
  `Run "hooktape install --agent ${agent} --scope ${scope}" again.`

export const checkRegistration = ({
  agent,
  scope,
  file,
  registered,
  missing,
  concerns
}: Inspection): readonly Check[] => {
  const name = nameOf(agent, scope)
  const again = startsAnew(agent, scope)
  const gone = registered.find(({ bin }) => !isExecutable(bin))
  if (gone) return [fail(name, `${file} calls ${gone.bin}, which cannot be started`, again)]
  const foreign = registered.filter(({ current }) => !current)
  const first = foreign[0]
  const personal = scope === "project" ? registered.find(({ bin }) => !isSharedHook(bin)) : undefined
  const warnings = concerns.filter(({ level }) => level === "warn").map(({ message }) => warn(name, message))
  if (personal) {
    const reason = `${file} is shared and calls ${personal.bin}, which nobody else has`
    return [warn(name, reason, again), ...warnings]
  }
  if (first) {
    const reason = isSharedHook(first.bin)
      ? `${first.bin} is not what this version writes`
      : `${count(foreign.length, "event")} call ${first.bin}, of another state directory`
    return [warn(name, reason, again), ...warnings]
  }
  const events = registered.map(({ event }) => event)
  const unseen = unseenByGuards(agent, events, missing)
  if (unseen.length > 0) {
    const reason = `${file} leaves out ${unseen.join(", ")}: no guard sees what ${dialects[agent].name} does there`
    // Whoever chose some events goes on with those.
    const these = `Run "hooktape install --agent ${agent} --scope ${scope} --events ${[...events, ...unseen].join(",")}".`
    return [warn(name, reason, missing.length === unseen.length ? again : these), ...warnings]
  }
  return warnings.length > 0 ? warnings : [ok(name, `${count(registered.length, "event")} in ${file}`)]
}

export interface Probe {
  readonly agent: InstallAgent
  readonly scope: string
  readonly event: string
  readonly command: string
}

export interface Registrations {
  readonly checks: readonly Check[]
  readonly probes: readonly Probe[]
}

const nobody: Consent = () => false

const mayBeProbed = async (bin: string, project: string, isOurs: boolean): Promise<MayRun> =>
  // Word for word what this version writes: nothing that a repository brings.
  isOurs && isSharedHook(bin)
    ? { may: true }
    : isAbsolute(bin)
      ? mayRun({ code: [bin], project }, nobody)
      : { may: false, reason: "it is another file in every folder" }

/** Everything is looked at; what cannot be read is a finding, not the end. */
export const checkRegistrations = Effect.fn("doctor.registrations")(function* (places: Places) {
  const checks: Check[] = []
  const probes: Probe[] = []
  const inspections: Inspection[] = []
  for (const agent of installAgents) {
    for (const scope of scopes) {
      const { home, project, env, state } = places
      const place = { agent, scope, home, project, env }
      if (settingsFile(place)._tag === "Left") continue
      const found = yield* Effect.either(inspect({ ...place, state }))
      if (found._tag === "Left") {
        checks.push(fail(nameOf(agent, scope), found.left.message, found.left.remedy))
        continue
      }
      const [first] = found.right.registered
      if (!first) continue
      checks.push(...checkRegistration(found.right))
      inspections.push(found.right)
      const commands = found.right.registered.filter(({ http }) => http === undefined)
      const { bin, current, event } =
        commands.find((one) => one.event === "SessionStart") ?? commands[0] ?? first
      if (!isExecutable(bin) || commands.length === 0) continue
      // Settings of a project are part of the repository: what they call may be so as well.
      const answer = yield* Effect.promise(() => mayBeProbed(bin, project, current))
      if (answer.may) probes.push({ agent, scope, event, command: commandLine(bin, agent, event) })
      else
        checks.push(
          warn(nameOf(agent, scope), `${bin} is not tried: ${answer.reason}`, startsAnew(agent, scope))
        )
    }
  }
  checks.push(...(yield* checkHttp(places.state, inspections)))
  for (const { agent, file, isOn } of foundPlugins(places))
    checks.push(
      isOn
        ? ok(`${agent} (plugin)`, `on, by ${file}`)
        : warn(`${agent} (plugin)`, `${file} switches it off here`, "Take that out, or switch it on again.")
    )
  const manifest = readManifest(projectManifest(places.state, places.project))
  // A hook that nobody calls is silent.
  for (const one of manifest === undefined ? [] : yield* unregistered(places, manifest))
    checks.push(warn(nameOf(one.agent, "project"), unregisteredText(one), `Run "${one.remedy}".`))
  if (checks.length === 0) {
    checks.push(warn("agents", "hooktape is registered with none", runInstall()))
  }
  return { checks, probes } satisfies Registrations
})

const payloadFor = ({ event }: Probe, cwd: string): string =>
  JSON.stringify({
    session_id: probeSession,
    hook_event_name: event,
    cwd,
    source: "startup",
    transcript_path: null
  })

const isReply = (stdout: string): boolean => {
  if (stdout === "") return true
  try {
    JSON.parse(stdout)
    return true
  } catch {
    return false
  }
}

const timeoutMs = 20_000

/** Something to know a probe by, for as long as `work` lasts: what a file that a repository carries can never say. */
export const withProbeSecret = <A, E, R>(
  state: string,
  work: (secret: string | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const secret = randomBytes(32).toString("hex")
      try {
        rmSync(probeFile(state), { force: true })
        writeFileSync(probeFile(state), secret, { flag: "wx", mode: 0o600 })
        return secret
      } catch {
        return undefined
      }
    }),
    work,
    () => Effect.sync(() => rmSync(probeFile(state), { force: true }))
  )

/** Runs the registered command line as the agent's shell would. */
export const probeAgent = Effect.fn("doctor.probe")(function* (
  probe: Probe,
  { cwd, env }: Places,
  secret: string
) {
  const name = `${nameOf(probe.agent, probe.scope)} probe`
  const { stdout, stderr, exitCode } = yield* collect(
    "/bin/sh",
    ["-c", probe.command],
    payloadFor(probe, cwd),
    {
      cwd,
      env: { ...env, HOOKTAPE_PROBE: secret },
      timeoutMs
    }
  )
  const said = printable(stderr.trim()).slice(0, 200)
  const tried = `Try it: echo '{}' | ${probe.command}`
  if (exitCode !== 0) {
    return fail(
      name,
      `${dialects[probe.agent].name} would see exit code ${exitCode}${said === "" ? "" : `: ${said}`}`,
      tried
    )
  }
  if (!isReply(stdout))
    return fail(name, `its standard output is no JSON: ${printable(stdout).slice(0, 200)}`, tried)
  return ok(name, "the registered command answers")
})
