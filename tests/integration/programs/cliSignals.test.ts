/** A command that has much to print: it ends when it is told to, and when nobody reads on. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { command, startCommand } from "../../support/command.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { lengthen } from "../../support/log/longLog.ts"

const long = 150_000

let place: Station
const children: ChildProcess[] = []

beforeAll(async () => {
  place = await station()
  await place.build()
  await place.fire({ input: bash("true") })
  await place.facts()
  lengthen(join(place.state, "log.sqlite"), long)
}, 60_000)

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

const begin = async (...args: readonly string[]) => {
  const child = startCommand(place, args)
  children.push(child)
  const stdout = child.stdout as Readable
  // Its first words: from here on it prints, as far as somebody reads.
  await once(stdout, "readable")
  return { child, stdout, ended: once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]> }
}

describe("a log that is longer than anybody waits for", { timeout: 30_000 }, () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129]
  ] as const)("ends with %s while its reader does not read", async (signal, code) => {
    const { child, ended } = await begin("log", "--json")
    child.kill(signal)
    expect(await ended).toEqual([code, null])
  })

  it.each([[["log", "--json"]], [["log", "--facts"]]])(
    "ends with SIGTERM while it is read (%j)",
    async (args) => {
      const { child, ended, stdout } = await begin(...args)
      child.kill("SIGTERM")
      let lines = 0
      stdout.on("data", (chunk: Buffer) => {
        lines += chunk.toString("latin1").split("\n").length - 1
      })
      expect(await ended).toEqual([143, null])
      expect(lines).toBeLessThan(long)
    }
  )

  it("ends without a word when its reader has gone", async () => {
    const { child, ended, stdout } = await begin("log", "--json")
    let said = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
    })
    stdout.destroy()
    expect(await ended).toEqual([0, null])
    expect(said).toBe("")
  })

  it("was ended by the signal where its reader goes as well", async () => {
    const { child, ended, stdout } = await begin("log", "--json")
    child.kill("SIGTERM")
    stdout.destroy()
    expect(await ended).toEqual([143, null])
  })

  it("is read from its end for the last facts, which stand in order", async () => {
    const { code, stdout } = await command(place, "log", "--json", "--limit", "3")
    expect(code).toBe(0)
    const positions = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).position as number)
    const [first = 0] = positions
    expect(first).toBeGreaterThan(long)
    expect(positions).toEqual([first, first + 1, first + 2])
    const opened = await command(place, "log", "--json", "--limit", "2", "--type", "EXITED")
    expect(opened.stdout.trimEnd().split("\n")).toHaveLength(1)
    const none = await command(place, "log", "--json", "--limit", "0")
    expect(none).toMatchObject({ stdout: "", stderr: expect.stringContaining("--limit wants how many") })
    expect(none.code).not.toBe(0)
  })
})
