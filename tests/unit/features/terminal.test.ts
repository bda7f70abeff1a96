/** terminal: what other sessions ran here, once, within its budget. */
import { describe, expect, it } from "vitest"
import { type Ran, tellCommands, terminal } from "../../../src/features/terminal/terminal.ts"
import type { LogFact } from "../../../src/hooks/Services.ts"
import { scriptedServices } from "../../../src/hooks/scripted.ts"

const now = Date.parse("2026-01-02T12:00:00.000Z")
const minutes = (count: number) => now - count * 60_000
const ran = (command: string, ago: number, over: Partial<Ran> = {}): Ran => ({
  command,
  at: minutes(ago),
  ...over
})
const tell = (commands: readonly Ran[], tokens = 300) =>
  tellCommands(commands, now, tokens)?.split("\n").slice(1)

describe("what ran", () => {
  it("is told the newest last, with how it ended and when", () => {
    expect(
      tell([
        ran("npm test", 12, { exitCode: 1 }),
        ran("npm run build", 150, { exitCode: 0, ok: true }),
        ran("ls", 0, { ok: true }),
        ran("make", 5000, { ok: false }),
        ran("date", 30)
      ])
    ).toEqual([
      "- `make` (failed, 3 days ago)",
      "- `npm run build` (exit 0, 3 h ago)",
      "- `date` (30 min ago)",
      "- `npm test` (exit 1, 12 min ago)",
      "- `ls` (succeeded, just now)"
    ])
  })

  it("is told once of a command that ran often, the last time", () => {
    expect(
      tell([ran("npm test", 30, { exitCode: 1 }), ran("npm test", 10, { exitCode: 0 }), ran("npm test", 20)])
    ).toEqual(["- `npm test` (exit 0, 10 min ago)"])
  })

  it("is one line each, and no longer than the budget; the oldest go first", () => {
    const many = Array.from({ length: 50 }, (_, n) => ran(`command-${n} ${"x".repeat(500)}\nmore`, n))
    const told = tellCommands(many, now, 200) ?? ""
    expect(told.length).toBeLessThanOrEqual(800)
    expect(told.split("\n").at(-1)).toMatch(/^- `command-0 x+…` \(just now\)$/)
    expect(told.split("\n").length).toBeGreaterThan(2)
    expect(tell([ran("cat <<END\none\nEND", 1)])).toEqual(["- `cat <<END …` (1 min ago)"])
    expect(tellCommands(many, now, 10)).toBeUndefined()
    expect(tellCommands([], now, 300)).toBeUndefined()
  })
})

describe("terminal", () => {
  const fact = (over: Partial<LogFact>): Partial<LogFact> => ({
    type: "PAYLOAD_BUFFERED",
    event: "tool.after",
    session: "other",
    at: minutes(5),
    ...over
  })
  const shell = (command: string) => ({ "tool.kind": "shell", "tool.command": command })
  const say = (log: readonly Partial<LogFact>[], settings: object = {}) => {
    const services = scriptedServices({ log })
    const context = {
      invocation: "now",
      session: "mine",
      settings: { ...terminal.settings, ...settings },
      timestamp: new Date(now).toISOString(),
      services
    }
    return { said: Promise.resolve(terminal.run(context as never)), services }
  }

  it("is off unless wanted", () => expect(terminal.enabled).toBe(false))

  it("tells of finished shell commands of other sessions only", async () => {
    const { said } = say([
      fact({ data: shell("git pull") }),
      fact({ session: "mine", data: shell("mine") }),
      fact({ event: "tool.before", data: shell("not yet") }),
      fact({ data: { "tool.kind": "read", "tool.command": "no command" } }),
      fact({ data: {} })
    ])
    expect(await said).toEqual({
      type: "MODEL_CONTEXT",
      text: expect.stringMatching(/:\n- `git pull` \(5 min ago\)$/)
    })
  })

  it("is silent where nothing ran", async () => expect(await say([]).said).toBeUndefined())

  it("asks for what came after this session's last prompt, and for little of it", async () => {
    const prompts = [
      fact({ event: "prompt.submit", session: "mine", at: now, stream: "invocation/now" }),
      fact({ event: "prompt.submit", session: "mine", at: minutes(3), stream: "invocation/before" })
    ]
    const { said, services } = say(prompts)
    await said
    expect(services.asked[1]).toMatchObject({
      input: {
        since: minutes(3),
        limit: 300,
        pick: ["tool.kind", "tool.command", "tool.exitCode", "tool.ok"]
      }
    })
    const first = say([], { hours: 2 })
    await first.said
    expect(first.services.asked[1]).toMatchObject({ input: { since: minutes(120) } })
  })
})
