/** What the client owes its agent, whatever the host does: run on the client as built, and on one that watches its own memory. */
import { afterEach, describe, expect, it } from "vitest"
import { answering, type FakeHost, fakeHost, frame } from "./fakeHost.ts"
import { type Client, stage } from "./stage.ts"

const payload = JSON.stringify({ session_id: "s", tool_input: { command: 'echo "}{"' } })
const byEntrypoint = { code: 3, stdout: payload, stderr: " from the entrypoint" }

export const clientSuite = (name: string, getClient: () => Client) => {
  describe(name, () => {
    const hosts: FakeHost[] = []
    const playing = async (...args: Parameters<typeof fakeHost>) => {
      const host = await fakeHost(...args)
      hosts.push(host)
      return host
    }
    afterEach(async () => {
      await Promise.all(hosts.splice(0).map((host) => host.close()))
    })

    it("relays what the host answers", async () => {
      const place = stage(getClient())
      const host = await playing(place.state, answering({ code: 2, stdout: '{"a":1}\n', stderr: "no\n" }))
      expect(await place.fire({ input: payload })).toMatchObject({
        code: 2,
        stdout: '{"a":1}\n',
        stderr: "no\n"
      })
      const asked = await host.asked[0]?.asked()
      expect(asked).toMatchObject({ payload: Buffer.from(payload), ended: true })
      expect(asked?.head).toMatchObject({ agent: "claude-code", event: "PreToolUse", cwd: place.project })
      expect(place.entered()).toEqual([])
    })

    it("runs the entrypoint when the host sends it elsewhere", async () => {
      const place = stage(getClient())
      await playing(place.state, ({ socket }) => socket.end(frame(1, { stderr: "draining" })))
      expect(await place.fire({ input: payload })).toMatchObject(byEntrypoint)
    })
  })
}
