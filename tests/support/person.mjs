/**
 * The command as a person starts it, whoever started the tests: `node person.mjs <args>`. What is shipped has no argument and no
 * variable for this; it takes a program of its own that supplies the answer.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { start } from "../../dist/src/programs/cli/start.js"
import { BeneathAgent } from "../../dist/src/trust/BeneathAgent.js"

start(Layer.succeed(BeneathAgent, { sign: Effect.succeed(undefined) }))
