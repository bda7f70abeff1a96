/** How the walk goes on: what is started is a command line, or a command, like any other. */
import type { Call } from "./Call.ts"
import type { Argument } from "./expand.ts"
import type { Verdict } from "./rule.ts"
import type { Pipeline } from "./script.ts"
import type { ShellState } from "./shellState.ts"

/** Commands given as text within commands given as text, beyond this, are not read. */
export const deepestText = 10
export const shells = new Set(
  "bash sh zsh dash ksh mksh ash fish csh tcsh rbash osh ysh yash xonsh nu elvish".split(" ")
)

export interface Walker {
  readonly verdict: (verdict: Verdict | undefined) => Verdict | undefined
  readonly text: (
    text: string,
    state: ShellState,
    changed?: Partial<ShellState>,
    args?: readonly Argument[],
    piped?: Pipeline
  ) => Verdict | undefined
  /** As `text`, in the same shell: what is set there stays set. */
  readonly here: (text: string, state: ShellState) => Verdict | undefined
  readonly call: (call: Call) => Verdict | undefined
  /** A command in a container: what is blocked elsewhere is asked about there, save what it does to the host. */
  readonly contained: (call: Call) => Verdict | undefined
  /** A function that was defined in this line. */
  readonly definition: (call: Call) => Verdict | undefined
}
