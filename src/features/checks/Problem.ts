/** What a tool's outcome says is wrong: one problem for each thing that somebody has to mend. */

/** Who reported it: a compiler, a linter, a test runner, the shell, the agent's own tool. */
export type Family = string

export interface Problem {
  readonly family: Family
  /** The rule, error code or exception: `TS2304`, `E501`, `ImportError`. */
  readonly code?: string
  /** As it was written; only its last part counts when problems are compared. */
  readonly file?: string
  /** 1-based. Shown, and never compared: lines move. */
  readonly line?: number
  /** A function, module, command or option that the problem names. */
  readonly symbol?: string
  /** The test that failed, as its runner names it. */
  readonly test?: string
  /** One line. */
  readonly message: string
}

/** Whether a check succeeded. `unknown` is never a pass. */
export type Verdict = "pass" | "fail" | "unknown"

/** What a text says of the programs that wrote it. */
export interface Report {
  readonly problems: readonly Problem[]
  /** What the programs' own summaries say; undefined where there is none. */
  readonly verdict: "pass" | "fail" | undefined
}

export interface Parser {
  readonly family: Family
  /**
   * `report`: a program's own account of its work; it counts whatever the exit code says. `trace`: what programs also print while all goes well
   * with them, in logs and in tests that expect it: it counts where the call failed, or where it is the last that was said.
   */
  readonly kind: "report" | "trace"
  /** A text without any of these has nothing for this parser. */
  readonly marks: RegExp
  readonly parse: (text: string) => Report
}

/** What is found when nothing is. */
export const nothingReported: Report = { problems: [], verdict: undefined }

/** As many problems of one outcome as are followed; more of them tell nobody anything. */
export const maxProblems = 24
