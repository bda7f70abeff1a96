/** Why a step could not be done or undone, in words for a person, and what to do about it. */
export class MigrationError extends Error {
  override readonly name = "MigrationError"
  readonly remedy: string
  constructor(reason: string, remedy: string, options?: ErrorOptions) {
    super(reason, options)
    this.remedy = remedy
  }
}
