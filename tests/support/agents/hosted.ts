/** A host that an agent's hooks started: what is known of it from outside, and its end. */
import { existsSync, readFileSync } from "node:fs"
import { expect } from "vitest"
import type { Hooktape, LoggedCall, LogLine } from "./hooktape.ts"
import { processesOf } from "./processes.ts"
import type { Workspace } from "./workspace.ts"

/** For an agent whose hooks may start one. */
export const withHost = { HOOKTAPE_HOST: "" } as const

export const isRunning = (hooktape: Hooktape): boolean => hooktape.run("host", "status").status === 0

/** The host and the processes that run handlers for it; the agent and its other children have another environment. */
export const hostFamily = ({ home }: Workspace, { state }: Hooktape): readonly number[] =>
  processesOf(home).filter((pid) => environ(pid).includes(`HOOKTAPE_HOME=${state}`))

const environ = (pid: number): readonly string[] => {
  const file = `/proc/${pid}/environ`
  return existsSync(file) ? readFileSync(file, "latin1").split("\0") : []
}

/** Asks it to end; nothing is left of it, nor of anything else that was started in the workspace. */
export const endHost = async (workspace: Workspace, hooktape: Hooktape): Promise<void> => {
  expect(hooktape.must("host", "stop")).toBe("✔ the host has stopped\n")
  await expect
    .poll(
      () => {
        // A hook that its agent did not wait for may be under way still: it finds no host, and starts one.
        if (isRunning(hooktape)) hooktape.run("host", "stop")
        return processesOf(workspace.home)
      },
      { timeout: 60_000 }
    )
    .toEqual([])
}

/** How a call came in: in process, or through the host. */
export const transportOf = ({ facts }: LoggedCall): string | undefined =>
  facts.flatMap((fact) => (fact.type === "INVOCATION_OPENED" ? [fact.transport] : []))[0]

export const hostFacts = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.filter(({ type }) => type.startsWith("HOST_"))
