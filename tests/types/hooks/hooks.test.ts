/** What a hook author can write, and what the compiler must refuse. The checks happen in `tsc`; running shows only that it loads. */
import * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import {
  blockingFeedback,
  defineHook,
  diagnostic,
  type EventData,
  exitSignal,
  type Hook,
  type HookContext,
  type Intent,
  type Json,
  type JsonObject,
  modelContext,
  type Tool,
  type ToolKind,
  userHint
} from "../../../src/index.ts"

const name = "typed"

describe("a hook in the background", () => {
  it("says nothing that nobody would hear", () => {
    const later = { name, on: "file.edited", background: true } as const
    defineHook({ ...later, run: ({ path }) => diagnostic("info", path) })
    defineHook({ ...later, run: async () => [diagnostic("info", "done")] })
    defineHook({ ...later, run: () => Effect.void })
    defineHook({ ...later, run: () => ({ metadata: { seen: 1 } }) })
    // @ts-expect-error the model has its answer by then
    defineHook({ ...later, run: () => modelContext("late") })
    // @ts-expect-error what it would block is done
    defineHook({ ...later, run: async () => [diagnostic("info", "done"), blockingFeedback("late")] })
    // @ts-expect-error nobody shows it
    defineHook({ ...later, run: () => {}, onError: () => userHint("late") })
    defineHook({ ...later, deliver: "next", run: ({ path }) => [modelContext(path), userHint("read it")] })
    const newest = { to: "next", within: "7 days", keep: "newest" } as const
    defineHook({
      ...later,
      deliver: newest,
      run: async () => modelContext("x")
    })
    // @ts-expect-error what it would block is done
    defineHook({ ...later, deliver: "next", run: () => blockingFeedback("late") })
    // @ts-expect-error there is no other event to say it at
    defineHook({ ...later, deliver: "last", run: () => modelContext("x") })
    // @ts-expect-error its own reply is still to come
    defineHook({ name, on: "file.edited", deliver: "next", run: () => modelContext("in time") })
    defineHook({ name, on: "file.edited", background: false, run: () => modelContext("in time") })
  })
})

describe("what run gets", () => {
  it("follows from the event", () => {
    defineHook({
      name,
      on: "tool.before",
      run: (context) => {
        expectTypeOf(context.event).toEqualTypeOf<"tool.before">()
        expectTypeOf(context.tool).toEqualTypeOf<Tool>()
        expectTypeOf(context.tool.kind).toEqualTypeOf<ToolKind>()
        expectTypeOf(context.payload).toEqualTypeOf<JsonObject>()
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
        // @ts-expect-error a tool call has no prompt
        void context.prompt
        // @ts-expect-error what a handler gets is not its to change
        context.cwd = "/"
      }
    })
    defineHook({
      name,
      on: "prompt.submit",
      run: (context) => {
        expectTypeOf(context.prompt).toEqualTypeOf<string>()
        expectTypeOf(context.tool).toEqualTypeOf<Tool | undefined>()
        // @ts-expect-error there may be no tool here
        void context.tool.name
      }
    })
    defineHook({
      name,
      on: "file.edited",
      run: ({ change, from, language, path }) => {
        expectTypeOf(path).toEqualTypeOf<string>()
        expectTypeOf(language).toEqualTypeOf<string>()
        expectTypeOf(from).toEqualTypeOf<string | undefined>()
        expectTypeOf(change).toEqualTypeOf<"create" | "update" | "delete" | "rename">()
      }
    })
    defineHook({
      name,
      on: "command.ran",
      run: ({ exitCode, output }) => {
        expectTypeOf(exitCode).toEqualTypeOf<number | undefined>()
        expectTypeOf(output).toEqualTypeOf<string>()
      }
    })
  })

  it("of several events is what they share, until the event is asked for", () => {
    defineHook({
      name,
      on: ["prompt.submit", "response.given"],
      run: (context) => {
        expectTypeOf(context.event).toEqualTypeOf<"prompt.submit" | "response.given">()
        // @ts-expect-error only one of the two has a prompt
        void context.prompt
        if (context.event === "prompt.submit") expectTypeOf(context.prompt).toEqualTypeOf<string>()
        else expectTypeOf(context.text).toEqualTypeOf<string>()
      }
    })
  })

  it("of an agent's own event is JSON", () => {
    defineHook({
      name,
      on: "agent.WorktreeCreate",
      run: (context) => {
        expectTypeOf(context["anything"]).toEqualTypeOf<Json | undefined>()
      }
    })
  })

  it("is there for every event that has data", () => {
    expectTypeOf<HookContext<keyof EventData>>().not.toBeNever()
    expectTypeOf<EventData["turn.stop"]>().toHaveProperty("stopHookActive")
  })
})

describe("what run may answer", () => {
  it("is nothing, intents, a patch, or any of these later", () => {
    const on = "notify"
    defineHook({ name, on, run() {} })
    defineHook({ name, on, run: () => undefined })
    defineHook({ name, on, run: () => userHint("x") })
    defineHook({ name, on, run: () => [diagnostic("info", "x"), modelContext("y"), exitSignal(0)] })
    defineHook({ name, on, run: () => ({ metadata: { seen: true } }) })
    defineHook({ name, on, run: async () => ({ intents: blockingFeedback("x"), metadata: {} }) })
    defineHook({ name, on, run: () => ({ chain: "a1b2" }) })
    defineHook({ name, on, run: async () => ({ intents: [userHint("x")], metadata: {}, chain: "a1b2" }) })
    defineHook({ name, on, run: async () => {} })
    defineHook({ name, on, run: ({ message }) => (message === "" ? undefined : userHint(message)) })
    defineHook({ name, on, run: () => Effect.succeed(userHint("x")) })
    defineHook({ name, on, run: () => Effect.void })
    defineHook({
      name,
      on,
      run: () =>
        Effect.gen(function* () {
          return yield* Effect.succeed([userHint("x")])
        })
    })
    // @ts-expect-error a chain is a text
    defineHook({ name, on, run: () => ({ chain: 7 }) })
    // @ts-expect-error a text is no intent
    defineHook({ name, on, run: () => "stop" })
    // @ts-expect-error a number is no intent
    defineHook({ name, on, run: async () => 2 })
    // @ts-expect-error there is no such intent
    defineHook({ name, on, run: () => ({ type: "SHOUT", text: "x" }) })
    // @ts-expect-error a hint has a text
    defineHook({ name, on, run: () => ({ type: "USER_HINT", message: "x" }) })
    // @ts-expect-error an Effect of a text is no intent either
    defineHook({ name, on, run: () => Effect.succeed("stop") })
  })

  it("is made by constructors that know their words", () => {
    expectTypeOf(modelContext("x")).toExtend<Intent>()
    modelContext({ permission: "ask", updatedInput: { command: "ls" } })
    // @ts-expect-error blocking is an intent of its own
    modelContext({ permission: "deny" })
    // @ts-expect-error there is no such level
    diagnostic("fatal", "x")
    // @ts-expect-error a code is a number
    exitSignal("2")
  })
})

describe("what a hook may say of itself", () => {
  const run = () => undefined
  it("is checked", () => {
    const hook = defineHook({
      name,
      on: ["tool.before", "session.start"],
      when: {
        tool: ["shell", "edit"],
        toolName: /^mcp__/,
        command: "rm",
        path: ["src/**"],
        project: "~/work/**"
      },
      priority: 50,
      deadline: "2 seconds",
      onFailure: "block",
      agents: ["claude-code"],
      enabled: true,
      metadata: { owner: "me" },
      run
    })
    expectTypeOf(hook).toEqualTypeOf<Hook<"tool.before" | "session.start">>()
    expectTypeOf(hook).toExtend<Hook>()
    defineHook({ name, on: "notify", deadline: 250, run })
    // @ts-expect-error there is no such event
    defineHook({ name, on: "tool.befor", run })
    // @ts-expect-error one of these events is not there
    defineHook({ name, on: ["tool.before", "PreToolUse"], run })
    // @ts-expect-error a priority is a number
    defineHook({ name, on: "notify", priority: "high", run })
    // @ts-expect-error hours are no unit
    defineHook({ name, on: "notify", deadline: "2 hours", run })
    defineHook({ name, on: "notify", cooldown: "2 hours", once: "project", retry: 3, run })
    defineHook({ name, on: "notify", cooldown: { for: 10, scope: "project" }, run })
    defineHook({ name, on: "notify", rateLimit: { limit: 3, per: "1 day" }, retry: { attempts: 2 }, run })
    defineHook({ name, on: "tool.before", when: { matches: ({ tool }) => tool.kind === "shell" }, run })
    defineHook({ name, on: "prompt.submit", when: { matches: ({ prompt }) => prompt === "" }, run })
    // @ts-expect-error nobody waits at a condition
    defineHook({ name, on: "tool.before", when: { matches: async () => true }, run })
    // @ts-expect-error a limit counts in a session or a project
    defineHook({ name, on: "notify", once: "day", run })
    // @ts-expect-error there is no such policy
    defineHook({ name, on: "notify", onFailure: "deny", run })
    // @ts-expect-error there is no such agent
    defineHook({ name, on: "notify", agents: ["claude"], run })
    // @ts-expect-error there is no such kind of tool
    defineHook({ name, on: "notify", when: { tool: "bash" }, run })
    // @ts-expect-error a command is a text or a pattern
    defineHook({ name, on: "notify", when: { command: ["rm"] }, run })
    // @ts-expect-error a misspelt setting is not passed over
    defineHook({ name, on: "notify", prioritty: 1, run })
    // @ts-expect-error a hook has a name
    defineHook({ on: "notify", run })
    // @ts-expect-error a hook does something
    defineHook({ name, on: "notify" })
  })
})
