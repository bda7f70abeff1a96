/** Why calls of the past could not be judged. */
import * as Data from "effect/Data"

export class BacktestError extends Data.TaggedError("BacktestError")<{ readonly message: string }> {}
