/**
 * Hooks of earlier tools that do what a shipped hook does: found in agents' settings, and on somebody's word taken out, with hooktape
 * registered in their place. Offered and never due: other people's entries are not ours to judge.
 */
import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import * as Either from "effect/Either"
import { isExecutable } from "../../state/isExecutable.ts"
import { hookFile } from "../../state/startedFiles.ts"
import { dialects, type InstallAgent, installAgents, type Scope, scopes } from "../install/dialects.ts"
import * as Doc from "../install/document.ts"
import { type Entry, entriesOf, fieldOf, withoutEntry } from "../install/entries.ts"
import { defaultEvents } from "../install/events.ts"
import { findRegistrations, planInstall } from "../install/plan.ts"
import { sharedHookFile, sharedHookText } from "../install/sharedHook.ts"
import { recordFile } from "../install/store.ts"
import { windowsNode } from "../install/windows.ts"
import { type EarlierCommand, earlierCommand } from "./earlierCommands.ts"
import { readPlain } from "./fingerprint.ts"
import type { FileChange, Migration } from "./Migration.ts"
import { MigrationError } from "./MigrationError.ts"
import type { Place } from "./Place.ts"

export interface EarlierHook extends EarlierCommand {
  readonly event: string
  readonly command: string
}

/** A settings file with such hooks in it. */
export interface Offer {
  readonly agent: InstallAgent
  readonly scope: Scope
  readonly file: string
  readonly hooks: readonly EarlierHook[]
}

type Found = EarlierHook & Entry

interface Settings extends Pick<Offer, "agent" | "scope" | "file"> {
  /** What is written: settings may lie elsewhere, behind a link. */
  readonly real: string
  readonly mark: string
  readonly text: string
}

/** Of the tools that are known: where one stands in a file that cannot be read, somebody has to be told. */
const names = /kuzu[-_]memory|recall-monitor/

const byteOrderMark = "\uFEFF"

const filesOf = (agent: InstallAgent, wanted: readonly Scope[], project: string | undefined) =>
  wanted.flatMap((scope) => {
    const file = dialects[agent].files[scope]?.({
      agent,
      scope,
      home: homedir(),
      project: project ?? "",
      env: process.env
    })
    return file === undefined ? [] : [{ agent, scope, file }]
  })

/** UTF-8 that would not come back as it is, is nobody's to rewrite. */
const readText = (file: string): string | undefined => {
  const found = readPlain(file)
  const text = found?.bytes.toString("utf8")
  return text !== undefined && Buffer.from(text, "utf8").equals(found?.bytes ?? Buffer.alloc(0))
    ? text
    : undefined
}

/** As it is where it is not there. */
const realOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

const settingsAt = ({ project }: Place): readonly Settings[] =>
  installAgents.flatMap((agent) =>
    filesOf(
      agent,
      project === undefined ? ["user"] : scopes.filter((one) => one !== "user"),
      project
    ).flatMap((at) => {
      const real = realOf(at.file)
      const text = readText(real)
      if (text === undefined) return []
      const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ""
      return [{ ...at, real, mark, text: text.slice(mark.length) }]
    })
  )

const earlierIn = (text: string): readonly Found[] =>
  Either.match(Doc.parseDocument(text), {
    // What is no JSON is told by whoever has to change it.
    onLeft: () => [],
    onRight: ({ root }) =>
      entriesOf(root).flatMap((entry) => {
        const command = fieldOf(entry.handler, "command")
        const found = typeof command === "string" ? earlierCommand(command) : undefined
        return found === undefined
          ? []
          : [{ ...entry, ...found, event: entry.under, command: String(command) }]
      })
  })

/** From the back, so that what stands before stays where it is. */
const withoutAll = (text: string): string => {
  let left = text
  for (let last = earlierIn(left).at(-1); last !== undefined; last = earlierIn(left).at(-1))
    left = withoutEntry(left, last)
  return left
}

const isRegistered = (agent: InstallAgent, project: string | undefined): boolean =>
  filesOf(agent, project === undefined ? ["user"] : scopes, project).some(({ file }) => {
    const text = readText(realOf(file))
    return text !== undefined && Either.getOrElse(findRegistrations(file, text), () => []).length > 0
  })

/** What the settings of a repository start, where it is not there as this version writes it. */
const scriptOf = (project: string): readonly FileChange[] => {
  const file = sharedHookFile(project)
  const isRight = readText(file) === sharedHookText && isExecutable(file)
  return isRight ? [] : [{ kind: "file", file, next: Buffer.from(sharedHookText), mode: 0o755 }]
}

const changesOf = (settings: Settings, { project, state }: Place): readonly FileChange[] => {
  const { agent, file, mark, real, scope, text } = settings
  if (names.test(text) && Either.isLeft(Doc.parseDocument(text)))
    throw new MigrationError(
      `${file} is no JSON that can be read`,
      "Correct the file, then run the command again."
    )
  const left = withoutAll(text)
  if (left === text) return []
  const bytes = (one: string): Buffer => Buffer.from(mark + one, "utf8")
  if (isRegistered(agent, project)) return [{ kind: "file", file: real, next: bytes(left) }]
  // What a repository's own settings name is found by everybody who has the repository.
  const shared = scope === "project" && project !== undefined
  const plan = planInstall({
    agent,
    scope,
    file,
    events: defaultEvents(agent, { shared }),
    bin: shared ? sharedHookFile(project) : hookFile(state),
    shared,
    windows: windowsNode(),
    currentText: mark + left
  })
  if (Either.isLeft(plan)) throw new MigrationError(plan.left.message, "Correct the file, then try again.")
  const { nextText, record } = plan.right
  return [
    ...(shared ? scriptOf(project) : []),
    {
      kind: "file",
      file: recordFile(state, file),
      next: Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
    },
    { kind: "file", file: real, next: Buffer.from(nextText, "utf8") }
  ]
}

/** What could be replaced, of the user's and of these projects. */
export const earlierHooks = (projects: readonly string[]): readonly Offer[] =>
  [undefined, ...projects].flatMap((project) =>
    settingsAt({ state: "", project }).flatMap(({ agent, file, scope, text }) => {
      const hooks = earlierIn(text).map(({ command, event, hook, tool }) => ({ event, command, hook, tool }))
      return hooks.length === 0 ? [] : [{ agent, scope, file, hooks }]
    })
  )

export const earlierTools: Migration = {
  number: 0,
  name: "earlier-tools",
  from: "0.1.0",
  to: "0.2.0",
  of: "registrations",
  about:
    "Hooks of earlier tools that do what a shipped hook does are taken out, and hooktape is called in their place.",
  perProject: true,
  plan: (place) => {
    const changes = settingsAt(place).flatMap((settings) => changesOf(settings, place))
    // Several agents' settings start one script.
    return changes.filter(({ file }, at) => changes.findIndex((one) => one.file === file) === at)
  }
}
