/** Makes a hook of a command in any language: it reads the payload, and what it says is read as its agent would. */
import type { JsonObject } from "../../events/intents.ts"
import type { Answer } from "../agents/answers/Answer.ts"
import { readAnswer } from "../agents/answers/readAnswer.ts"
import { defineHook, type Hook } from "../hooks/defineHook.ts"
import { type ExternalDefinition, ownOptions, whenOf } from "../hooks/external.ts"
import type { HookContext, HookResult } from "../hooks/HookContext.ts"
import type { Ran } from "../hooks/Services.ts"
import { callEnvironment } from "../state/callEnvironment.ts"
import { runCommand } from "../trust/runCommand.ts"
import { withoutShells } from "../trust/startVariables.ts"
import { type Consented, consentedCommand } from "./consentedCommand.ts"
import { plainWords } from "./plainWords.ts"

export interface External extends Consented {
  readonly definition: ExternalDefinition
  /** Tells this content of its files from any other; none where it names no file that a build keeps. */
  readonly code?: string
}

/** What a handler in TypeScript gets, as far as it is data. */
const ownPayload = (context: HookContext): JsonObject => {
  const { services: _, signal: __, ...data } = context as unknown as Record<string, unknown>
  return JSON.parse(JSON.stringify(data)) as JsonObject
}

/** As agents have it: where their directory is gone, the project's. */
const directoryOf = ({ cwd, project }: HookContext): string =>
  process.getBuiltinModule("node:fs").existsSync(cwd) ? cwd : project

const longestMs = 600_000
const maxOutput = 1_048_576

const start = (
  external: External,
  context: HookContext,
  input: string,
  shell: readonly [string, ...string[]]
): Promise<Ran> => {
  const { projectCode = false } = external.definition
  const { command, end, env } = consentedCommand({ ...external, projectCode })
  const cwd = directoryOf(context)
  const run = ([program, ...args]: readonly [string, ...string[]]): Promise<Ran> =>
    runCommand(
      program,
      args,
      // A shell tells its programs where they are.
      {
        callEnvironment: withoutShells(callEnvironment()),
        cwd,
        timeout: longestMs,
        maxOutput,
        input,
        env: { PWD: cwd, ...env }
      },
      (stop) => {
        context.signal.addEventListener("abort", stop)
        return () => context.signal.removeEventListener("abort", stop)
      }
    )
  const byShell = () => run([...shell, command])
  const words = process.platform === "win32" ? undefined : plainWords(command)
  return (
    words === undefined ? byShell() : run(words).then((ran) => (wasBegun(ran) ? ran : byShell()))
  ).finally(end)
}

/** What cannot be started is for the shell to say in its own words. */
const wasBegun = ({ failure }: Ran): boolean => failure !== "missing" && failure !== "refused"

const shellHere: readonly [string, ...string[]] =
  process.platform === "win32" ? ["bash", "-c"] : ["/bin/sh", "-c"]

const answerOf = ({ exitCode, failure, stderr, stdout, truncated }: Ran): Answer => {
  if (failure !== undefined || exitCode === null)
    throw new Error(
      failure === "missing" ? "there is no shell to run it" : `was ended: ${failure ?? "no exit code"}`
    )
  if (truncated) throw new Error(`wrote more than ${maxOutput} bytes`)
  return { exitCode, stdout, stderr }
}

export const externalHook = (external: External): Hook => {
  const { code, definition } = external
  const options = Object.fromEntries(
    Object.entries(definition).filter(([key]) => !(ownOptions as readonly string[]).includes(key))
  )
  const isOwn = definition.payload === "hooktape"
  return defineHook({
    ...(options as unknown as Pick<ExternalDefinition, "name"> & { readonly on: Hook["on"] }),
    when: whenOf(definition),
    metadata: { command: definition.run },
    run: async (context): Promise<HookResult> => {
      const { agent, agentEvent, services } = context
      const input = `${JSON.stringify(isOwn ? ownPayload(context) : context.payload)}\n`
      // Recorded as what it was asked and what it said: a replay starts nothing, and other code has said nothing yet.
      const asked = { run: definition.run, agentEvent, ...(code === undefined ? {} : { code }) }
      const ran = await services.call("command", asked, async () =>
        JSON.parse(JSON.stringify(await start(external, context, input, shellHere)))
      )
      const meaning = readAnswer[isOwn ? "raw" : agent](agentEvent, answerOf(ran as unknown as Ran))
      if ("failed" in meaning) throw new Error(meaning.failed)
      return meaning.intents
    }
  })
}
