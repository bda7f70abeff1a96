/** What of the log can be found again: each fact that says something, as texts to look in. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Fact } from "../../../events/facts.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { readCall } from "./observedChanges.ts"

/** `fix`: a command that failed and then succeeded, with what was done in between. */
export type DocumentKind = "note" | "summary" | "prompt" | "error" | "fix"

/** What one fact means for what can be found. */
export type Change =
  | {
      readonly type: "add"
      readonly kind: DocumentKind
      readonly text: string
      /** One document at most has it: a later one takes its place. */
      readonly key?: string
      /** The later one is that which happened later, whenever it was taken in. */
      readonly isDated?: true
    }
  | { readonly type: "remove"; readonly key: string }
  | { readonly type: "failed"; readonly command: string; readonly error: string }
  | { readonly type: "succeeded"; readonly command: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "ended" }

const longest = { prompt: 4000, error: 2000, excerpt: 600, note: 20_000, command: 500 } as const

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`

const textIn = (data: JsonObject, name: string): string => {
  const value = data[name]
  return typeof value === "string" ? value : ""
}

/** The same command, however it was spaced. */
export const commandKey = (command: string): string =>
  clipped(command.replace(/\s+/g, " ").trim(), longest.command)

/** The end of an output: what went wrong stands last. */
const tail = (output: string): string => {
  const text = output.trim()
  return text.length <= longest.excerpt ? text : `…${text.slice(-longest.excerpt)}`
}

const errorIn = (events: readonly Dispatched[]): string | undefined => {
  const error = events.find(({ event }) => event === "error.observed")
  return error && textIn(error.data, "message")
}

/** Whether a shell command did what it was to do, as far as the agent tells. */
export const hasFailed = (
  data: JsonObject,
  events: readonly Dispatched[],
  tool: Tool | undefined
): boolean => {
  const { exitCode } = data
  if (typeof exitCode === "number") return exitCode !== 0
  return tool?.ok === false || errorIn(events) !== undefined
}

/** Asked twice in a session it is found once; so is what a hook and a transcript tell of. */
const promptOf = (prompt: string): readonly Change[] => {
  const text = clipped(prompt.trim(), longest.prompt)
  return text === "" ? [] : [{ type: "add", kind: "prompt", text, key: `prompt ${text}`, isDated: true }]
}

const changesOf = (
  { data, event }: Dispatched,
  events: readonly Dispatched[],
  tool: Tool | undefined
): readonly Change[] => {
  switch (event) {
    case "prompt.submit": {
      return promptOf(textIn(data, "prompt"))
    }
    case "error.observed": {
      const message = textIn(data, "message").trim()
      if (message === "") return []
      const key = `error ${textIn(data, "signature")}`
      return [{ type: "add", kind: "error", text: clipped(message, longest.error), key, isDated: true }]
    }
    case "file.edited":
      return [{ type: "edited", path: textIn(data, "path") }]
    case "command.ran": {
      const command = commandKey(textIn(data, "command"))
      if (command === "") return []
      if (!hasFailed(data, events, tool)) return [{ type: "succeeded", command }]
      const output = textIn(data, "output")
      return [{ type: "failed", command, error: tail(output === "" ? (errorIn(events) ?? "") : output) }]
    }
    case "session.end":
      return [{ type: "ended" }]
    default:
      return []
  }
}

/** `agent`: whose transcript it is from. */
export const changesIn = (fact: Fact, agent: string | null = null): readonly Change[] => {
  switch (fact.type) {
    case "PROMPT_OBSERVED":
      return fact.automatic === true ? [] : promptOf(fact.text)
    case "TOOL_CALL_OBSERVED": {
      const read = readCall(fact, agent)
      return read === undefined ? [] : read.events.flatMap((one) => changesOf(one, read.events, read.tool))
    }
    case "PAYLOAD_BUFFERED":
      return fact.events.flatMap((one) => changesOf(one, fact.events, fact.tool))
    case "NOTE_RECORDED": {
      const tags = (fact.tags ?? []).join(" ")
      const kind = fact.kind === "summary" ? "summary" : "note"
      const text = clipped(fact.text, longest.note) + (tags === "" ? "" : `\n${tags}`)
      return [{ type: "add", kind, text, key: `note ${fact.note}` }]
    }
    case "NOTE_RETRACTED":
      return [{ type: "remove", key: `note ${fact.note}` }]
    default:
      return []
  }
}

/** The types of facts that mean anything here. */
export const searchedTypes = [
  "PAYLOAD_BUFFERED",
  "NOTE_RECORDED",
  "NOTE_RETRACTED",
  "PROMPT_OBSERVED",
  "TOOL_CALL_OBSERVED"
] as const

/** A command that failed and has not succeeded since. */
export interface OpenFailure {
  readonly command: string
  readonly error: string
  /** What was done since, oldest first. */
  readonly did: readonly string[]
}

const maxSteps = 10

/** What is done between a failure and a success may be what helped. */
export const withStep = (failure: OpenFailure, step: string): OpenFailure =>
  failure.did.includes(step) ? failure : { ...failure, did: [...failure.did, step].slice(-maxSteps) }

export const fixText = ({ command, did, error }: OpenFailure): string =>
  [
    `\`${command}\` failed, and succeeded later.`,
    ...(error === "" ? [] : [error]),
    ...(did.length === 0 ? [] : [`In between: ${did.join("; ")}.`])
  ].join("\n")
