/** Why there is no answer, as the server says it, and what to do about that. */
export class AskError extends Error {
  readonly code: string
  readonly remedy: string | undefined
  constructor(code: string, message: string, remedy?: string) {
    super(message)
    this.code = code
    this.remedy = remedy
  }
}

export const askErrorOf = (cause: unknown): AskError =>
  cause instanceof AskError
    ? cause
    : new AskError("failed", cause instanceof Error ? cause.message : String(cause))
