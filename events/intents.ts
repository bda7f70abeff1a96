/** What a handler wants the world to see: five intents, plain data, and their constructors. */

/**
 * JSON as it travels between agent, handler and log.
 *
 * @example
 * const answer: Json = [1, "two", { three: null }]
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/**
 * A JSON object.
 *
 * @example
 * const settings: JsonObject = { branches: ["main"] }
 */
export type JsonObject = { readonly [key: string]: Json }

/**
 * How much a line for the operator matters; `HOOKTAPE_LOG_LEVEL` says from which level on it is written to standard error.
 *
 * @example
 * const level: DiagnosticLevel = "warn"
 */
export type DiagnosticLevel = "debug" | "info" | "warn" | "error"

/**
 * For the operator: the log and standard error; never the model.
 *
 * @example
 * const line: Diagnostic = diagnostic("info", "formatted 3 files")
 */
export interface Diagnostic {
  readonly type: "DIAGNOSTIC"
  readonly level: DiagnosticLevel
  readonly message: string
}

/**
 * What a question means that nobody can be asked: it stops the action, or lets it pass.
 *
 * @example
 * const here: IfCannotAsk = "block"
 */
export type IfCannotAsk = "block" | "allow"

/**
 * For the model and the agent: travels in the one JSON document on standard output.
 *
 * @example
 * const ask: ModelContext = modelContext({ permission: "ask", reason: "This publishes a release." })
 */
export interface ModelContext {
  readonly type: "MODEL_CONTEXT"
  readonly text?: string
  /** `allow` skips the agent's own question, `ask` makes it ask the human. */
  readonly permission?: "allow" | "ask"
  /** With `ask`: why, for the human who is asked. */
  readonly reason?: string
  /** With `ask`: what it means where the agent cannot ask. Default: what the hook says, else `block`. */
  readonly ifCannotAsk?: IfCannotAsk
  /** Merged over the tool's input before the tool runs. */
  readonly updatedInput?: JsonObject
  /** With `updatedInput`: it is the whole input, and what the tool was given beside it is gone. */
  readonly replacesInput?: boolean
  /** Stands in for the tool's output. */
  readonly updatedOutput?: Json
}

/**
 * For the human: the agent's user-message field.
 *
 * @example
 * const hint: UserHint = userHint("Run npm test before you go on.")
 */
export interface UserHint {
  readonly type: "USER_HINT"
  readonly text: string
}

/**
 * For the model, and stops the action.
 *
 * @example
 * const no: BlockingFeedback = blockingFeedback("Use --force-with-lease.")
 */
export interface BlockingFeedback {
  readonly type: "BLOCKING_FEEDBACK"
  readonly reason: string
}

/**
 * For the operating system: the exit code of the hook's process.
 *
 * @example
 * const stop: ExitSignal = exitSignal(2)
 */
export interface ExitSignal {
  readonly type: "EXIT_SIGNAL"
  readonly code: number
}

/**
 * The closed set. The edge alone performs them.
 *
 * @example
 * const said: readonly Intent[] = [userHint("Done."), diagnostic("debug", "took 3 ms")]
 */
export type Intent = Diagnostic | ModelContext | UserHint | BlockingFeedback | ExitSignal

/**
 * A line for the operator.
 *
 * @example
 * diagnostic("warn", "no formatter was found")
 */
export const diagnostic = (level: DiagnosticLevel, message: string): Diagnostic => ({
  type: "DIAGNOSTIC",
  level,
  message
})

/**
 * Text for the model, or a decision or a changed tool input or output for the agent.
 *
 * @example
 * modelContext("The tests take four minutes: run one file.")
 * modelContext({ updatedInput: { command: "npm test -- --run" } })
 */
export const modelContext = (context: string | Omit<ModelContext, "type">): ModelContext =>
  typeof context === "string"
    ? { type: "MODEL_CONTEXT", text: context }
    : { type: "MODEL_CONTEXT", ...context }

/**
 * A short advice for the human.
 *
 * @example
 * userHint("Three files were formatted.")
 */
export const userHint = (text: string): UserHint => ({ type: "USER_HINT", text })

/**
 * Stops the action and tells the model why.
 *
 * @example
 * blockingFeedback("main is protected: work on a branch.")
 */
export const blockingFeedback = (reason: string): BlockingFeedback => ({ type: "BLOCKING_FEEDBACK", reason })

/**
 * An exit code. Only 0 and 2 mean the same to every agent.
 *
 * @example
 * exitSignal(exitCodes.blocking)
 */
export const exitSignal = (code: number): ExitSignal => ({ type: "EXIT_SIGNAL", code })
