/** How a hook author says what to run when: one typed value per hook. */
import type { Agent, HookEvent, ToolKind } from "../../events/agentEvents.ts"
import type { Diagnostic, IfCannotAsk, JsonObject, ModelContext, UserHint } from "../../events/intents.ts"
import type { EffectOf, HookContext, HookResult, WhenContext } from "./HookContext.ts"
import type {
  Cooldown,
  Delivery,
  Duration,
  FailurePolicy,
  LimitScope,
  LongDuration,
  RateLimit,
  Retry,
  WhenFull
} from "./hookOptions.ts"

/**
 * Which calls a hook is for: all conditions that are given have to hold.
 *
 * @example
 * const publishing: When<"tool.before"> = { tool: "shell", command: /^npm publish\b/ }
 */
export interface When<E extends HookEvent = HookEvent> {
  readonly tool?: ToolKind | readonly ToolKind[]
  /** The agent's own tool name, or several. */
  readonly toolName?: string | readonly string[] | RegExp
  /** The command line of a shell tool. */
  readonly command?: string | RegExp
  /** Globs over the tool's paths, relative to the project: `src/**` and the like. */
  readonly path?: string | readonly string[]
  /** Globs over the project's directory. */
  readonly project?: string | readonly string[]
  readonly agent?: Agent | readonly Agent[]
  /**
   * Asked last, when all else holds. Pure and quick: it may be called in any process, and what it does besides answering is
   * nobody's. One that throws, hangs or answers neither true nor false leaves the hook to its `onFailure`.
   */
  // A method, so that hooks of different events fit into one list of hooks.
  matches?(context: WhenContext<E>): boolean
}

/**
 * All that a hook can say of itself.
 *
 * @example
 * const definition: HookDefinition<"tool.before"> = {
 *   name: "no-publish",
 *   on: "tool.before",
 *   when: { command: /^npm publish\b/ },
 *   onFailure: "block",
 *   run: () => blockingFeedback("Releases are published by CI.")
 * }
 */
export interface HookDefinition<E extends HookEvent = HookEvent> {
  /**
   * Unique. Of two hooks of one owner with the same name the one found later counts, of nested projects the nearest; a project's
   * hook with the name of one of the user's own is left out.
   */
  readonly name: string
  readonly on: E | readonly E[]
  readonly when?: When<E>
  /** 0–1000, lower first; equal priorities keep the order of registration. Default 500. */
  readonly priority?: number
  /** How long `run` may take. Default: what is left of the invocation's deadline. */
  readonly deadline?: Duration
  /** Default `"allow"`. */
  readonly onFailure?: FailurePolicy
  /** What an `ask` of the hook, or of its `onFailure`, means where the agent cannot ask. Default `"block"`. */
  readonly ifCannotAsk?: IfCannotAsk
  /** Default: every agent. */
  readonly agents?: readonly Agent[]
  /** Default true. */
  readonly enabled?: boolean
  /**
   * Runs as a job after the reply, again after a failure. What it returns is kept with the job: neither the model nor the
   * human hears of it unless `deliver` says so, and it cannot block; the compiler lets it return what somebody hears alone.
   * `deadline` is then its own, 1 minute by default. Default false.
   */
  readonly background?: boolean
  /**
   * In the background: what it says to the model or the human is said at the session's next event at which the agent takes it,
   * such as the next prompt or the next answer of a tool; the same word is said once.
   */
  readonly deliver?: "next" | Delivery
  /**
   * In the background, where 100 jobs of the hook wait in a project, or 1000 in all: the newest takes the place of the oldest, or is
   * refused. Default `"supersede"`.
   */
  readonly whenFull?: WhenFull
  /** Runs once in each session, or once in each project. */
  readonly once?: LimitScope
  /** Stays out for so long after each run, per session unless it says otherwise. */
  readonly cooldown?: LongDuration | Cooldown
  /** At most so many runs within so long. */
  readonly rateLimit?: RateLimit
  /**
   * How often `run` is tried while it fails, all within `deadline` and what is left of the invocation's. In the background: how
   * many attempts the job has, 5 by default. Default 1.
   */
  readonly retry?: number | Retry
  /**
   * true: it works in the agent's directory, and is left out where that does not exist; with `onFailure` `"block"` or `"ask"` that
   * is what is said then. Default false.
   */
  readonly needsDirectory?: boolean
  /** true: no hook of a nested project takes its place by having its name. Default false. */
  readonly final?: boolean
  readonly metadata?: JsonObject
  /** What the configuration can change of what the hook does: `hooks.<name>.settings` is laid over it, key by key. */
  readonly settings?: JsonObject
  // A method, so that hooks of different events fit into one list of hooks.
  run(context: HookContext<E>): HookResult | Promise<HookResult> | EffectOf<HookResult>
  /** Called when `run` failed or was late; what it returns is said besides what `onFailure` decides. Its own failure is recorded. */
  onError?(error: Error, context: HookContext<E>): HookResult | Promise<HookResult> | EffectOf<HookResult>
}

/** The mark by which a build recognises hooks among a file's exports. */
const mark = Symbol.for("hooktape/Hook")

/**
 * A hook as `defineHook` makes it: what a hook file exports.
 *
 * @example
 * const all: readonly Hook[] = [defineHook({ name: "hello", on: "session.start", run: () => userHint("Hello.") })]
 */
export type Hook<E extends HookEvent = HookEvent> = HookDefinition<E> & { readonly [key: symbol]: true }

type Returned<R> = R | Promise<R> | EffectOf<R>

/**
 * A hook that runs while the agent waits.
 *
 * @example
 * const waited: ForegroundDefinition<"prompt.submit"> = {
 *   name: "no-secrets",
 *   on: "prompt.submit",
 *   run: ({ prompt }) => (prompt.includes("BEGIN PRIVATE KEY") ? blockingFeedback("That is a private key.") : undefined)
 * }
 */
export interface ForegroundDefinition<E extends HookEvent = HookEvent> extends HookDefinition<E> {
  readonly background?: false
  readonly deliver?: never
}

/**
 * A hook that runs after the reply: what it says to the model, the human or the agent would reach nobody, so it may speak to the log alone.
 *
 * @example
 * const aside: BackgroundDefinition<"turn.stop"> = {
 *   name: "count-turns",
 *   on: "turn.stop",
 *   background: true,
 *   run: ({ session }) => diagnostic("info", `a turn of ${session} is over`)
 * }
 */
export interface BackgroundDefinition<E extends HookEvent = HookEvent>
  extends Omit<HookDefinition<E>, "background" | "deliver" | "run" | "onError"> {
  readonly background: true
  readonly deliver?: never
  run(context: HookContext<E>): Returned<HookResult<Diagnostic>>
  onError?(error: Error, context: HookContext<E>): Returned<HookResult<Diagnostic>>
}

/**
 * A hook that runs after the reply, and speaks at the session's next event.
 *
 * @example
 * const told: DeliveredDefinition<"file.edited"> = {
 *   name: "test-after-edit",
 *   on: "file.edited",
 *   background: true,
 *   deliver: "next",
 *   run: async ({ services }) => {
 *     const { exitCode, stdout } = await services.run("npm", ["test"])
 *     return exitCode === 0 ? undefined : modelContext(`The tests fail: ${stdout.slice(-500)}`)
 *   }
 * }
 */
export interface DeliveredDefinition<E extends HookEvent = HookEvent>
  extends Omit<HookDefinition<E>, "background" | "deliver" | "run" | "onError"> {
  readonly background: true
  readonly deliver: "next" | Delivery
  run(context: HookContext<E>): Returned<HookResult<Diagnostic | ModelContext | UserHint>>
  onError?(error: Error, context: HookContext<E>): Returned<HookResult<Diagnostic>>
}

/**
 * A hook, checked by the compiler: `run` sees exactly the fields its events have, and returns what somebody can still hear.
 *
 * @example
 * export default defineHook({
 *   name: "no-force-push",
 *   on: "tool.before",
 *   when: { tool: "shell", command: /git push .*--force\b/ },
 *   run: () => blockingFeedback("Use --force-with-lease.")
 * })
 */
export const defineHook = <const E extends HookEvent>(
  definition: ForegroundDefinition<E> | BackgroundDefinition<E> | DeliveredDefinition<E>
): Hook<E> => ({
  ...definition,
  [mark]: true
})

export const isHook = (value: unknown): value is Hook =>
  typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[mark] === true
