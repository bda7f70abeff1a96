/** A recorded log with a call that was blocked, one that failed, one with a job, and `hooktape inspect` on it. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { startCommand } from "../command.ts"
import { bash, payloadOf, type Station, station } from "../entrypoint.ts"

const hooks = `import { blockingFeedback, defineHook } from "hooktape"
export default [
  defineHook({
    name: "no-force",
    on: "tool.before",
    run: ({ tool }) => JSON.stringify(tool ?? {}).includes("--force") ? blockingFeedback("others have pulled it") : undefined
  }),
  defineHook({
    name: "throws",
    on: "tool.before",
    run: ({ tool }) => { if (JSON.stringify(tool ?? {}).includes("boom")) throw new Error("it broke") }
  }),
  defineHook({ name: "later", on: "tool.after", background: true, run: () => undefined }),
  defineHook({ name: "never", on: "session.end", run: () => undefined }),
  defineHook({ name: "asleep", on: "tool.before", enabled: false, run: () => undefined })
]
`

const blockedCommand = "git push --force origin main"

export interface Inspected {
  readonly place: Station
  /** With the token in the fragment. */
  readonly address: string
  readonly origin: string
  readonly token: string
  readonly end: () => Promise<number | null>
}

/** What was recorded before it is looked at. */
export const recordedStation = async (): Promise<Station> => {
  const place = await station()
  place.putUser("hooks/all.ts", hooks)
  await place.build()
  await place.fire({ event: "UserPromptSubmit", input: payloadOf("UserPromptSubmit", { prompt: "push it" }) })
  await place.fire({ input: bash("ls", { tool_use_id: "t-1" }) })
  await place.fire({
    event: "PostToolUse",
    input: payloadOf("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_response: { stdout: "" },
      tool_use_id: "t-1"
    })
  })
  await place.fire({ input: bash("boom", { tool_use_id: "t-2" }) })
  await place.fire({ input: bash(blockedCommand, { tool_use_id: "t-3" }) })
  return place
}

export const inspected = async (place: Station): Promise<Inspected> => {
  const child: ChildProcess = startCommand(place, ["inspect"])
  let said = ""
  let told = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    told += chunk.toString("utf8")
  })
  const ended = once(child, "exit") as Promise<[number | null]>
  await Promise.race([
    (async () => {
      for await (const chunk of child.stdout as Readable) {
        said += String(chunk)
        if (said.includes("\n")) return
      }
    })(),
    ended
  ])
  const address = said.trim()
  const [, origin = "", token = ""] = /^(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]+)$/.exec(address) ?? []
  if (origin === "") throw new Error(`no address came: ${said}${told}`)
  return {
    place,
    address,
    origin,
    token,
    end: async () => {
      child.kill("SIGINT")
      const [code] = await ended
      return code
    }
  }
}
