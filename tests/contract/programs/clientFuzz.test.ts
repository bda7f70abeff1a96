/** Whatever comes from the host, from the command line and from the environment: a whole answer, in time, and no memory misused. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { afterAll, describe, expect, it } from "vitest"
import { seed } from "../../support/arbitrary.ts"
import { type Asking, fakeHost, frame, longFrame, waitFrame } from "../../support/client/fakeHost.ts"
import { stage, watchfulClient } from "../../support/client/stage.ts"
import { type Fired, outcomeOf } from "../../support/entrypoint.ts"

const client = watchfulClient()
const place = stage(client)
const payload = '{"session_id":"s"}'
const byEntrypoint = { code: 3, stdout: payload, stderr: " from the entrypoint" }

/** Each connection is handed to whatever the run at hand says. */
let behave: (asking: Asking) => unknown = () => {}
const host = await fakeHost(place.state, (asking) => behave(asking))

afterAll(async () => {
  await host.close()
  expect(place.reports()).toEqual([])
})

const bytes = FastCheck.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array))
const length = FastCheck.oneof(
  FastCheck.constantFrom(
    0,
    1,
    13,
    14,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    64 * 1024 * 1024,
    64 * 1024 * 1024 + 1
  ),
  FastCheck.nat(0xffffffff)
)
/** Enough for any machine, so that nothing hangs on how fast it is. */
const wait = FastCheck.integer({ min: 100_000, max: 0xffffffff }).map(waitFrame)
const short = FastCheck.tuple(FastCheck.nat(255), bytes, bytes).map(([code, stdout, stderr]) =>
  frame(0, { code, stdout, stderr })
)
/** Everything is taken here: what would be said otherwise is not. */
const long = FastCheck.tuple(short, FastCheck.option(FastCheck.nat(255)), bytes, bytes).map(
  ([given, code, stderr, undelivered]) => {
    const more = longFrame({}, { ...(code === null ? {} : { code }), stderr, undelivered }).subarray(14)
    const whole = Buffer.concat([given, more])
    whole[4] = 3
    return whole
  }
)
const answer = FastCheck.oneof(short, long)
/** A header that may say anything, before bytes that may be fewer or more. */
const wild = FastCheck.tuple(FastCheck.nat(255), FastCheck.nat(255), length, length, bytes).map(
  ([kind, code, out, err, rest]) => {
    const header = frame(kind, { code })
    header.writeUInt32LE(out, 6)
    header.writeUInt32LE(err, 10)
    return Buffer.concat([header, rest])
  }
)
/** A good frame in which one byte is another one, or which ends early. */
const damaged = FastCheck.tuple(answer, FastCheck.nat(), FastCheck.nat(255), FastCheck.boolean()).map(
  ([good, place, value, cut]) => {
    const at = place % good.length
    if (cut) return good.subarray(0, at)
    const bad = Buffer.from(good)
    bad[at] = value
    return bad
  }
)
const said = FastCheck.tuple(
  FastCheck.array(wait, { maxLength: 3 }),
  FastCheck.oneof(answer, wild, damaged, bytes),
  FastCheck.oneof(FastCheck.constant(Buffer.alloc(0)), answer, bytes)
).map(([waits, first, then]) => Buffer.concat([...waits, first, then]))

/** What stands behind the texts of a long answer. */
const isWhole = (more: Buffer): boolean =>
  more.length >= 12 && more.length >= 12 + more.readUInt32LE(4) + more.readUInt32LE(8)

/** What a client is to make of these bytes: the answer in them, nothing, or either where time decides. */
const meaningOf = (
  heard: Buffer
): (Pick<Fired, "code"> & { out: Buffer; err: Buffer }) | "elsewhere" | "either" => {
  let rest = heard
  while (rest.length >= 14 && rest.toString("latin1", 0, 4) === "HKT1") {
    const [kind, code, out, err] = [rest[4], rest[5] ?? 0, rest.readUInt32LE(6), rest.readUInt32LE(10)]
    if (kind === 2 && out < 100_000) return "either"
    if (kind === 2) rest = rest.subarray(14)
    else if ((kind !== 0 && kind !== 3) || rest.length < 14 + out + err) return "elsewhere"
    else if (kind === 3 && !isWhole(rest.subarray(14 + out + err))) return "elsewhere"
    else return { code, out: rest.subarray(14, 14 + out), err: rest.subarray(14 + out, 14 + out + err) }
  }
  return "elsewhere"
}

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(join(place.state, "bin", "hook"), args, {
    cwd: place.project,
    env: { ...place.env, ...env },
    stdio: "pipe"
  })
  child.stdin.on("error", () => undefined)
  return child
}

describe("a client", () => {
  it("takes a whole answer for an answer, and everything else to the entrypoint", async () => {
    const met = { elsewhere: 0, either: 0, answer: 0 }
    await FastCheck.assert(
      FastCheck.asyncProperty(said, FastCheck.boolean(), async (heard, early) => {
        behave = async ({ socket, asked }) => {
          if (!early) await asked()
          socket.end(heard)
        }
        const child = start(["claude-code", "PreToolUse"])
        child.stdin.end(payload)
        const fired = await outcomeOf(child)
        const meaning = meaningOf(heard)
        met[typeof meaning === "string" ? meaning : "answer"]++
        expect(fired.signal).toBeNull()
        if (meaning === "elsewhere") expect(fired).toMatchObject(byEntrypoint)
        if (typeof meaning === "string") return
        const { code, out, err } = meaning
        expect(fired).toMatchObject({ code, stdout: out.toString("utf8"), stderr: err.toString("utf8") })
      }),
      { seed, numRuns: 300 }
    )
    expect(met.answer).toBeGreaterThan(50)
    expect(met.elsewhere).toBeGreaterThan(50)
  })

  const word = FastCheck.oneof(
    FastCheck.string({ maxLength: 40 }),
    FastCheck.string({ unit: "binary", maxLength: 20 }),
    FastCheck.constantFrom("", "-", "--", "--version ", "../..", "a=b", "%s%n", "x".repeat(100_000))
  ).map((text) => text.replaceAll("\0", ""))
  const name = FastCheck.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,20}$/)

  it("says on the wire what is on its command line and in its environment", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        word,
        word,
        FastCheck.dictionary(name, word, { maxKeys: 5 }),
        async (agent, event, more) => {
          const ours = Object.keys(more).some((key) => /^(HOOKTAPE|ASAN|UBSAN|LD_|PATH|HOME)/.test(key))
          if (ours) return
          let asked: Awaited<ReturnType<Asking["asked"]>> | undefined
          behave = async (asking) => {
            asking.socket.write(waitFrame(100_000))
            asked = await asking.asked()
            asking.socket.end(frame(0, { code: 9 }))
          }
          const child = start([agent, event], more)
          child.stdin.end(payload)
          expect(await outcomeOf(child)).toMatchObject({ code: 9, stdout: "", stderr: "" })
          const wellFormed = (text: string) => Buffer.from(text).toString("utf8")
          expect(asked?.head).toMatchObject({ agent: wellFormed(agent), event: wellFormed(event) })
          for (const [key, value] of Object.entries(more)) expect(asked?.env[key]).toBe(wellFormed(value))
        }
      ),
      { seed, numRuns: 100 }
    )
  })

  it("lives with settings that make no sense", async () => {
    const names = [
      "HOOKTAPE",
      "HOOKTAPE_HOST",
      "HOOKTAPE_FALLBACK",
      "HOOKTAPE_FAIL_LOUD_THRESHOLD",
      "HOOKTAPE_CALL"
    ]
    const settings = FastCheck.dictionary(FastCheck.constantFrom(...names), word, { maxKeys: 5 })
    behave = ({ socket }) => socket.destroy()
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(word, { maxLength: 4 }), settings, async (args, env) => {
        if (args.length === 1 && args[0] === "--version") return
        const child = start(args, env)
        child.stdin.end(payload)
        const { code, stdout, signal } = await outcomeOf(child)
        expect(signal).toBeNull()
        expect([0, 2, 3]).toContain(code)
        expect(["", payload]).toContain(stdout)
      }),
      { seed, numRuns: 60 }
    )
  })

  it("hands on every byte, wherever the host stops listening", async () => {
    const pieces = FastCheck.array(FastCheck.uint8Array({ maxLength: 3000 }), { maxLength: 12 })
    await FastCheck.assert(
      FastCheck.asyncProperty(pieces, FastCheck.nat(), async (parts, stop) => {
        // Text, so that it can be compared as it comes back.
        const texts = parts.map((part) => Buffer.from(part).toString("base64"))
        const all = texts.join("")
        behave = async ({ socket, received }) => {
          await received(all === "" ? 0 : stop % (all.length + 1))
          socket.destroy()
        }
        const child = start(["claude-code", "PreToolUse"])
        for (const text of texts) {
          child.stdin.write(text)
          await new Promise((resolve) => setImmediate(resolve))
        }
        child.stdin.end()
        expect(await outcomeOf(child)).toMatchObject({ code: 3, stdout: all })
      }),
      { seed, numRuns: 80 }
    )
  })
})
