/** Random values for laws: made from the schemas of facts, kept to what the log can hold. */
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import { InvocationFact } from "../../events/facts.ts"
import type { Intent, Json, JsonObject } from "../../events/intents.ts"

/** Runs are repeatable; another seed looks elsewhere. */
export const seed = Number(process.env["HOOKTAPE_TEST_SEED"] ?? 20_261_120)

/** Checks a law on random values. */
export const holds = <A>(arbitrary: FastCheck.Arbitrary<A>, law: (value: A) => void, numRuns = 200): void =>
  FastCheck.assert(
    FastCheck.property(arbitrary, (value) => {
      law(value)
    }),
    { numRuns, seed }
  )

const asJson = <A>(value: unknown): A => JSON.parse(JSON.stringify(value)) as A

export const json: FastCheck.Arbitrary<Json> = FastCheck.jsonValue({ maxDepth: 2 }).map((value) =>
  asJson<Json>(value)
)

export const jsonObject: FastCheck.Arbitrary<JsonObject> = FastCheck.dictionary(
  FastCheck.constantFrom("a", "b", "c", "__proto__", "constructor", "path"),
  json,
  { maxKeys: 3 }
).map((value) => asJson<JsonObject>(value))

const text = FastCheck.string({ maxLength: 12 })

export const intent: FastCheck.Arbitrary<Intent> = FastCheck.oneof(
  FastCheck.record({
    type: FastCheck.constant("DIAGNOSTIC" as const),
    level: FastCheck.constantFrom("debug", "info", "warn", "error"),
    message: text
  }),
  FastCheck.record(
    {
      type: FastCheck.constant("MODEL_CONTEXT" as const),
      text,
      permission: FastCheck.constantFrom("allow" as const, "ask" as const),
      updatedInput: jsonObject,
      replacesInput: FastCheck.boolean(),
      updatedOutput: json
    },
    { requiredKeys: ["type"] }
  ),
  FastCheck.record({ type: FastCheck.constant("USER_HINT" as const), text }),
  FastCheck.record({ type: FastCheck.constant("BLOCKING_FEEDBACK" as const), reason: text }),
  FastCheck.record({
    type: FastCheck.constant("EXIT_SIGNAL" as const),
    code: FastCheck.integer({ min: 0, max: 255 })
  })
) as FastCheck.Arbitrary<Intent>

/** Facts of every type with arbitrary content; the positions of handlers are small, so that some of them fit. */
export const invocationFact: FastCheck.Arbitrary<InvocationFact> = FastCheck.tuple(
  Arbitrary.make(InvocationFact),
  FastCheck.nat({ max: 3 })
).map(([fact, index]) => ("index" in fact ? { ...fact, index } : fact))

/** What becomes of one handler. */
export type Fate =
  | { readonly kind: "succeeds"; readonly intents: readonly Intent[]; readonly patch: JsonObject | undefined }
  | { readonly kind: "fails" | "is late" | "is skipped" }

export interface Script {
  readonly rejected: boolean
  readonly handlers: readonly {
    readonly policy: "allow" | "block" | "ask"
    readonly fate: Fate
    readonly noise: string
  }[]
  readonly readerGone: boolean
  readonly exitCode: number
}

const fate: FastCheck.Arbitrary<Fate> = FastCheck.oneof(
  {
    weight: 3,
    arbitrary: FastCheck.record({
      kind: FastCheck.constant("succeeds" as const),
      intents: FastCheck.array(intent, { maxLength: 3 }),
      patch: FastCheck.option(jsonObject, { nil: undefined })
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      kind: FastCheck.constantFrom("fails" as const, "is late" as const, "is skipped" as const)
    })
  }
)

/** One whole invocation as it may go. */
export const script: FastCheck.Arbitrary<Script> = FastCheck.record({
  rejected: FastCheck.integer({ min: 0, max: 9 }).map((n) => n === 0),
  handlers: FastCheck.array(
    FastCheck.record({
      policy: FastCheck.constantFrom("allow", "block", "ask"),
      fate,
      noise: FastCheck.constantFrom("", "", "noise\n")
    }),
    { maxLength: 5 }
  ),
  readerGone: FastCheck.boolean(),
  exitCode: FastCheck.constantFrom(0, 2)
})
