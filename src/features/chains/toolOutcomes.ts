/** What a tool call means for chains, told by the facts of its invocation: what failed, what went well, what was done. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { signatureOf } from "../../agents/signature.ts"
import { cut } from "../../redact/cut.ts"
import { outcomeOf, recognise } from "../checkpoints/commands.ts"
import { commandKey, hasFailed } from "../search/documents.ts"
import { isInterruption, saysNo } from "./asking.ts"
import { isAttempt } from "./attempts.ts"
import type { ErrorContext, Subject } from "./Chain.ts"
import { placeIn } from "./where.ts"

export interface Failure {
  readonly subject: Subject
  readonly signature: string
  readonly message: string
  readonly context: Omit<ErrorContext, "cwd">
}

export interface ToolOutcomes {
  readonly failed?: Failure
  /** All that went well with it. */
  readonly well: readonly Subject[]
  /** How people call what went well. */
  readonly by: string
  readonly did: readonly {
    readonly kind: "edit" | "command"
    readonly what: string
    readonly failed: boolean
  }[]
  readonly ended: boolean
}

/** As much of a buffered payload as is needed. */
export interface Buffered {
  readonly events: readonly Dispatched[]
  readonly tool?: Tool | undefined
}

export const unknownError = "Unknown error"

const longestMessage = 1000

const textIn = (data: JsonObject | undefined, name: string): string => {
  const value = data?.[name]
  return typeof value === "string" ? value : ""
}

const subjectsOf = (tool: Tool | undefined, named: string): readonly Subject[] => {
  if (tool?.command !== undefined) {
    const { command } = tool
    const whole: Subject = { type: "other", name: `command ${commandKey(command)}` }
    const checks = recognise(command).map(
      ({ purpose, text }): Subject => ({
        type: "check",
        purpose,
        text: commandKey(text),
        ...placeIn(command, text)
      })
    )
    // Of several in one line nobody knows which it was.
    return checks.length === 1 ? [...checks, whole] : [whole, ...checks]
  }
  const name = tool?.name ?? named
  return [{ type: "other", name: tool?.path === undefined ? `tool ${name}` : `${tool.kind} ${tool.path}` }]
}

const callOf = (tool: Tool | undefined, named: string): string =>
  tool?.command === undefined
    ? [tool?.name ?? named, tool?.path].filter((part) => part !== undefined && part !== "").join(" ")
    : commandKey(tool.command)

const contextOf = (tool: Tool | undefined, named: string): Failure["context"] => ({
  tool: tool?.name ?? (named === "" ? null : named),
  command: tool?.command === undefined ? null : commandKey(tool.command),
  path: tool?.path ?? null
})

/** What the agent reports as an error. Without any detail it is none. */
const observed = (
  error: Dispatched | undefined,
  tool: Tool | undefined,
  named: string
): Failure | undefined => {
  const message = textIn(error?.data, "message").trim()
  const signature = textIn(error?.data, "signature")
  const [subject] = subjectsOf(tool, named)
  if (error === undefined || subject === undefined) return undefined
  if (message === "" && signature === "" && named === "" && tool === undefined) return undefined
  if (isInterruption(message) || saysNo(tool?.command ?? "", tool?.exitCode, message)) return undefined
  return {
    subject,
    signature: signature === "" ? signatureOf(message === "" ? unknownError : message) : signature,
    message: message === "" ? unknownError : cut(message, longestMessage),
    context: contextOf(tool, named)
  }
}

/** Undefined where nothing tells. */
const checkOutcome = (
  { events, tool }: Buffered,
  ran: Dispatched | undefined,
  isMasked: boolean
): boolean | undefined => {
  const exitCode = ran?.data["exitCode"]
  const code = typeof exitCode === "number" ? exitCode : undefined
  return outcomeOf(isMasked, code, hasFailed(ran?.data ?? {}, events, tool), textIn(ran?.data, "output"))
}

/** A check that says in its output that it failed, where no exit code does. */
const saidToFail = (buffered: Buffered, ran: Dispatched | undefined): Failure | undefined => {
  const { tool } = buffered
  const [check, another] = recognise(tool?.command ?? "")
  const output = textIn(ran?.data, "output").trim()
  if (check === undefined || another !== undefined || output === "") return undefined
  if (checkOutcome(buffered, ran, check.isMasked) !== false) return undefined
  const [subject] = subjectsOf(tool, "")
  return (
    subject && {
      subject,
      signature: signatureOf(output),
      message: cut(output, longestMessage),
      context: contextOf(tool, "")
    }
  )
}

const wellIn = (buffered: Buffered, ran: Dispatched | undefined): readonly Subject[] => {
  const { events, tool } = buffered
  const isOver = ran !== undefined || events.some(({ event }) => event === "tool.after")
  if (tool === undefined || !isOver || tool.ok === false || hasFailed(ran?.data ?? {}, events, tool))
    return []
  const checks = recognise(tool.command ?? "")
  const isSure = checks.every(({ isMasked }) => checkOutcome(buffered, ran, isMasked) === true)
  return isSure ? subjectsOf(tool, "") : []
}

const didIn = (
  events: readonly Dispatched[],
  ran: Dispatched | undefined,
  failed: boolean
): ToolOutcomes["did"] => {
  const edits = events.flatMap(({ data, event }) =>
    event === "file.edited" ? [{ kind: "edit" as const, what: textIn(data, "path"), failed: false }] : []
  )
  const command = textIn(ran?.data, "command")
  return isAttempt(command) ? [...edits, { kind: "command", what: commandKey(command), failed }] : edits
}

export const toolOutcomesIn = (buffered: Buffered): ToolOutcomes => {
  const { events, tool } = buffered
  const error = events.find(({ event }) => event === "error.observed")
  const ran = events.find(({ event }) => event === "command.ran")
  const named = textIn(error?.data, "tool")
  const stopped = events.some(({ data, event }) => event === "tool.failure" && data["interrupted"] === true)
  const said = error === undefined ? saidToFail(buffered, ran) : observed(error, tool, named)
  const failed = stopped ? undefined : said
  return {
    ...(failed === undefined ? {} : { failed }),
    well: failed === undefined ? wellIn(buffered, ran) : [],
    by: callOf(tool, named),
    did: didIn(events, ran, failed !== undefined || hasFailed(ran?.data ?? {}, events, tool)),
    ended: events.some(({ event }) => event === "session.end")
  }
}
