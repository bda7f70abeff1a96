/**
 * What `install` wrote into agents' settings is what this version would write: the command line, its time-outs, the containers around
 * them. Which events are registered is their user's choice and stays. Without a project the user's own settings, else those of the project.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { httpPort, httpToken } from "../../state/state.ts"
import { stateOf } from "../install/command.ts"
import { settingsFile } from "../install/dialects.ts"
import { findRegistrations, type OverHttp, planInstall } from "../install/plan.ts"
import { InstallRecord } from "../install/record.ts"
import { isSharedHook } from "../install/sharedHook.ts"
import { recordFile } from "../install/store.ts"
import { windowsNode } from "../install/windows.ts"
import { readPlain } from "./fingerprint.ts"
import type { FileChange, Migration } from "./Migration.ts"

const decode = Schema.decodeUnknownOption(Schema.parseJson(InstallRecord))

/** One that cannot be read is no memory: the entries are recognised by the next `install`. */
const recordsIn = (state: string): readonly InstallRecord[] => {
  const folder = join(state, "installs")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => Option.getOrUndefined(decode(readFileSync(join(folder, name), "utf8"))) ?? [])
}

/** Settings of a project lie in a folder of it, or in one below that: as deep as their agent has them. */
const projectOf = ({ agent, file, scope }: InstallRecord): string | undefined => {
  if (scope === "user") return undefined
  const place = settingsFile({ agent, scope, project: sep, home: sep, env: {} })
  const depth = Either.isRight(place) ? place.right.split(sep).length - 1 : 2
  return Array.from({ length: depth }).reduce<string>((at) => dirname(at), file)
}

/** Every project that has a registration of its own. */
export const registeredProjects = (state: string): readonly string[] => [
  ...new Set(recordsIn(state).flatMap((record) => projectOf(record) ?? []))
]

const httpOf = (state: string, { bin, http = [] }: InstallRecord): OverHttp | undefined => {
  const port = httpPort(state)
  return http.length === 0 || port === undefined
    ? undefined
    : { target: { port, token: httpToken(state), state: stateOf(bin) }, events: http }
}

/** UTF-8 that would not come back as it is, JSON that is broken, entries that are gone: not this step's to put right. */
const asToday = (state: string, record: InstallRecord): readonly FileChange[] => {
  const found = readPlain(record.file)
  const text = found?.bytes.toString("utf8")
  if (found === undefined || text === undefined || !Buffer.from(text, "utf8").equals(found.bytes)) return []
  const { agent, bin, events, file, scope } = record
  const registered = Either.getOrElse(findRegistrations(file, text), () => [])
  if (registered.length === 0) return []
  const http = httpOf(state, record)
  if (http === undefined && registered.some((one) => one.http !== undefined)) return []
  const plan = planInstall({
    agent,
    scope,
    file,
    events,
    bin,
    // What names one person's directory in a repository stays until somebody registers it anew: a script would have to be committed with it.
    shared: registered.some((one) => isSharedHook(one.bin)),
    currentText: text,
    previousRecord: record,
    windows: windowsNode(),
    http
  })
  if (Either.isLeft(plan) || plan.right.nextText === text) return []
  const next: InstallRecord = {
    ...plan.right.record,
    ...(record.directory === undefined ? {} : { directory: record.directory })
  }
  return [
    // Before the file: a record with nothing to it is harmless, entries that nobody remembers are not.
    { kind: "file", file: recordFile(state, file), next: Buffer.from(`${JSON.stringify(next, null, 2)}\n`) },
    { kind: "file", file, next: Buffer.from(plan.right.nextText) }
  ]
}

export const registrations: Migration = {
  number: 5,
  name: "registrations",
  from: "0.1.0",
  to: "0.2.0",
  of: "registrations",
  about: "Agents' settings call hooktape as this version would register it, for the same events.",
  perProject: true,
  plan: ({ project, state }) =>
    recordsIn(state)
      .filter((record) => projectOf(record) === project)
      .flatMap((record) => asToday(state, record))
}
