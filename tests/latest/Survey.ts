/** What is known of one version of an agent, as far as hooks meet it. */
export interface Survey {
  readonly version: string
  readonly events: ReadonlyArray<string>
  readonly settings: ReadonlyArray<string>
  /** Event → `path: type` of each field that came. */
  readonly payloads: Readonly<Record<string, ReadonlyArray<string>>>
  /** Names of the variables that hooks were given. */
  readonly environment: ReadonlyArray<string>
  /** What was answered → what came of it. */
  readonly answers: Readonly<Record<string, Outcome>>
}

export interface Outcome {
  /** Whether the command of the tool call was run, and which. */
  readonly ran: ReadonlyArray<string>
  readonly turns: number
  readonly exitCode: number | null
  /** Role and text of what the model was told by hooks, in order. */
  readonly told: ReadonlyArray<string>
}
