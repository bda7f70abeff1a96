import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { makeThread, type WorkThread } from "../../../src/programs/host/thread.ts"

/** Answers every lease at once, spins for ever where it says so, ends where it says so. */
const program = `const { parentPort } = require("node:worker_threads")
parentPort.on("message", (message) => {
  if (message.type === "alive") return parentPort.postMessage({ type: "alive" })
  if (message.type !== "for") return
  const { text } = message.message
  if (text === "spin") for (;;);
  if (text === "exit") process.exit(3)
  if (text === "silent") return
  parentPort.postMessage({ type: "from", seat: message.seat, message: { type: "failed", message: text } })
})
`

let thread: WorkThread | undefined
afterEach(() => thread?.close())

const started = (silentMs: number) => {
  const folder = mkdtempSync(join(homedir(), "thread-"))
  const file = join(folder, "thread.cjs")
  writeFileSync(file, program)
  const notes: string[] = []
  thread = makeThread({ program: file, state: folder, note: (line) => notes.push(line), silentMs })
  return { thread, notes }
}

const lease = (text: string) => ({ type: "lease", text }) as never
const answerTo = async (of: WorkThread, text: string, withinMs = 60_000) => {
  const seat = await of.take("build", withinMs)
  seat.send(lease(text))
  return seat.next(withinMs)
}

describe("the thread that works for the host", () => {
  it("answers several at once, each what it was asked", async () => {
    const { thread } = started(5000)
    const seats = await Promise.all(["a", "b", "c"].map((build) => thread.take(build, 1000)))
    for (const [at, seat] of seats.entries()) seat.send(lease(`answer ${at}`))
    const answers = await Promise.all(seats.map((seat) => seat.next(60_000)))
    expect(answers.map((answer) => "message" in answer && answer.message)).toEqual([
      "answer 0",
      "answer 1",
      "answer 2"
    ])
  })

  it("is replaced where it does nothing any more, and who waited is told", async () => {
    const { notes, thread } = started(1)
    await expect(answerTo(thread, "spin", 1)).rejects.toMatchObject({ reason: "late" })
    const held = await thread.take("build", 1000)
    held.send(lease("never"))
    await expect(held.next(60_000)).rejects.toMatchObject({ reason: "ended" })
    expect(await answerTo(thread, "again")).toMatchObject({ message: "again" })
    expect(notes).toEqual([expect.stringContaining("did nothing for 1 ms")])
  })

  it("goes on where one answer is late and it is alive", async () => {
    const { notes, thread } = started(60_000)
    await expect(answerTo(thread, "silent", 1)).rejects.toMatchObject({ reason: "late" })
    expect(await answerTo(thread, "again")).toMatchObject({ message: "again" })
    expect(notes).toEqual([])
  })

  it("that ended is started again for the next call", async () => {
    const { notes, thread } = started(5000)
    await expect(answerTo(thread, "exit")).rejects.toMatchObject({ reason: "ended" })
    expect(await answerTo(thread, "again")).toMatchObject({ message: "again" })
    expect(notes).toHaveLength(1)
  })

  it("takes nothing more once the host ends", async () => {
    const { thread } = started(5000)
    thread.close()
    await expect(answerTo(thread, "late")).rejects.toMatchObject({ reason: "ended" })
  })
})
