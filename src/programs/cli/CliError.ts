/** What a command could not do, as one line: what, where, why, and what to do about it. */
import * as Data from "effect/Data"

export class CliError extends Data.TaggedError("CliError")<{
  readonly what: string
  readonly file?: string
  readonly reason: string
  readonly remedy?: string
  readonly cause?: unknown
}> {
  override get message(): string {
    const { file, reason, remedy, what } = this
    const place = file === undefined ? "" : `${file}: `
    const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`
    return `${what}: ${place}${sentence}${remedy === undefined ? "" : ` ${remedy}`}`
  }
}
