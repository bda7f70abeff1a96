/** Where a migration works. */
export interface Place {
  readonly state: string
  /** Undefined: what is the user's, wherever they work. */
  readonly project?: string | undefined
}
