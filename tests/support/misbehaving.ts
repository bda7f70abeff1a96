/** Handlers that do everything a handler should not, and what is to be said of each. */
import { expect } from "vitest"
import { modelContext, userHint } from "../../events/intents.ts"

export const failure = (message: string, name = "Error") => ({
  type: "HANDLER_FAILED",
  error: { name, message: expect.stringMatching(message) as string }
})

/** Lets everything that is due happen first. */
export const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits for a fact, however long it takes. */
export const past = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await later()
}

/** By hand: an object with a `then` of its own. */
export const thenable = (descriptor: PropertyDescriptor): object =>
  Object.defineProperty({}, ["th", "en"].join(""), descriptor)

const hostile = Object.assign(new Error("x"), { message: { toString: null }, stack: 7 })
const trap = new Proxy(new Error("x"), {
  get: (target, key) => {
    if (key === "message" || key === "stack" || key === "name") throw new Error("no")
    return Reflect.get(target, key)
  }
})

export const misbehaving: readonly (readonly [string, unknown, ReturnType<typeof failure>])[] = [
  [
    "throws",
    () => {
      throw new TypeError("boom")
    },
    failure("^boom$", "TypeError")
  ],
  [
    "rejects",
    async () => {
      await later()
      throw new RangeError("late boom")
    },
    failure("^late boom$", "RangeError")
  ],
  [
    "throws a string",
    () => {
      throw "just text"
    },
    failure("^just text$")
  ],
  [
    "throws undefined",
    () => {
      throw undefined
    },
    failure("^threw undefined$")
  ],
  [
    "throws an object",
    () => {
      throw { code: 3 }
    },
    failure('^threw \\{"code":3\\}$')
  ],
  [
    "throws what cannot become text",
    () => {
      throw Object.create(null)
    },
    failure("^threw \\[object Object\\]$")
  ],
  ["rejects with a symbol", () => Promise.reject(Symbol("s")), failure("^threw Symbol\\(s\\)$")],
  [
    "throws an error whose fields are no text",
    () => {
      throw hostile
    },
    failure("object Object")
  ],
  [
    "throws an error that cannot be read",
    () => {
      throw trap
    },
    failure("^$")
  ],
  [
    "returns a thenable whose then throws",
    () =>
      thenable({
        value: () => {
          throw new Error("bad then")
        }
      }),
    failure("^bad then$")
  ],
  [
    "returns an object whose then cannot be read",
    () =>
      thenable({
        get: () => {
          throw new Error("no then")
        }
      }),
    failure("^no then$")
  ],
  [
    "returns junk",
    () => ({ hello: "world" }),
    failure('^returned {"hello":"world"}, which is not an intent$', "NotAnIntent")
  ],
  ["returns text", () => "plain text", failure('^returned "plain text"', "NotAnIntent")],
  ["returns a list with a hole", () => [userHint("x"), undefined], failure("not an intent", "NotAnIntent")],
  ["resolves to junk", async () => 7, failure("^returned 7, which", "NotAnIntent")],
  ["returns an unknown intent", () => ({ type: "LAUNCH_ROCKET" }), failure("LAUNCH_ROCKET", "NotAnIntent")],
  [
    "returns an exit code no process has",
    () => ({ type: "EXIT_SIGNAL", code: 256 }),
    failure("EXIT_SIGNAL", "NotAnIntent")
  ],
  [
    "returns what is no data",
    () => modelContext({ updatedOutput: 1n as never }),
    failure("BigInt", "TypeError")
  ],
  [
    "returns a cycle",
    () => {
      const a: Record<string, unknown> = { ...userHint("x") }
      a["self"] = a
      return a
    },
    failure("circular", "TypeError")
  ],
  [
    "returns a date where an object is due",
    () => modelContext({ updatedInput: new Date(0) as never }),
    failure("not an intent", "NotAnIntent")
  ],
  [
    "patches metadata with a list",
    () => ({ metadata: [1] }),
    failure("metadata that is no object", "NotAnIntent")
  ],
  [
    "belongs to a chain without a name",
    () => ({ chain: "" }),
    failure("a chain that is no text", "NotAnIntent")
  ],
  ["belongs to a number", () => ({ chain: 7 }), failure("a chain that is no text", "NotAnIntent")],
  [
    "belongs to a chain of a long name",
    () => ({ chain: "x".repeat(201) }),
    failure("a chain that is no text", "NotAnIntent")
  ],
  [
    "patches metadata with a date",
    () => ({ metadata: new Date(0) }),
    failure("metadata that is no object", "NotAnIntent")
  ],
  [
    "calls process.exit",
    () => process.exit(3),
    failure("^called process.exit\\(3\\), which would have ended the hook$", "ExitAttempt")
  ],
  [
    "calls process.exit after an await",
    async () => {
      await later()
      process.exit()
    },
    failure("^called process.exit\\(\\)", "ExitAttempt")
  ],
  [
    "calls process.exit in a timer",
    () =>
      new Promise(() => {
        setTimeout(() => process.exit(1), 1)
      }),
    failure("process.exit\\(1\\)", "ExitAttempt")
  ],
  ["calls process.abort", () => process.abort(), failure("process.abort", "ExitAttempt")],
  [
    "throws in a timer while it waits",
    () =>
      new Promise(() => {
        setTimeout(() => {
          throw new Error("in a timer")
        }, 1)
      }),
    failure("^in a timer$")
  ],
  [
    "leaves a rejection behind while it waits",
    () => {
      void Promise.reject(new Error("left behind"))
      return new Promise(() => {})
    },
    failure("^left behind$")
  ],
  [
    "throws what is no error in a timer",
    () =>
      new Promise(() => {
        setTimeout(() => {
          throw Object.create(null)
        }, 1)
      }),
    failure("^threw \\[object Object\\]$")
  ]
]
