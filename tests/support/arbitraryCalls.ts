/** Calls of an agent by chance, few and alike: problems come again, and checks find them or do not. */
import * as FastCheck from "effect/FastCheck"
import {
  begun,
  denied,
  edited,
  ended,
  type Happening,
  prompted,
  ran,
  refused,
  together
} from "./toolCalls.ts"

const one = FastCheck.constantFrom
const commands = one(
  "npm test",
  "npm test -- a",
  "cd sub && npm test",
  "npx tsc",
  "grep x a",
  "node a.js",
  "pip install x",
  "sed -i s/x/y/ a.ts",
  "ls",
  "npm test | tail"
)
export const outputs = one(
  "Error: connect ECONNREFUSED 127.0.0.1:1",
  "a.ts(3,5): error TS2304: Cannot find name 'x'.",
  "b.ts(3,5): error TS2322: Type 'x' is not assignable.\nc.ts(1,1): error TS2304: Cannot find name 'y'.",
  "TypeError: x is not a function\n    at f (/p/a.ts:1:2)",
  " Tests  1 passed",
  ""
)
const paths = one("/p/a.ts", "/p/b.ts")

export const shell = FastCheck.tuple(commands, one(0, 1, 2, undefined), outputs).map(
  ([command, code, output]) => ran(command, code, output)
)
const edit = FastCheck.tuple(paths, one("", "// @ts-ignore")).map(([path, text]) => edited(path, text))
const refusal = paths.map((path) => refused(path, "String to replace not found in file."))
/** As the agent tells it, or without an end: hooktape said no or asked, or nobody knows. */
const denial = FastCheck.tuple(paths, one("told" as const, "block" as const, "ask" as const, undefined)).map(
  ([path, how]) =>
    how === "told" ? denied("Edit", { file_path: path }, "not now") : begun(`node ${path}`, how)
)

export const single = FastCheck.oneof({ weight: 8, arbitrary: shell }, { weight: 4, arbitrary: edit })

/** A call of an agent, several at once, or what stands between calls. */
export const call: FastCheck.Arbitrary<Happening> = FastCheck.oneof(
  { weight: 12, arbitrary: single },
  { weight: 1, arbitrary: refusal },
  { weight: 1, arbitrary: denial },
  { weight: 2, arbitrary: FastCheck.tuple(single, single).map((calls) => together(calls, [1, 0])) },
  { weight: 1, arbitrary: one(ended, prompted) }
)
