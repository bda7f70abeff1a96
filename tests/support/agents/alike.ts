/** What a run makes up anew taken out of it, so that two runs of the same session can be held against each other. */
import { basename } from "node:path"
import type { InvocationFact } from "../../../events/facts.ts"
import type { LoggedCall } from "./hooktape.ts"
import { received } from "./received.ts"
import type { AgentRun } from "./runAgent.ts"
import type { Workspace } from "./workspace.ts"

const anew: ReadonlyArray<readonly [what: RegExp, instead: string]> = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>"],
  [/\d{4}-\d\d-\d\d(T[\d:.-]+Z?)?/g, "<time>"],
  [/("\w*_ms":)\d+(\.\d+)?/g, "$1<duration>"],
  [/\b\d+(\.\d+)? ?(ms|s|seconds)\b/g, "<duration>"],
  [/\b[0-9a-f]{7,40} start\b/g, "<commit> start"],
  [/\bChunk ID: \w+/g, "Chunk ID: <id>"],
  [/\bPGID: \d+/g, "PGID: <id>"]
]

const plain = (text: string, { root }: Workspace): string =>
  anew.reduce(
    (rest, [what, instead]) => rest.replaceAll(what, instead),
    text.replaceAll(root, "<root>").replaceAll(basename(root), "<workspace>")
  )

/** All that the model was told in its main loop: by whom, when, in which words. */
export const told = (run: AgentRun, workspace: Workspace): readonly object[] =>
  received(run).map(({ request, role, failed, text }) => ({
    request,
    role,
    text: plain(text, workspace),
    ...(failed === undefined ? {} : { failed })
  }))

/**
 * Standard error is written by several threads of an agent, which also complain of their own starting up: what it says of hooks
 * counts, and not in which order.
 */
export const shown = ({ exitCode, stdout, stderr }: AgentRun, workspace: Workspace): object => ({
  exitCode,
  stdout: plain(stdout, workspace),
  stderr: plain(stderr, workspace)
    .split("\n")
    .filter((line) => /hook/i.test(line))
    .sort()
})

/** Who handled a call and how fast; the payload is for the witness to confirm. */
const ofThisCall = new Set([
  ...["invocation", "call", "transport", "runtime", "pid", "build", "HOOKTAPE_HOST"],
  ...["ms", "duration_ms", "durationMs", "stack", "bytes", "digest", "payload", "client", "fromUs", "process"]
])

const plainFact = (fact: InvocationFact, workspace: Workspace): unknown =>
  JSON.parse(
    plain(
      JSON.stringify(fact, (key, value: unknown) => (ofThisCall.has(key) ? undefined : value)),
      workspace
    )
  )

/** The calls in the order in which they were made: what was handled in process reaches the log by way of the spool, some time later. */
export const logged = (calls: readonly LoggedCall[], workspace: Workspace): readonly object[] =>
  inOrder(calls).map(({ event, facts }) => ({
    event,
    facts: facts.map((fact) => plainFact(fact, workspace))
  }))

export const inOrder = (calls: readonly LoggedCall[]): readonly LoggedCall[] =>
  [...calls].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
