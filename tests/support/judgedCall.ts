/** A shell call as whoever judges it is shown it: it ended well, unless something else is said. */
import { judge } from "../../src/features/checks/judge.ts"
import type { ToolOutcome } from "../../src/features/checks/ToolOutcome.ts"

export const judgedCall = (command: string, text: string, outcome: Partial<ToolOutcome> = {}) =>
  judge({
    id: "t",
    name: "Bash",
    kind: "shell",
    command,
    paths: [],
    cwd: "/p",
    told: "ok",
    exitCode: 0,
    text,
    wrote: command,
    took: "",
    asked: "",
    ...outcome
  })
