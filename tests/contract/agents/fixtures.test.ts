/** Every payload an agent was seen or documented to send, through the real entrypoint: answered validly, and on the log byte for byte. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { canonicalEvents } from "../../../events/agentEvents.ts"
import { diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { mismatches } from "../../../src/agents/shape.ts"
import { redactText } from "../../../src/redact/redact.ts"
import { rulesOf } from "../../support/adapters/descriptions.ts"
import {
  dataOf,
  type Fired,
  inTurns,
  probeHook,
  type Run,
  type Station,
  station
} from "../../support/entrypoint.ts"

const folder = join(import.meta.dirname, "..", "..", "fixtures")

interface Fixture {
  readonly name: string
  readonly agent: string
  readonly event: string
  readonly bytes: Buffer
}

const fixtures: readonly Fixture[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
  .map(({ name, parentPath }) => {
    const path = relative(folder, join(parentPath, name))
    const agent = path.split("/").find((part) => Object.hasOwn(adapters, part)) ?? ""
    return { name: path, agent, event: basename(name, ".json"), bytes: readFileSync(join(folder, path)) }
  })
  .filter(({ agent }) => agent !== "")
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** What every agent that can carry it is told; none of it changes an exit code. */
const said = [modelContext("CONTEXT-MARK"), userHint("HINT-MARK"), diagnostic("warn", "DIAGNOSTIC-MARK")]

let place: Station
let fired: ReadonlyMap<string, Fired>
let runs: ReadonlyMap<number, Run>

beforeAll(async () => {
  place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  const passed = Object.values(adapters).flatMap(({ events }) =>
    Object.values(events).flatMap(({ event }) => (event.startsWith("agent.") ? [event] : []))
  )
  place.putUser("hooks/probe.ts", probeHook([...canonicalEvents, ...new Set(passed)]))
  await place.build()
  const PROBE = JSON.stringify(said)
  const results = await inTurns(fixtures, 3, ({ agent, event, bytes }) =>
    place.fire({ agent, event, input: bytes, env: { PROBE } })
  )
  fired = new Map(fixtures.map(({ name }, at) => [name, results[at] as Fired]))
  runs = await place.runsByPid()
}, 240_000)

const of = ({ name }: Fixture): { readonly fired: Fired; readonly run: Run } => {
  const one = fired.get(name) as Fired
  return { fired: one, run: runs.get(one.pid) as Run }
}

describe("every fixture", () => {
  it("is looked at", () => {
    for (const agent of [
      "claude-code",
      "codex",
      "gemini-cli",
      "qwen-code",
      "copilot",
      "opencode",
      "cline",
      "cursor",
      "windsurf"
    ])
      expect(fixtures.filter((fixture) => fixture.agent === agent).length, agent).toBeGreaterThan(10)
    for (const [agent, least] of [
      ["droid", 8],
      ["vscode", 7],
      ["kiro", 4]
    ] as const)
      expect(fixtures.filter((fixture) => fixture.agent === agent).length, agent).toBeGreaterThan(least)
    expect(fixtures.filter(({ name }) => name.includes("2025/")).length).toBeGreaterThan(15)
    expect(fixtures.filter(({ name }) => name.startsWith("captured/")).length).toBeGreaterThan(3)
    expect(runs.size, "one invocation each").toBe(fixtures.length)
  })

  it.each(fixtures)("$name is answered with exit 0 and nothing or a valid document", (fixture) => {
    const { fired } = of(fixture)
    expect({ code: fired.code, signal: fired.signal }).toEqual({ code: 0, signal: null })
    if (fired.stdout === "") return
    expect(fired.stdout.endsWith("}\n") && !fired.stdout.slice(0, -1).includes("\n"), "one line").toBe(true)
    const shape = rulesOf(fixture.agent, fixture.event)?.output
    const document = JSON.parse(fired.stdout) as unknown
    // An event without a document of its own may only get the neutral one.
    if (shape === undefined) expect(document).toEqual({})
    else expect(mismatches(shape, document)).toEqual([])
  })

  it.each(fixtures)("$name is on the log byte for byte, in a complete invocation", (fixture) => {
    const { fired, run } = of(fixture)
    const text = fixture.bytes.toString("utf8")
    const [buffered] = dataOf(run, "PAYLOAD_BUFFERED")
    expect(buffered?.payload).toBe(redactText(text))
    expect(buffered?.bytes).toBe(fixture.bytes.length)
    expect(buffered?.digest).toMatch(/^[0-9a-f]{64}$/)
    const steps = run.types.filter((type) => !type.startsWith("HANDLER_"))
    expect(steps).toEqual([
      "INVOCATION_OPENED",
      "PAYLOAD_BUFFERED",
      "HANDLERS_PLANNED",
      "REPLY_DELIVERED",
      "EXITED"
    ])
    expect(run.facts.map(({ version }) => version)).toEqual(run.facts.map((_, at) => at + 1))
    expect(run.facts.slice(1).map(({ cause }) => cause)).toEqual(run.facts.slice(0, -1).map(({ id }) => id))
    const [delivered] = dataOf(run, "REPLY_DELIVERED")
    expect(delivered).toMatchObject({ stdout: fired.stdout, stderr: fired.stderr, exitCode: 0 })
    expect(dataOf(run, "EXITED")[0]?.code).toBe(0)
  })

  it.each(fixtures)(
    "$name tells the model and the human on standard output alone, the operator on standard error",
    (fixture) => {
      const { fired, run } = of(fixture)
      expect(fired.stderr).not.toMatch(/CONTEXT-MARK|HINT-MARK/)
      expect(fired.stdout).not.toContain("DIAGNOSTIC-MARK")
      const [delivered] = dataOf(run, "REPLY_DELIVERED")
      const channels = delivered?.channels.filter(({ handler }) => handler !== "hooktape") ?? []
      const handled = dataOf(run, "HANDLER_SUCCEEDED").length
      expect(channels.filter(({ intent }) => intent !== "").length).toBe(handled * said.length)
      // What did not leave is never dropped without a reason.
      for (const { channel, intent, reason } of channels) {
        if (channel === "undeliverable") expect(reason, intent).toMatch(/\w/)
        else if (intent === "DIAGNOSTIC") expect(fired.stderr).toContain("DIAGNOSTIC-MARK")
        else expect(fired.stdout).toContain(intent === "USER_HINT" ? "HINT-MARK" : "CONTEXT-MARK")
      }
    }
  )
})
