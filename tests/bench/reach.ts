/**
 * `npm run bench -- reach [ROUNDS]`: what a team and hooks in other languages pay for. A command hook under hooktape beside the agent's own
 * running of it, and the script that a repository's settings start beside the client itself.
 */
import { join } from "node:path"
import { sharedLine } from "../../src/tools/install/sharedHook.ts"
import { startHost } from "./host.ts"
import { type Candidate, interleave, type Timed } from "./interleave.ts"
import { makeExternalStage, makeSharedStage, type Stage } from "./stage.ts"

const shell = (line: string): readonly string[] => ["/bin/sh", "-c", line]
const floor = "sh -c :"

/** What it takes beside another, in one round after the other. */
export interface Reach {
  readonly name: string
  readonly beside: string
  /** Milliseconds, of all rounds the one in the middle. */
  readonly adds: number
  /** The same in shells that start and end. */
  readonly shells: number
  readonly most: { readonly ms: number } | { readonly shells: number }
  readonly failures: number
}

/** `tool_input.command` is looked through by hand, in a language that is on every machine. */
const guard = `#!/bin/sh
if grep -q -e 'rm -rf' -e 'git push .*--force'; then
  echo "not without a person" >&2
  exit 2
fi
exit 0
`

const measured = async (
  stage: Stage,
  event: string,
  candidates: readonly [Candidate, Candidate],
  rounds: number
): Promise<readonly Timed[]> => {
  const host = await startHost(stage)
  try {
    return interleave([{ name: floor, command: shell(":") }, ...candidates], {
      runner: join(import.meta.dirname, "runner.c"),
      rounds,
      warmup: 10,
      payload: `${JSON.stringify({ ...JSON.parse(stage.payload(1)), hook_event_name: event })}\n`,
      floors: [floor, candidates[0].name],
      env: { ...stage.env, CLAUDE_PROJECT_DIR: stage.project },
      cwd: stage.project
    })
  } finally {
    await host.stop()
    stage.remove()
  }
}

const reachOf = (timed: readonly Timed[], most: Reach["most"]): Reach => {
  const [shells, beside, own] = timed
  if (shells === undefined || beside === undefined || own === undefined)
    throw new Error("nothing was measured")
  const adds = own.over[beside.name] ?? Number.NaN
  return {
    name: own.name,
    beside: beside.name,
    adds,
    shells: adds / shells.median,
    most,
    failures: timed.reduce((sum, { failures }) => sum + failures, 0)
  }
}

export const measureReach = async (rounds: number): Promise<readonly Reach[]> => {
  const external = makeExternalStage(guard)
  const hook = join(external.state, "bin", "hook")
  const byHand = shell(`sh '${join(external.home, "guard.sh")}'`)
  const guarded = await measured(
    external,
    "PreToolUse",
    [
      { name: "the agent itself", command: byHand },
      { name: "a command hook", command: shell(`exec '${hook}' claude-code PreToolUse`) }
    ],
    rounds
  )
  const shared = makeSharedStage()
  const own = `exec '${join(shared.state, "bin", "hook")}' claude-code Notification`
  const script = await measured(
    shared,
    "Notification",
    [
      { name: "the client", command: shell(own) },
      { name: "the script for everyone", command: shell(sharedLine("claude-code", "Notification")) }
    ],
    rounds
  )
  return [reachOf(guarded, { ms: 1.5 }), reachOf(script, { shells: 1 })]
}

export const reachRow = ({ adds, beside, failures, most, name, shells }: Reach): string => {
  const [is, limit, unit] = "ms" in most ? [adds, most.ms, " ms"] : [shells, most.shells, " × sh -c :"]
  const failed = failures > 0 ? `  ${failures} runs failed` : ""
  return `${name} adds to ${beside}: ${adds.toFixed(2)} ms, ${shells.toFixed(2)} × sh -c :  ${is <= limit ? "within" : "OVER"} ${limit}${unit}${failed}`
}
