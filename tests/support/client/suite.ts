/** What the client owes its agent, whatever the host does: run on the client as built, and on one that watches its own memory. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { inTurns, outcomeOf } from "../entrypoint.ts"
import { type Asking, answering, type FakeHost, fakeHost, frame, token, waitFrame } from "./fakeHost.ts"
import { atOnce, type Client, type Stage, stage } from "./stage.ts"

const payload = JSON.stringify({ session_id: "s", tool_input: { command: 'echo "}{" \\\\' } })
const byEntrypoint = { code: 3, stdout: payload, stderr: " from the entrypoint" }
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const object = (bytes: number): string => `{"text":"${"x".repeat(bytes - 11)}"}`

const hangUpAfter = (wait: (asking: Asking) => Promise<unknown>) => async (asking: Asking) => {
  await wait(asking)
  asking.socket.destroy()
}
const hangUpWhenAsked = hangUpAfter(({ asked }) => asked())

/** Answers with what came. */
const echoing = async ({ socket, asked }: Asking) => {
  socket.write(waitFrame(100_000))
  const { payload } = await asked()
  socket.end(frame(0, { stdout: payload }))
}

export const clientSuite = (name: string, getClient: () => Client) => {
  const hosts: FakeHost[] = []
  const stages: Stage[] = []
  const playing = async (...args: Parameters<typeof fakeHost>) => {
    const host = await fakeHost(...args)
    hosts.push(host)
    return host
  }
  const setUp = (folder?: string) => {
    const place = stage(getClient(), folder)
    stages.push(place)
    return place
  }
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    for (const place of stages.splice(0)) expect(place.reports()).toEqual([])
  })

  describe(`${name}, with a host`, () => {
    it("relays what the host answers", async () => {
      const place = setUp()
      const host = await playing(place.state, answering({ code: 2, stdout: '{"a":1}\n', stderr: "no\n" }))
      const fired = await place.fire({ input: payload })
      expect(fired).toMatchObject({ code: 2, stdout: '{"a":1}\n', stderr: "no\n" })
      expect(await host.asked[0]?.asked()).toMatchObject({ payload: Buffer.from(payload), ended: true })
      expect(place.entered()).toEqual([])
    })

    it("says who calls, from where, in which environment", async () => {
      const place = setUp()
      const host = await playing(place.state, answering({}))
      await place.fire({ agent: "codex", event: "Stop", env: { CI: "yes", ODD: "a=b\nc", SECRET: "s" } })
      const asked = await host.asked[0]?.asked()
      const build = readFileSync(new URL("../../../dist/build-id", import.meta.url), "utf8").trim()
      expect(asked?.head).toEqual({
        token,
        agent: "codex",
        event: "Stop",
        call: expect.stringMatching(uuidv7),
        cwd: place.project,
        build,
        kinds: "3",
        start: expect.stringMatching(/^\d{16} \d+ \d+$/)
      })
      expect(asked?.env).toMatchObject({ CI: "yes", ODD: "a=b\nc", SECRET: "s", HOME: place.folder })
    })

    it.each([0, 1, 2, 65_535, 65_536, 65_537, 1_000_000, 10 * 1024 * 1024, 40 * 1024 * 1024])(
      "carries a payload of %d bytes there and back",
      async (bytes) => {
        const place = setUp()
        await playing(place.state, echoing)
        const input = bytes < 100 ? "x".repeat(bytes) : object(bytes)
        const { code, stdout } = await place.fire({ input })
        expect(code).toBe(0)
        expect(stdout === input).toBe(true)
      }
    )

    it("relays every byte, zeros and broken characters too, to a reader that takes its time", async () => {
      const place = setUp()
      const [stdout, stderr] = [randomBytes(1_000_000), randomBytes(200_000)]
      await playing(place.state, answering({ code: 7, stdout, stderr }))
      const child = place.start()
      child.stdin?.end()
      const heard: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] }
      for (const name of ["stdout", "stderr"] as const) {
        const stream = child[name]
        // One piece a turn: the pipe stays full nearly all the time.
        stream?.on("data", (chunk: Buffer) => {
          heard[name].push(chunk)
          stream.pause()
          setImmediate(() => stream.resume())
        })
      }
      const [code] = await once(child, "close")
      expect(code).toBe(7)
      expect(Buffer.concat(heard.stderr).equals(stderr)).toBe(true)
      expect(Buffer.concat(heard.stdout).equals(stdout)).toBe(true)
    })

    it("ends quietly when nobody reads any more", async () => {
      const place = setUp()
      await playing(place.state, async ({ socket, head }) => {
        await head()
        child.stdout?.destroy()
        socket.end(frame(0, { code: 4, stdout: "x".repeat(500_000), stderr: "heard" }))
      })
      const child = place.start()
      child.stdin?.end()
      expect(await outcomeOf(child)).toMatchObject({ code: 4, signal: null, stderr: "heard" })
    })

    it.each(["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])("lives with %s", async (redirect) => {
      const place = setUp()
      await playing(place.state, answering({ code: 5, stdout: "out", stderr: "err" }))
      const { code, stdout, stderr } = await place.fire({ input: payload, redirect })
      expect(code).toBe(5)
      expect(stdout).toBe(/(^| )>/.test(redirect) ? "" : "out")
      expect(stderr).toBe(/2>/.test(redirect) ? "" : "err")
    })

    it("does not wait for the end of standard input once it has its answer", async () => {
      const place = setUp()
      await playing(place.state, async ({ socket, received }) => {
        await received(payload.length)
        socket.end(frame(0, { stdout: "done" }))
      })
      expect(await place.fire({ input: payload, open: true })).toMatchObject({ code: 0, stdout: "done" })
    })

    it("takes an answer that comes before it has said everything", async () => {
      const place = setUp()
      await playing(place.state, ({ socket }) => {
        socket.write(frame(0, { code: 2, stderr: "enough" }))
        socket.destroySoon()
      })
      const fired = await place.fire({ input: object(5_000_000) })
      expect(fired).toMatchObject({ code: 2, stderr: "enough" })
    })

    it("takes an answer in the smallest pieces", async () => {
      const place = setUp()
      await playing(place.state, async ({ socket, asked }) => {
        await asked()
        for (const byte of Buffer.concat([
          waitFrame(60_000),
          waitFrame(60_000),
          frame(0, { stdout: "piecemeal" })
        ]))
          await new Promise((resolve) => socket.write(Buffer.of(byte), resolve))
        socket.end()
      })
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, stdout: "piecemeal" })
    })

    it("waits as long as a host at work says it needs", async () => {
      const place = setUp()
      await playing(place.state, async ({ socket, asked }) => {
        await asked()
        socket.write(waitFrame(60_000))
        // Longer than a silent host would be given.
        setTimeout(() => socket.end(frame(0, { stdout: "late" })), 2500)
      })
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, stdout: "late" })
    })

    it("waits as long as a host says again and again that it is at work", async () => {
      const place = setUp()
      await playing(place.state, async ({ socket, asked }) => {
        await asked()
        const again = setInterval(() => socket.write(waitFrame(60_000, true)), 200)
        // Longer than the first word alone would be enough for.
        setTimeout(() => {
          clearInterval(again)
          socket.end(frame(0, { stdout: "later" }))
        }, 2500)
      })
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, stdout: "later" })
    })

    it("answers 64 calls at once", async () => {
      const place = setUp()
      const host = await playing(place.state, echoing)
      const inputs = Array.from({ length: 64 }, (_, at) => object(1000 + at))
      const fired = await atOnce(inputs, (input) => place.fire({ input }))
      expect(fired.map(({ stdout }) => stdout)).toEqual(inputs)
      const calls = await Promise.all(host.asked.map(async ({ head }) => (await head())["call"]))
      expect(new Set(calls).size).toBe(64)
      expect(place.entered()).toEqual([])
    })

    it("finds it under a path that is longer than a socket's address", async () => {
      const folder = join(stage(getClient()).folder, "d".repeat(120))
      mkdirSync(folder)
      const place = setUp(folder)
      const socket = join(folder, "..", "short.sock")
      await playing(place.state, answering({ stdout: "far" }), socket)
      renameSync(socket, join(place.state, "run", "host.sock"))
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, stdout: "far" })
    })

    it("is found wherever it is called from", async () => {
      const place = setUp()
      const host = await playing(place.state, answering({ stdout: "here" }))
      const gone = join(place.folder, "gone")
      mkdirSync(gone)
      const child = place.start({ cwd: gone, redirect: "" })
      rmSync(gone, { recursive: true })
      child.stdin?.end(payload)
      expect(await outcomeOf(child)).toMatchObject({ code: 0, stdout: "here" })
      expect(await host.asked[0]?.head()).toMatchObject({ agent: "claude-code" })
    })
  })

  describe(`${name}, with a host that fails it`, () => {
    const failures: readonly (readonly [string, (asking: Asking) => unknown])[] = [
      ["hangs up at once", ({ socket }) => socket.destroy()],
      ["hangs up when it has heard everything", hangUpWhenAsked],
      ["says nothing", () => {}],
      ["is at work, then says no more", ({ socket }) => socket.write(waitFrame(300))],
      [
        "says that it will say again that it is at work, and does not",
        ({ socket }) => socket.write(waitFrame(600_000, true))
      ],
      ["sends it elsewhere", ({ socket }) => socket.end(frame(1, { stderr: "draining" }))],
      ["speaks another protocol", ({ socket }) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
      ["speaks a later protocol", ({ socket }) => socket.end(Buffer.from("HKT2".padEnd(14, "\0")))],
      ["knows a kind of reply that nobody knows", ({ socket }) => socket.end(frame(3, { stdout: "x" }))],
      ["dies within the header", ({ socket }) => socket.end(frame(0).subarray(0, 9))],
      [
        "dies within the body",
        ({ socket }) => socket.end(frame(0, { stdout: "half of it" }).subarray(0, 19))
      ],
      [
        "announces more than anybody holds",
        ({ socket }) => socket.end(Buffer.from(`HKT1\0\0${"\xff".repeat(8)}`, "latin1"))
      ],
      [
        "announces much and sends little",
        ({ socket }) => socket.end(Buffer.from("HKT1\0\0\0\0\0\x02\0\0\0\x01few", "latin1"))
      ]
    ]

    it.each(failures)("answers by the entrypoint when it %s", async (_, behave) => {
      const place = setUp()
      const host = await playing(place.state, behave)
      expect(await place.fire({ input: payload })).toMatchObject(byEntrypoint)
      expect(host.asked).toHaveLength(1)
      expect(place.entered()).toEqual([expect.stringMatching(/^claude-code PreToolUse [0-9a-f-]{36}$/)])
    })

    it("gives the entrypoint the id that the host has heard", async () => {
      const place = setUp()
      const host = await playing(
        place.state,
        hangUpAfter(({ head }) => head())
      )
      await place.fire({ input: payload, env: { HOOKTAPE_CALL: "of somebody else" } })
      const head = await host.asked[0]?.head()
      expect(place.entered()).toEqual([`claude-code PreToolUse ${head?.["call"]}`])
    })

    it.each([1_000, 100_000, 10 * 1024 * 1024])(
      "hands on %d bytes that the host has taken",
      async (bytes) => {
        const place = setUp()
        await playing(place.state, hangUpWhenAsked)
        const input = object(bytes)
        const { code, stdout } = await place.fire({ input })
        expect({ code, same: stdout === input }).toEqual({ code: 3, same: true })
      }
    )

    it("hands on what it has and what still comes", async () => {
      const place = setUp()
      const [first, second] = ["{".repeat(70_000), "}".repeat(300_000)]
      await playing(place.state, async ({ socket, received }) => {
        await received(first.length)
        socket.destroy()
        child.stdin?.end(second)
      })
      const child = place.start()
      child.stdin?.write(first)
      const { stdout } = await outcomeOf(child)
      expect(stdout === first + second).toBe(true)
    })

    it("says how much it was where it was too much to keep", async () => {
      const place = setUp()
      await playing(place.state, hangUpWhenAsked)
      const input = object(40 * 1024 * 1024)
      const { stdout } = await place.fire({ input })
      expect(stdout.length).toBe(input.length)
      expect(stdout.slice(0, 16 * 1024 * 1024) === input.slice(0, 16 * 1024 * 1024)).toBe(true)
    })

    it("leaves nobody waiting for a standard input that never ends", async () => {
      const place = setUp()
      await playing(
        place.state,
        hangUpAfter(({ received }) => received(5))
      )
      const fired = await place.fire({ input: '{"a":', open: true, env: { TAKE: "5" } })
      expect(fired).toMatchObject({ code: 3, stdout: '{"a":' })
      const whole = await place.fire({ input: payload, open: true })
      expect(whole).toMatchObject(byEntrypoint)
    })
  })

  describe(`${name}, without a host`, () => {
    const usable = async (place: Stage) => {
      const host = await playing(place.state, answering({ stdout: "host" }))
      expect(await place.fire({ input: payload })).toMatchObject({ code: 0, stdout: "host" })
      return host
    }

    it.each<readonly [string, (place: Stage, host: FakeHost) => unknown]>([
      ["no socket", ({ state }) => rmSync(join(state, "run", "host.sock"))],
      [
        "a socket that nobody listens at",
        async ({ state }, host) => {
          const socket = join(state, "run", "host.sock")
          // Closing the server takes its socket with it: what a killed one leaves is a name of the same socket.
          renameSync(socket, `${socket}.left`)
          await host.close()
          renameSync(`${socket}.left`, socket)
        }
      ],
      [
        "a file in the place of the socket",
        ({ state }) => {
          rmSync(join(state, "run", "host.sock"))
          writeFileSync(join(state, "run", "host.sock"), "")
        }
      ],
      ["no token", ({ state }) => rmSync(join(state, "run", "token"))],
      ["an empty token", ({ state }) => writeFileSync(join(state, "run", "token"), "")],
      [
        "a token behind a link",
        ({ state }) => {
          renameSync(join(state, "run", "token"), join(state, "elsewhere"))
          symlinkSync(join(state, "elsewhere"), join(state, "run", "token"))
        }
      ],
      ["a token that others can write", ({ state }) => chmodSync(join(state, "run", "token"), 0o666)],
      ["a directory that others can write", ({ state }) => chmodSync(join(state, "run"), 0o777)],
      ["a state directory that others can write", ({ state }) => chmodSync(state, 0o777)],
      [
        "a directory behind a link",
        ({ state, folder }) => {
          renameSync(join(state, "run"), join(folder, "run"))
          symlinkSync(join(folder, "run"), join(state, "run"))
        }
      ],
      ["no directory at all", ({ state }) => rmSync(join(state, "run"), { recursive: true })]
    ])("runs the entrypoint where there is %s", async (_, spoil) => {
      const place = setUp()
      const host = await usable(place)
      await spoil(place, host)
      expect(await place.fire({ input: payload })).toMatchObject(byEntrypoint)
      expect(host.asked).toHaveLength(1)
    })

    it("shows its token to nobody but a process of the same user", async () => {
      if (process.getuid?.() !== 0) return
      const place = setUp()
      const socket = join(place.state, "run", "host.sock")
      writeFileSync(join(place.state, "run", "token"), token, { mode: 0o600 })
      for (const path of [place.folder, place.state, join(place.state, "run")]) chmodSync(path, 0o755)
      const heard: Buffer[] = []
      const server = createServer((connection) =>
        connection.on("data", (data) => heard.push(data)).on("error", () => {})
      )
      // Asked for now: to a process of two users Node does not tell the environment.
      const foreign = join(tmpdir(), `hooktape-foreign-${process.pid}.sock`)
      // Whom the kernel names is who began to listen.
      process.seteuid?.(65534)
      try {
        server.listen(foreign)
        await once(server, "listening")
      } finally {
        process.seteuid?.(0)
      }
      renameSync(foreign, socket)
      expect(await place.fire({ input: payload })).toMatchObject(byEntrypoint)
      expect(heard).toEqual([])
      await new Promise((resolve) => server.close(resolve))
    })

    it("asks nobody when it is told not to", async () => {
      const place = setUp()
      const host = await usable(place)
      expect(await place.fire({ input: payload, env: { HOOKTAPE_HOST: "off" } })).toMatchObject(byEntrypoint)
      expect(host.asked).toHaveLength(1)
    })

    it.each(["", "claude-code", "claude-code Stop more"])(
      "leaves the words for `hook %s` to the entrypoint",
      async (words) => {
        const place = setUp()
        await usable(place)
        const [agent = "", ...event] = words.split(" ")
        const fired = await place.fire({ agent, event: event.join(" "), input: payload })
        expect(fired).toMatchObject(byEntrypoint)
      }
    )

    it("drains its input and says nothing when it is switched off", async () => {
      const place = setUp()
      const host = await usable(place)
      const off = { env: { HOOKTAPE: "0" }, input: object(3_000_000) }
      expect(await place.fire(off)).toMatchObject({ code: 0, stdout: "", stderr: "" })
      expect(await place.fire({ ...off, input: payload, open: true })).toMatchObject({
        code: 0,
        stdout: "",
        stderr: ""
      })
      expect(host.asked).toHaveLength(1)
      expect(place.entered()).toEqual([])
    })

    it("has read nothing that the entrypoint would miss", async () => {
      const place = setUp()
      const inputs = Array.from({ length: 16 }, (_, at) => object(200_000 + at))
      const fired = await inTurns(inputs, 8, (input) => place.fire({ input }))
      expect(fired.map(({ stdout }, at) => stdout === inputs[at])).toEqual(inputs.map(() => true))
    })
  })

  it(`${name} says which build it is of, and is private where it is installed`, async () => {
    const place = setUp()
    const { stdout, code } = await place.fire({ agent: "--version", event: "" })
    const build = readFileSync(new URL("../../../dist/build-id", import.meta.url), "utf8")
    expect({ stdout, code }).toEqual({ stdout: build, code: 0 })
    expect(statSync(join(place.state, "bin", "hook")).isFile()).toBe(true)
  })
}
