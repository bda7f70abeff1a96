/** Calls of which the answer is known, so that only what else was said is looked at. */
import { expect } from "vitest"
import { bash, dataOf, type Station } from "../entrypoint.ts"
import { answers, answerTo } from "./calls.ts"

/** Whatever a handler's own child prints must not reach the agent, wherever its noise cannot be kept. */
const prints = `import { spawnSync } from "node:child_process"
import { defineHook } from "hooktape"
export default defineHook({ name: "prints", on: "tool.before", when: { command: /print/ }, run: () => {
  console.log("NOISE")
  spawnSync("echo", ["NOISE"], { stdio: "inherit" })
} })
`
export const hooks = { answers, prints }

/** Larger than what is left in a file that has its place already. */
const filler = "x".repeat(300_000)

/** Fires, expects the answer, and returns what else was said. */
export const said = async (
  place: Station,
  id: string,
  env: NodeJS.ProcessEnv,
  command = "ls"
): Promise<string> => {
  const fired = await place.fire({ env, input: bash(command, { tool_use_id: id, filler }) })
  const { code, stdout, stderr } = fired
  expect({ id, code, stdout }).toEqual({ id, code: 0, stdout: answerTo(id) })
  return stderr
}

/** The calls on the log that came to their end. */
export const recorded = async (place: Station): Promise<readonly string[]> =>
  (await place.runs())
    .filter(({ types }) => types.at(-1) === "EXITED")
    .map((run) => dataOf(run, "PAYLOAD_BUFFERED")[0]?.toolUseId ?? "")
    .sort()
