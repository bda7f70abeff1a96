/** Standard input on every kind of descriptor: bounded in time and memory, and no longer than it must. */
import { closeSync, constants, openSync, readSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { makeNesting, readPayload } from "../../../src/runtime/stdin.ts"
import { collect, exitOf, makeFifo, scratch, shell, startProgram } from "../../support/child.ts"

const limit = 1024 * 1024

/** A pipe of which this process holds both ends. */
const pipe = () => {
  const fifo = makeFifo()
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, constants.O_WRONLY)
  return { reader, write: (text: string) => writeSync(writer, text), hangUp: () => closeSync(writer) }
}

/** Time passes only by being looked at. */
const ticking = (step: number) => {
  let time = 0
  return {
    looked: () => time / step,
    now: () => {
      time += step
      return time
    }
  }
}

const read = (descriptor: number, deadlineMs = 1000, now = ticking(1).now, most = limit) =>
  readPayload({ descriptor, deadlineMs, limit: most, now })

const text = (bytes: Buffer): string => bytes.toString("utf8")

describe("a payload on a pipe", () => {
  it("is taken at once when it is one complete value, though nobody hangs up", () => {
    const { reader, write } = pipe()
    write('{"a":"}{\\"","b":[1,{"c":2}]}')
    const clock = ticking(1)
    expect(read(reader, 1000, clock.now)).toMatchObject({ kind: "buffered" })
    // It looked at the clock when it began, and never had to ask whether the deadline had passed.
    expect(clock.looked()).toBe(1)
  })

  it("is taken with the newline after it", () => {
    const { reader, write } = pipe()
    write('{"a":1}\n')
    expect(text(read(reader).bytes)).toBe('{"a":1}\n')
  })

  it("is waited for until the deadline when it is not complete, and what came is kept", () => {
    const { reader, write } = pipe()
    write('{"a":[1,2')
    const clock = ticking(100)
    const received = read(reader, 1000, clock.now)
    expect([received.kind, text(received.bytes)]).toEqual(["timed-out", '{"a":[1,2'])
    expect(clock.looked()).toBeLessThan(15)
  })

  it("is waited for until the deadline when nothing comes at all", () => {
    expect(read(pipe().reader, 1000, ticking(100).now)).toEqual({ kind: "timed-out", bytes: Buffer.alloc(0) })
  })

  it("that is a scalar ends with the writer, not before", () => {
    const open = pipe()
    open.write("42")
    expect(read(open.reader, 100, ticking(50).now).kind).toBe("timed-out")
    const closed = pipe()
    closed.write("42")
    closed.hangUp()
    expect(read(closed.reader)).toEqual({ kind: "buffered", bytes: Buffer.from("42") })
  })

  it("may come in pieces that cut through characters and escapes", () => {
    const whole = Buffer.from('{"é":"\\"}","n":{}}')
    const { reader } = pipe()
    const nesting = makeNesting()
    const ends = [...whole].map((byte) => nesting.feed(Uint8Array.of(byte)))
    expect(ends.lastIndexOf(false)).toBe(whole.length - 2)
    expect(ends.at(-1)).toBe(true)
    closeSync(reader)
  })

  it("with a second value in the same breath is handed on whole, to be turned down", () => {
    const { reader, write } = pipe()
    write('{"a":1}{"b":2}')
    expect(text(read(reader).bytes)).toBe('{"a":1}{"b":2}')
  })

  it("beyond the limit is counted, drained, and not kept", () => {
    const { reader, write, hangUp } = pipe()
    write("x".repeat(40_000))
    hangUp()
    const received = read(reader, 1000, ticking(1).now, 10_000)
    expect(received).toMatchObject({ kind: "too-large", total: 40_000 })
    expect(received.bytes.length).toBeLessThan(40_000)
  })

  it("beyond the limit is too large, not late, when its writer never hangs up", () => {
    const { reader, write } = pipe()
    write("x".repeat(40_000))
    expect(read(reader, 100, ticking(50).now, 10_000)).toMatchObject({ kind: "too-large", total: 40_000 })
  })

  it("beyond the limit is turned down at once when it is complete", () => {
    const { reader, write } = pipe()
    write(`{"a":"${"x".repeat(40_000)}"}`)
    const clock = ticking(1)
    expect(read(reader, 1000, clock.now, 10_000)).toMatchObject({ kind: "too-large" })
    expect(clock.looked()).toBeLessThan(5)
  })

  it("leaves the descriptor it was given open", () => {
    const { reader, write, hangUp } = pipe()
    write("{}")
    read(reader)
    hangUp()
    expect(readSync(reader, Buffer.alloc(1))).toBe(0)
  })
})

interface Seen {
  readonly kind: string
  readonly bytes: number
  readonly total?: number
  readonly verdict: string
  readonly maxRssMb: number
}

const seen = (stdout: string): Seen => JSON.parse(stdout) as Seen
const accepted = (bytes: number) => ({ kind: "buffered", verdict: "accepted", bytes })

const feed = async (input: string | Buffer, { hangUp = true, args = [] as readonly string[] } = {}) => {
  const child = startProgram("readStdin", args, { stdio: ["pipe", "pipe", "inherit"] })
  const stdout = collect(child.stdout as Readable)
  child.stdin?.on("error", () => {})
  child.stdin?.write(input)
  if (hangUp) child.stdin?.end()
  const result = { code: await exitOf(child), ...seen(await stdout) }
  child.stdin?.destroy()
  return result
}

describe("standard input of a real process", () => {
  it("may be a socket, and one complete value is enough", async () => {
    expect(await feed('{"a":1}', { hangUp: false })).toMatchObject({ code: 0, ...accepted(7) })
  })

  it("may be a socket that never sends anything: the deadline is kept", async () => {
    expect(await feed("", { hangUp: false, args: ["50"] })).toMatchObject({ code: 0, kind: "timed-out" })
  })

  it("may be a socket that stops in the middle", async () => {
    const result = await feed('{"a":', { hangUp: false, args: ["50"] })
    expect(result).toMatchObject({ code: 0, kind: "timed-out", verdict: "timed-out", bytes: 5 })
  })

  it("takes 10 MB", async () => {
    const input = `{"a":"${"x".repeat(10 * 1024 * 1024 - 8)}"}`
    expect(await feed(input)).toMatchObject({ code: 0, ...accepted(10 * 1024 * 1024) })
  })

  it("turns down 200 MB without keeping it", async () => {
    const child = shell("readStdin", 'head -c 200000000 /dev/zero | tr "\\0" x | "$0" "$1" 20000')
    const { maxRssMb, ...rest } = seen(child.stdout)
    expect(rest).toMatchObject({ kind: "too-large", total: 200_000_000, verdict: "too-large" })
    expect(maxRssMb).toBeLessThan(150)
  })

  it("does not pay a whole buffer for every byte of a writer that trickles", async () => {
    const script =
      'let n=0;(function f(){for(let i=0;i<200&&n<20000;i++,n++)require("fs").writeSync(1,"x");n<20000&&setImmediate(f)})()'
    const child = shell("readStdin", `"$0" -e '${script}' | "$0" "$1"`)
    expect(seen(child.stdout)).toMatchObject({ kind: "buffered", bytes: 20_000, verdict: "malformed" })
    expect(seen(child.stdout).maxRssMb).toBeLessThan(150)
  })

  it.each([
    ["/dev/null", '"$0" "$1" </dev/null', { kind: "buffered", bytes: 0, verdict: "empty" }],
    ["closed", '"$0" "$1" <&-', { kind: "buffered", bytes: 0, verdict: "empty" }],
    ["a directory", '"$0" "$1" </', { kind: "unreadable", bytes: 0, verdict: "empty" }],
    ["a pipe of which nothing comes", ': | "$0" "$1"', { kind: "buffered", bytes: 0, verdict: "empty" }],
    [
      "a pipe with binary",
      'printf "\\377\\000\\376" | "$0" "$1"',
      { kind: "buffered", bytes: 3, verdict: "malformed" }
    ]
  ])("may be %s", (_, line, expected) => {
    const { status, stdout, stderr } = shell("readStdin", line)
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(seen(stdout)).toMatchObject(expected)
  })

  it("may be a file, read from where it stands", () => {
    const file = join(scratch(), "payload.json")
    writeFileSync(file, 'first line\n{"a":1}')
    expect(seen(shell("readStdin", '"$0" "$1" <"$2"', [file]).stdout)).toMatchObject({ verdict: "malformed" })
    const rest = shell("readStdin", '{ read line; exec "$0" "$1"; } <"$2"', [file])
    expect(seen(rest.stdout)).toMatchObject(accepted(7))
  })

  it("may be a pipe whose writer lives on, also as the reader's own descriptor", () => {
    const fifo = makeFifo()
    const line = 'exec 9<>"$2"; printf %s "$3" >&9; exec "$0" "$1" 5000 <"$2"'
    expect(seen(shell("readStdin", line, [fifo, '{"a":1}']).stdout)).toMatchObject(accepted(7))
    const stuck = 'exec 9<>"$2"; printf %s "$3" >&9; exec "$0" "$1" 50 <"$2"'
    expect(seen(shell("readStdin", stuck, [fifo, '{"a":']).stdout)).toMatchObject({
      kind: "timed-out",
      bytes: 5
    })
  })

  it("may be non-blocking already", () => {
    const fifo = makeFifo()
    const descriptor = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(fifo, constants.O_WRONLY)
    const child = startProgram("readStdin", ["5000"], { stdio: [descriptor, "pipe", "inherit"] })
    const stdout = collect(child.stdout as Readable)
    writeSync(writer, '{"a":1}')
    return stdout.then((line) => {
      closeSync(writer)
      expect(seen(line)).toMatchObject(accepted(7))
    })
  })
})
