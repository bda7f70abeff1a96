/** Why there is no new build. The one before stays in use. */
import * as Schema from "effect/Schema"
import { describeProblem, type Problem } from "../../hooks/Problem.ts"

export class BuildError extends Schema.TaggedError<BuildError>()("BuildError", {
  op: Schema.Literal("discover", "compile", "load", "check", "bundle", "write"),
  problems: Schema.Array(Schema.Unknown as unknown as Schema.Schema<Problem>)
}) {
  override get message(): string {
    return this.problems.map(describeProblem).join("\n")
  }
}
