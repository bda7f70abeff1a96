/** The edge: one delivery, complete, whatever the reader does. */
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { Encoded } from "../../../src/agents/Adapter.ts"
import { makeEdge, performed } from "../../../src/runtime/Edge.ts"
import { collect, exitOf, makeFifo, startProgram } from "../../support/child.ts"

const encoded = (more: Partial<Encoded> = {}): Encoded => ({
  stdout: "",
  stderr: "",
  exitCode: 0,
  carried: {},
  ...more
})

const files = () => {
  const folder = mkdtempSync(join(homedir(), "edge-"))
  const paths = { stdout: join(folder, "stdout"), stderr: join(folder, "stderr") }
  const open = { stdout: openSync(paths.stdout, "w"), stderr: openSync(paths.stderr, "w") }
  const read = () => ({
    stdout: readFileSync(paths.stdout, "utf8"),
    stderr: readFileSync(paths.stderr, "utf8")
  })
  return { open, read }
}

describe("an edge", () => {
  it("writes exactly the bytes it was given, each to its own stream", () => {
    const { open, read } = files()
    const delivery = makeEdge(open).deliver(encoded({ stdout: '{"a":"é"}\n', stderr: "hint\n" }), "")
    expect(read()).toEqual({ stdout: '{"a":"é"}\n', stderr: "hint\n" })
    expect(delivery).toEqual({ stdout: '{"a":"é"}\n', stderr: "hint\n", exitCode: 0 })
  })

  it("writes nothing at all for an empty reply", () => {
    const { open, read } = files()
    makeEdge(open).deliver(encoded(), "noise")
    expect(read()).toEqual({ stdout: "", stderr: "" })
  })

  it("delivers once: a second time throws and writes nothing", () => {
    const { open, read } = files()
    const edge = makeEdge(open)
    edge.deliver(encoded({ stdout: "{}\n" }), "")
    expect(() => edge.deliver(encoded({ stdout: "{}\n" }), "")).toThrow("a reply is delivered once")
    expect(read().stdout).toBe("{}\n")
  })

  it("delivers once also after a failure", () => {
    const edge = makeEdge({ stdout: 9999, stderr: 9999 })
    expect(edge.deliver(encoded({ stdout: "{}\n" }), "").error).toMatchObject({ code: "EBADF" })
    expect(() => edge.deliver(encoded(), "")).toThrow("once")
  })

  it("has a state of its own: another invocation's edge is not spent", () => {
    const { open, read } = files()
    makeEdge(open).deliver(encoded({ stdout: "1\n" }), "")
    makeEdge(open).deliver(encoded({ stdout: "2\n" }), "")
    expect(read().stdout).toBe("1\n2\n")
  })

  it("drops noise on a graceful exit and puts it before the reason on a blocking one", () => {
    expect(performed(encoded({ stderr: "warning\n" }), "noise\n").stderr).toBe("warning\n")
    expect(performed(encoded({ exitCode: 1, stderr: "warning\n" }), "noise\n").stderr).toBe("warning\n")
    expect(performed(encoded({ exitCode: 2, stderr: "blocked\n" }), "noise\n").stderr).toBe(
      "noise\nblocked\n"
    )
  })

  it("ends noise that ended in the middle of a line", () => {
    expect(performed(encoded({ exitCode: 2, stderr: "blocked\n" }), "half a li").stderr).toBe(
      "half a li\nblocked\n"
    )
    expect(performed(encoded({ exitCode: 2, stderr: "blocked\n" }), "").stderr).toBe("blocked\n")
  })

  it("never puts noise on standard output", () => {
    expect(performed(encoded({ exitCode: 2, stdout: "{}\n" }), "noise\n").stdout).toBe("{}\n")
  })

  const denial = encoded({
    stdout: '{"decision":"deny"}\n',
    stderr: "warning\n",
    otherwise: { stderr: "stop\n", exitCode: 2 }
  })

  it("says a block the other way when standard output is gone, and reports the loss", () => {
    const { open, read } = files()
    closeSync(open.stdout)
    const delivery = makeEdge(open).deliver(denial, "noise\n")
    expect(read()).toEqual({ stdout: "", stderr: "noise\nstop\n" })
    expect(delivery).toMatchObject({
      stdout: "",
      stderr: "noise\nstop\n",
      exitCode: 2,
      error: { code: "EBADF" }
    })
  })

  it("says a block in one way only when both streams are there, or standard error is gone", () => {
    const { open, read } = files()
    expect(makeEdge(open).deliver(denial, "noise\n")).toEqual({
      stdout: '{"decision":"deny"}\n',
      stderr: "warning\n",
      exitCode: 0
    })
    expect(read()).toEqual({ stdout: '{"decision":"deny"}\n', stderr: "warning\n" })
    const half = files()
    closeSync(half.open.stderr)
    expect(makeEdge(half.open).deliver(denial, "")).toMatchObject({ exitCode: 0, error: { code: "EBADF" } })
    expect(half.read().stdout).toBe('{"decision":"deny"}\n')
  })

  it("still answers when standard error is gone, and reports the loss", () => {
    const { open, read } = files()
    closeSync(open.stderr)
    const delivery = makeEdge(open).deliver(encoded({ stdout: "{}\n", stderr: "hint\n" }), "")
    expect(read().stdout).toBe("{}\n")
    expect(delivery.error).toMatchObject({ code: "EBADF" })
  })
})

const megabyte = 1024 * 1024
const documentBytes = megabyte + '{"text":""}\n'.length

/** A pipe whose reading end is ours; the writing end is the child's alone. */
const startOnPipe = (flags: number) => {
  const fifo = makeFifo()
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(fifo, constants.O_WRONLY | flags)
  const child = startProgram("deliver", [String(megabyte)], {
    stdio: ["pipe", "ignore", "pipe", "pipe", writer]
  })
  closeSync(writer)
  const [stderr, report] = [child.stderr, child.stdio[3]].map((stream) => collect(stream as Readable))
  const go = () => child.stdin?.end("!")
  return { child, reader, go, stderr, report }
}

/** Takes what there is, a little at a time, until the writer has hung up. */
const readSlowly = async (reader: number, seen: (total: number) => void): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for (let total = 0; ; ) {
    const chunk = Buffer.alloc(8192)
    await turn()
    try {
      const count = readSync(reader, chunk)
      if (count === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, count))
      total += count
      seen(total)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    }
  }
}

describe("an edge on a pipe", () => {
  it.each([
    ["blocking", 0],
    ["non-blocking", constants.O_NONBLOCK]
  ])("writes a megabyte completely to a slow reader (%s)", async (_, flags) => {
    const { child, reader, go, report } = startOnPipe(flags)
    go()
    // Most of it does not fit into the pipe: the writer has to be there still.
    const bytes = await readSlowly(reader, (total) => {
      if (total < documentBytes - 256 * 1024) expect(child.exitCode).toBeNull()
    })
    expect(bytes.length).toBe(documentBytes)
    expect((JSON.parse(bytes.toString("utf8")) as { text: string }).text).toHaveLength(megabyte / 2)
    expect(bytes.toString("utf8").endsWith('"}\n')).toBe(true)
    expect(await exitOf(child)).toBe(0)
    expect(JSON.parse((await report) ?? "")).toEqual({ exitCode: 0, error: null })
  })

  it("reports a reader that is gone, and prints no stack trace", async () => {
    const { child, reader, go, report, stderr } = startOnPipe(0)
    closeSync(reader)
    go()
    expect(await exitOf(child)).toBe(0)
    expect(JSON.parse((await report) ?? "")).toEqual({ exitCode: 0, error: "EPIPE" })
    expect(await stderr).toBe("a diagnostic\n")
  })

  it("reports a reader that goes away in the middle", async () => {
    const { child, reader, go, report } = startOnPipe(0)
    go()
    let taken = 0
    await expect(
      readSlowly(reader, (total) => {
        taken = total
        if (total > 100_000) throw new Error("enough")
      })
    ).rejects.toThrow("enough")
    closeSync(reader)
    expect(await exitOf(child)).toBe(0)
    expect(taken).toBeLessThan(documentBytes)
    expect(JSON.parse((await report) ?? "")).toEqual({ exitCode: 0, error: "EPIPE" })
  })
})
