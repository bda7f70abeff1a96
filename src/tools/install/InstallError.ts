/** Why hooks could not be registered or removed: the file, the reason, and what to do about it. */
import * as Schema from "effect/Schema"

export class InstallError extends Schema.TaggedError<InstallError>()("InstallError", {
  op: Schema.Literal("choose", "locate", "read", "parse", "backup", "record", "write"),
  /** The settings file concerned; empty where the trouble is in what was asked for. */
  file: Schema.String,
  reason: Schema.String,
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.file === "" ? "" : `${this.file}: `}${this.reason}. ${this.remedy}`
  }
}
