/** Standard input as no agent should send it: each ends in the neutral reply, exit 0 and one fact that says why, within bounds. */
import { execFileSync } from "node:child_process"
import { closeSync, constants, openSync, readdirSync, writeSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import {
  bash,
  dataOf,
  type Fired,
  inTurns,
  outcomeOf,
  probeHook,
  type Run,
  type Station,
  station
} from "../../support/entrypoint.ts"

const megabytes = 1024 * 1024
const deadlineMs = 2000

/** A payload of exactly so many bytes, all of it plain text. */
const sized = (bytes: number): string => {
  const bare = bash("true", { filler: "" })
  return bash("true", { filler: "x".repeat(bytes - Buffer.byteLength(bare)) })
}

interface Case {
  readonly name: string
  readonly input: string | Buffer
  /** Taken, or turned down with this reason. */
  readonly ends: "taken" | "empty" | "malformed" | "too-large" | "not-a-hook-payload"
}

const nested = (open: string, close: string, depth: number, middle = "1"): string =>
  `${open.repeat(depth)}${middle}${close.repeat(depth)}`

const cases: readonly Case[] = [
  { name: "10 MB", input: sized(10 * megabytes), ends: "taken" },
  { name: "12 MB", input: sized(12 * megabytes), ends: "too-large" },
  { name: "12 MB that are no JSON", input: Buffer.alloc(12 * megabytes, 0xff), ends: "too-large" },
  { name: "nothing", input: "", ends: "empty" },
  { name: "white space", input: " \n\t\r\n ", ends: "empty" },
  { name: "a byte order mark and nothing", input: "\uFEFF", ends: "empty" },
  { name: "a payload after a byte order mark", input: `\uFEFF${bash("true")}`, ends: "taken" },
  {
    name: "binary",
    input: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x02, 0xff, 0xfe, 0x00, 0x80]),
    ends: "malformed"
  },
  { name: "text", input: "hello", ends: "malformed" },
  { name: "half a payload", input: bash("true").slice(0, -10), ends: "malformed" },
  { name: "two payloads", input: `${bash("true")}${bash("false")}`, ends: "malformed" },
  { name: "NUL bytes", input: Buffer.alloc(1000), ends: "malformed" },
  { name: "NUL within a text", input: bash("a\0b"), ends: "taken" },
  {
    name: "a lone surrogate, escaped",
    input: bash("true").replace('"true"', '"\\ud800 and \\udc00"'),
    ends: "taken"
  },
  {
    name: "a lone surrogate as bytes",
    input: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ends: "malformed"
  },
  {
    name: "10,000 lists in one another",
    input: bash("true").replace(/}$/, `,"deep":${nested("[", "]", 10_000)}}`),
    ends: "taken"
  },
  {
    name: "10,000 objects in one another",
    input: bash("true").replace(/}$/, `,"deep":${nested('{"a":', "}", 10_000)}}`),
    ends: "taken"
  },
  {
    name: "10,000 lists as the tool's input",
    input: bash("true").replace('{"command":"true"}', nested("[", "]", 10_000)),
    ends: "taken"
  },
  { name: "10,000 lists and nothing else", input: nested("[", "]", 10_000), ends: "not-a-hook-payload" },
  { name: "500,000 lists that never end", input: "[".repeat(500_000), ends: "malformed" },
  {
    name: "__proto__",
    input:
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"tool_name":"Bash","tool_input":{"__proto__":{"command":"x"}},"session_id":"s"}',
    ends: "taken"
  },
  { name: "a list", input: "[1,2]", ends: "not-a-hook-payload" },
  { name: "a text in JSON", input: '"hello"', ends: "not-a-hook-payload" },
  { name: "null", input: "null", ends: "not-a-hook-payload" },
  {
    name: "every field of another type",
    input:
      '{"session_id":7,"cwd":[],"hook_event_name":{},"tool_name":null,"tool_input":"x","tool_use_id":{}}',
    ends: "taken"
  }
]

let place: Station
let fired: readonly Fired[]
let runs: ReadonlyMap<number, Run>

beforeAll(async () => {
  place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  place.putUser("hooks/probe.ts", probeHook(["tool.before"]))
  await place.build()
  fired = await inTurns(cases, 2, ({ input }) => place.fire({ input }))
  runs = await place.runsByPid()
}, 90_000)

/** What every end has in common. */
const wellEnded = ({ code, signal, stdout }: Fired, run: Run | undefined) => {
  expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: "" })
  expect(run?.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
}

const rejection = (run: Run) => dataOf(run, "PAYLOAD_REJECTED")[0]

describe("hostile standard input", () => {
  it.each(cases.map((one, at) => ({ ...one, at })))("$name: $ends", ({ at, ends, input }) => {
    const one = fired[at] as Fired
    const run = runs.get(one.pid) as Run
    wellEnded(one, run)
    const bytes = Buffer.byteLength(input)
    if (ends === "taken") {
      // A directory that is no text is said; every other drift is on the log.
      const remark =
        "hooktape warn: the payload's working directory is no text; hooks that need it are left out\n"
      expect(one.stderr).toBe(dataOf(run, "PAYLOAD_BUFFERED")[0]?.drift?.includes("cwd") ? remark : "")
      const [buffered] = dataOf(run, "PAYLOAD_BUFFERED")
      expect(buffered?.bytes).toBe(bytes)
      expect(buffered?.payload === input.toString().replace(/^\uFEFF/, ""), "byte for byte").toBe(true)
    } else {
      expect(rejection(run)).toMatchObject({ reason: ends, bytes })
      expect(rejection(run)?.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(one.stderr).toMatch(
        new RegExp(`^hooktape warn: payload rejected \\(${ends}\\): [^\\n]{1,400}\\n$`)
      )
      expect(dataOf(run, "HANDLERS_PLANNED")).toEqual([])
    }
  })

  it("pollutes no prototype on its way through the log", () => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it("leaves nothing broken behind", () => {
    expect(readdirSync(join(place.state, "spool"))).toEqual([])
  })
})

describe("standard input of another kind", () => {
  let pipes = 0

  beforeAll(async () => {
    place.putUser("config.json", JSON.stringify({ deadlineMs }))
    await place.build()
  }, 30_000)

  it.each([
    ["the null device", "</dev/null", "empty"],
    ["closed", "<&-", "empty"],
    ["a directory", "</", "empty"]
  ])("%s", async (_, redirect, reason) => {
    const one = await place.fire({ redirect })
    const run = await place.runOf(one)
    wellEnded(one, run)
    expect(rejection(run)?.reason).toBe(reason)
  })

  it("a file", async () => {
    const file = place.put("payload.json", bash("true"))
    const one = await place.fire({ redirect: `<'${file}'` })
    const run = await place.runOf(one)
    wellEnded(one, run)
    expect(dataOf(run, "PAYLOAD_BUFFERED")[0]?.payload).toBe(bash("true"))
  })

  /** A pipe that both ends hold open and that does not block: only the hook itself can bring the call to its end. */
  const overPipe = async (text: string) => {
    const path = join(place.home, `pipe-${pipes++}`)
    execFileSync("mkfifo", [path])
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      writeSync(pipe, text)
      const one = await outcomeOf(place.start({}, [pipe, "pipe", "pipe"]))
      return { one, run: await place.runOf(one) }
    } finally {
      closeSync(pipe)
    }
  }

  /** What Node gives to its children is a socket; it is left open too. */
  const overSocket = async (text: string, end = false) => {
    const child = place.start({})
    child.stdin?.on("error", () => undefined)
    if (end) child.stdin?.end(text)
    else child.stdin?.write(text)
    const one = await outcomeOf(child)
    return { one, run: await place.runOf(one) }
  }

  const ways = { pipe: overPipe, socket: overSocket }

  describe.each(["pipe", "socket"] as const)("a %s that is never closed", (way) => {
    it("with a payload in it: taken without waiting", async () => {
      const { one, run } = await ways[way](bash("true"))
      wellEnded(one, run)
      expect(dataOf(run, "PAYLOAD_BUFFERED")[0]?.payload).toBe(bash("true"))
    })

    it("with half a payload in it: turned down at the deadline", async () => {
      const half = bash("true").slice(0, -5)
      const { one, run } = await ways[way](half)
      wellEnded(one, run)
      expect(dataOf(run, "INVOCATION_OPENED")[0]?.deadlineMs).toBe(deadlineMs)
      expect(rejection(run)).toMatchObject({ reason: "timed-out", bytes: half.length })
      const { ms = {} } = dataOf(run, "EXITED")[0] ?? {}
      expect(ms["buffering"]).toBeGreaterThanOrEqual(deadlineMs)
    })

    it("with nothing in it: turned down at the deadline", async () => {
      const { one, run } = await ways[way]("")
      wellEnded(one, run)
      expect(rejection(run)).toMatchObject({ reason: "timed-out", bytes: 0 })
    })
  })

  it("a socket that takes several turns", async () => {
    const large = sized(1_000_000)
    const { one, run } = await overSocket(large, true)
    wellEnded(one, run)
    expect(dataOf(run, "PAYLOAD_BUFFERED")[0]?.payload === large).toBe(true)
  })
})
