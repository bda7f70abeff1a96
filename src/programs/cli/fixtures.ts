/** Finds hook calls that were kept as files, and the replies kept beside them. */
import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Either from "effect/Either"
import { agents } from "../../../events/agentEvents.ts"
import { messageOf } from "../../state/messageOf.ts"
import { readRegular } from "../../state/readRegular.ts"
import { CliError } from "./CliError.ts"
import { type EarlierCall, payloadText, readEarlier } from "./earlierCalls.ts"
import type { Launched } from "./launch.ts"
import { runProblem, type ScriptedRun } from "./scriptedPrograms.ts"

export interface Fixture {
  readonly file: string
  readonly agent: string
  readonly event: string
  /** The exact text for standard input. */
  readonly payload: string
  readonly cwd: string | undefined
  /** The hooks that come along are asked too. */
  readonly defaults: boolean
  /** What programs answer; those that it does not name are the machine's. */
  readonly run: ScriptedRun | undefined
  /** Calls of the same agent that are made before it, in their order; only its own reply counts. */
  readonly before: readonly EarlierCall[]
}

const replySuffix = ".reply.json"

export const replyFile = (fixture: string): string => fixture.replace(/(\.json)?$/, replySuffix)

const isFixture = (name: string): boolean => name.endsWith(".json") && !name.endsWith(replySuffix)

const listed = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name)
      return entry.isDirectory() ? listed(path) : isFixture(entry.name) ? [path] : []
    })

/** Files as named, directories with all that is in them. */
export const findFixtures = (named: readonly string[]): Either.Either<readonly string[], CliError> => {
  const files: string[] = []
  for (const name of named) {
    const path = resolve(name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) {
      return Either.left(
        new CliError({
          what: "test",
          file: path,
          reason: "there is no such file or directory",
          remedy:
            "A fixture is a hook call as JSON: {agent, event, payload}, or a payload at <agent>/<Event>.json."
        })
      )
    }
    // A pattern of the shell's names the replies as well.
    if (stat.isDirectory()) files.push(...listed(path))
    else if (!path.endsWith(replySuffix)) files.push(path)
  }
  return Either.right(files)
}

/** Why no agent sends this; its answer would be that of a mistake. */
const notACall = (agent: string, event: string): string | undefined => {
  if (!(agents as readonly string[]).includes(agent))
    return `no agent is called "${agent}" (known: ${agents.join(", ")})`
  return event.trim() === "" ? "it names no event" : undefined
}

/** `{agent, event, payload, cwd?, defaults?, run?, before?}`, or a payload whose place says the rest. */
export const readFixture = (file: string): Either.Either<Fixture, CliError> => {
  const broken = (reason: string) =>
    Either.left(new CliError({ what: "test", file, reason, remedy: "Correct the file, or leave it out." }))
  let text: string
  try {
    text = readRegular(file).toString("utf8")
  } catch (cause) {
    return broken(messageOf(cause))
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const told = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  const { agent, before, event, payload, cwd, defaults, run } = told
  if (typeof agent === "string" && typeof event === "string" && payload !== undefined) {
    const wrong = notACall(agent, event) ?? runProblem(run)
    if (wrong !== undefined) return broken(wrong)
    const text = payloadText(payload)
    if (text === undefined) return broken("its payload is nested too deep")
    const earlier = readEarlier(before)
    if (Either.isLeft(earlier)) return broken(earlier.left)
    return Either.right({
      file,
      agent,
      event,
      payload: text,
      cwd: typeof cwd === "string" ? cwd : undefined,
      defaults: defaults === true,
      run: run as ScriptedRun | undefined,
      before: earlier.right
    })
  }
  // Whatever it holds is what the hook gets: a broken payload is a good fixture.
  const wrong = notACall(basename(dirname(file)), basename(file, ".json"))
  if (wrong !== undefined) return broken(`it is no {agent, event, payload}, and by its place ${wrong}`)
  return Either.right({
    file,
    agent: basename(dirname(file)),
    event: basename(file, ".json"),
    payload: text,
    cwd: undefined,
    defaults: false,
    run: undefined,
    before: []
  })
}

/** Undefined where none is kept. */
export const readReply = (fixture: string): Launched | undefined => {
  try {
    return JSON.parse(readRegular(replyFile(fixture)).toString("utf8")) as Launched
  } catch {
    return undefined
  }
}

export const replyText = ({ exitCode, stdout, stderr }: Launched): string =>
  `${JSON.stringify({ exitCode, stdout, stderr }, null, 2)}\n`
