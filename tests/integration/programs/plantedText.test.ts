/** Text of a payload that would move a cursor or turn letters around: no command prints it as it is. */
import { beforeAll, describe, expect, it } from "vitest"
import { command } from "../../support/command.ts"
import { payloadOf, type Station, station } from "../../support/entrypoint.ts"

/** A clear screen, a bell, a title, letters turned around, and one that is seen by nobody. */
const planted = "PLANTED\u001b[2J\u0007\u001b]0;title\u0007\u202egnp.exe\u2066\u200f\u0085END"
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const moving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

const hook = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "says", on: "tool.before", run: ({ tool }) => {
  if (tool?.kind === "shell") return blockingFeedback("because " + JSON.parse(${JSON.stringify(JSON.stringify(planted))}))
} })
`

let place: Station

const shell = {
  tool_name: "Bash",
  tool_input: { command: `npm test ${planted}` },
  tool_use_id: `use ${planted}`
}
const more = { session_id: `session ${planted}`, agent_id: planted, agent_type: planted, cwd: undefined }

beforeAll(async () => {
  place = await station()
  place.putUser("hooks/says.ts", hook)
  await place.build()
  const failure = `FAIL ${planted}.test.ts\nError: ${planted}\n    at ${planted} (src/${planted}.ts:1:1)`
  const calls: readonly (readonly [string, object])[] = [
    ["SessionStart", { source: planted, model: planted }],
    ["UserPromptSubmit", { prompt: `fix ${planted}` }],
    ["PreToolUse", shell],
    ["PostToolUse", { ...shell, tool_response: { stdout: failure, stderr: failure, exitCode: 1 } }],
    ["PostToolUseFailure", { ...shell, error: `Exit code 1\n${failure}` }],
    ["PostToolUse", { tool_name: `mcp__${planted}__x`, tool_input: {}, tool_response: planted }],
    ["Notification", { message: planted, title: planted }],
    [`Odd${"\u202e"}`, {}]
  ]
  for (const [event, fields] of calls)
    await place.fire({ event: `'${event}'`, input: payloadOf(event, { ...more, ...fields }) })
  await place.fire({ event: "PreToolUse", input: `{"broken": ${planted}` })
}, 120_000)

describe("text of a payload", () => {
  it.each([
    ["log"],
    ["log", "--facts"],
    ["show", "last"],
    ["hooks", "list"],
    ["chains", "list"],
    ["metrics"],
    ["search", "PLANTED"],
    ["replay", "last"],
    ["doctor"]
  ])("is printed without what moves a terminal: %s %s", async (...args) => {
    const { stderr, stdout } = await command(place, ...args)
    const text = stdout + stderr
    expect(text).not.toBe("")
    const at = text.search(moving)
    expect(at === -1 ? "" : JSON.stringify(text.slice(Math.max(0, at - 80), at + 20))).toBe("")
  })

  it("is there at all", async () => {
    expect((await command(place, "log")).stdout).toContain("PLANTED")
    expect((await command(place, "log", "--json")).stdout).toContain("PLANTED")
  })
})
