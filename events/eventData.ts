/** The fields that handlers get with each event, whichever agent it came from. */
import type { Tool } from "./agentEvents.ts"

/** Common to the events of one tool call; the call itself is `tool`. */
interface ToolCallData {
  /** The agent's id of the call: joins `tool.before` with `tool.after`. */
  readonly toolUseId?: string
}

/** One part of a checkpoint's quality. Without `score` there was nothing to judge it by, and its weight is 0. */
export interface QualityPart {
  readonly name: string
  /** Its share of the whole: those of all parts add up to 1, unless there is no evidence at all. */
  readonly weight: number
  /** 0–100. */
  readonly score?: number
  readonly reason: string
}

/**
 * The fields of each event, by its name: what `run` gets beside the fields that all events have.
 *
 * @example
 * type Prompt = EventData["prompt.submit"]
 * const length = ({ prompt }: Prompt) => prompt.length
 */
export interface EventData {
  /** `source`: startup, resume, clear, compact, fork. */
  "session.start": { readonly source: string; readonly model?: string }
  /** `trigger`: init, maintenance. */
  "session.setup": { readonly trigger: string }
  "session.end": { readonly reason: string }
  "session.ending": { readonly reason: string }
  "prompt.submit": { readonly prompt: string }
  /** A command or a prompt template of the user is about to become a prompt. */
  "prompt.expand": { readonly prompt: string; readonly command: string; readonly arguments: string }
  "model.before": { readonly model?: string }
  /** A piece of the model's answer; `final` where the agent says that it was the last. */
  "model.after": { readonly text: string; readonly final?: boolean }
  "tool.before": ToolCallData
  /** `reason`: set when the agent has denied the call by itself. */
  "tool.permission": ToolCallData & { readonly denied: boolean; readonly reason?: string }
  "tool.after": ToolCallData & { readonly durationMs?: number }
  "tool.failure": ToolCallData & {
    readonly error: string
    readonly interrupted: boolean
    readonly durationMs?: number
  }
  /** All calls of one model answer, once they are done. */
  "tool.batch": { readonly tools: readonly Tool[] }
  /** `stopHookActive`: the agent goes on because of a hook already; blocking again may never end. */
  "turn.stop": { readonly stopHookActive: boolean; readonly lastMessage?: string }
  "turn.error": { readonly error: string; readonly details?: string }
  "turn.interrupt": Record<never, never>
  "subagent.start": { readonly agentId: string; readonly agentType: string }
  "subagent.stop": {
    readonly agentId: string
    readonly agentType: string
    readonly stopHookActive: boolean
    readonly lastMessage?: string
  }
  /** `trigger`: manual, auto. */
  "compact.before": { readonly trigger: string; readonly instructions?: string }
  "compact.after": { readonly trigger: string; readonly summary?: string }
  notify: { readonly message: string; readonly kind?: string; readonly title?: string }
  /** `language` is told by the file's name; `from` is the old path of a renamed file. */
  "file.edited": {
    readonly path: string
    readonly language: string
    readonly change: "create" | "update" | "delete" | "rename"
    readonly from?: string
  }
  "command.ran": { readonly command: string; readonly exitCode?: number; readonly output: string }
  /** `signature` is the same for errors that differ only in paths, numbers and quoted texts. */
  "error.observed": { readonly signature: string; readonly message: string; readonly tool?: string }
  "response.given": { readonly text: string }
  /** `about`: the file, the command or the code that is named, else the sentence that praises or corrects. */
  "feedback.given": { readonly polarity: "positive" | "negative"; readonly about: string }
  /** `quality`: 0–100, from what the log and the repository show. A block keeps the checkpoint from being recorded. */
  "checkpoint.before": {
    readonly trigger: string
    readonly quality: number
    readonly components: readonly QualityPart[]
  }
  /** The checkpoint is on the log; `validated` where a hook looked at its quality and let it pass. */
  "checkpoint.after": {
    readonly checkpoint: string
    readonly trigger: string
    readonly quality: number
    readonly components: readonly QualityPart[]
    readonly validated?: boolean
  }
  /** Past material is looked for. A handler that returns `{ metadata: { query } }` rewrites what is looked for. */
  "search.before": { readonly query: string }
  /** A note is about to be stored. `{ metadata: { text } }` changes it, a block keeps it from being stored. */
  "reflection.before": {
    readonly text: string
    readonly kind: string
    readonly tags: readonly string[]
    readonly importance?: number
    readonly source: string
  }
}
