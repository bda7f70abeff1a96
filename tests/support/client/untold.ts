/** What the client does with an answer that the agent does not take, as the host told it beforehand. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type Asking, type FakeHost, fakeHost, frame, longFrame, waitFrame } from "./fakeHost.ts"
import { type Client, type Stage, stage } from "./stage.ts"

const payload = JSON.stringify({ session_id: "s" })
const fact = '{"at":1111111111111,"why":"<why it was not delivered>"}\n'
const instead = { code: 2, stderr: "stop\n", undelivered: fact }
const answer = { stdout: '{"deny":1}\n', stderr: "by the way\n" }

const saying =
  (bytes: Buffer, inPieces = false) =>
  async ({ asked, socket }: Asking): Promise<void> => {
    socket.write(waitFrame(100_000))
    await asked()
    if (inPieces) for (const byte of bytes) socket.write(Buffer.from([byte]))
    else socket.write(bytes)
    socket.end()
  }

export const untoldSuite = (name: string, getClient: () => Client) => {
  const hosts: FakeHost[] = []
  const stages: Stage[] = []
  const placeWith = async (behave: (asking: Asking) => unknown) => {
    const place = stage(getClient())
    stages.push(place)
    const host = await fakeHost(place.state, behave)
    hosts.push(host)
    return { place, host }
  }
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    for (const place of stages.splice(0)) expect(place.reports()).toEqual([])
  })

  const recordedAt = (place: Stage): readonly string[] => {
    const files = place.spooled().filter((file) => file !== "blank")
    for (const file of files) expect(file).toMatch(/^[0-9a-f-]{36}\.ndjson$/)
    return files.map((file) => readFileSync(join(place.state, "spool", file), "utf8"))
  }

  describe(`${name}, with an answer that can be said in another way`, () => {
    it.each([false, true])("says it as it is where it is taken (in pieces: %s)", async (inPieces) => {
      const { place } = await placeWith(saying(longFrame(answer, instead), inPieces))
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, ...answer })
      expect(recordedAt(place)).toEqual([])
      expect(place.entered()).toEqual([])
    })

    it.each([
      [">/dev/full", "ENOSPC"],
      [">&-", "EBADF"]
    ])(
      "says that where standard output is %s, and leaves the fact with its reason and time",
      async (redirect, why) => {
        const { place } = await placeWith(saying(longFrame(answer, instead)))
        const before = Date.now()
        expect(await place.fire({ input: payload, redirect })).toMatchObject({ code: 2, stderr: "stop\n" })
        const [line = "", ...more] = recordedAt(place)
        expect(more).toEqual([])
        const recorded = JSON.parse(line) as { at: number; why: string }
        expect(recorded.why).toContain(why)
        expect(recorded.at).toBeGreaterThanOrEqual(before)
        expect(recorded.at).toBeLessThanOrEqual(Date.now())
      }
    )

    it("lets the agent go on where nothing else says it, and leaves the fact", async () => {
      const { place } = await placeWith(saying(longFrame(answer, { undelivered: fact })))
      const fired = await place.fire({ input: payload, redirect: ">/dev/full" })
      expect(fired).toMatchObject({ code: 0, stderr: "by the way\n" })
      expect(recordedAt(place)).toHaveLength(1)
    })

    it("blocks by a host of before as that says, and knows of no fact", async () => {
      const { place } = await placeWith(saying(frame(0, { ...answer, code: 2 })))
      const fired = await place.fire({ input: payload, redirect: ">/dev/full" })
      expect(fired).toMatchObject({ code: 2, stderr: "by the way\n" })
      expect(recordedAt(place)).toEqual([])
    })

    it("tells a host that it knows such answers", async () => {
      const { host, place } = await placeWith(saying(frame(0, answer)))
      await place.fire({ input: payload })
      expect(await host.asked[0]?.head()).toMatchObject({ kinds: "3" })
    })

    it.each<readonly [string, Buffer]>([
      ["ends before its texts", longFrame(answer, instead).subarray(0, -1)],
      ["ends before their lengths", longFrame(answer, instead).subarray(0, 14 + 11 + 11 + 5)],
      [
        "says that they are longer than any",
        Buffer.concat([frame(3, answer), Buffer.from([1, 2, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255])])
      ]
    ])("turns to the entrypoint where it %s", async (_, bytes) => {
      const { place } = await placeWith(saying(bytes))
      expect(await place.fire({ input: payload })).toMatchObject({ code: 3, stdout: payload })
    })
  })
}
