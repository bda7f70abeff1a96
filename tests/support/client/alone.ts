/** What the client does where no host answers: leaves the call for one, starts one, counts what nobody could handle. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { openFrame } from "../../../src/log/sealedFrame.ts"
import { allowedEnvironment } from "../../../src/runtime/environment.ts"
import { digestKey } from "../../../src/state/state.ts"
import { makeFifo } from "../child.ts"
import { type Asked, answering, type FakeHost, fakeHost, parseRequest } from "./fakeHost.ts"
import { atOnce, type Client, type Stage, stage } from "./stage.ts"

const payload = JSON.stringify({ session_id: "s", tool_response: { text: "}" } })
const byEntrypoint = { code: 3, stdout: payload, stderr: " from the entrypoint" }
const silence = { code: 0, stdout: "", stderr: "" }
const message = (count: number) =>
  `hooktape: worker unreachable for ${count} consecutive hooks. Run "hooktape doctor".`
/** By exit code where that harms nothing, elsewhere to the human, where there is a field. */
const loud = (count: number, event = "PreToolUse", field: string | null = "systemMessage") => {
  if (["Setup", "SessionStart", "PostToolUse"].includes(event))
    return { code: 2, stdout: "", stderr: `${message(count)}\n` }
  const stdout = field === null ? "" : `${JSON.stringify({ [field]: message(count) })}\n`
  return { code: 0, stdout, stderr: "" }
}

/** A hook call that ends its work long after the agent has its answer. */
const event = "PostToolUse"

/** By the kernel, which writes it after the program's name: that may hold spaces, as those of the test's own process do. */
const sessionOf = (pid: string): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")[3]

export const aloneSuite = (name: string, getClient: () => Client) => {
  const stages: Stage[] = []
  const hosts: FakeHost[] = []
  const setUp = () => {
    const place = stage(getClient())
    stages.push(place)
    return place
  }
  const answeringAt = async (place: Stage) => {
    const host = await fakeHost(place.state, answering({ stdout: "answer" }))
    hosts.push(host)
    return host
  }
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()))
    for (const place of stages.splice(0)) expect(place.reports()).toEqual([])
  })

  /** `bin/host` tells what it is, and leaves: at once, or when it is told to. */
  const withHost = (place: Stage, { waits }: { readonly waits: boolean }) => {
    const [tell, go] = [makeFifo(), makeFifo()]
    place.script(
      "host",
      `#!/bin/sh
echo started >>hosts
ls -l /proc/$$/fd >descriptors
{ sed -n 's/.* \\([0-9]* -> .*\\)/\\1/p' descriptors; pwd; sed 's/.*) //' /proc/$$/stat | cut -d' ' -f4; echo "call=\${HOOKTAPE_CALL%% *}"; } >${tell}
${waits ? `read -r word <${go}` : ""}
`
    )
    return {
      told: async () => {
        const file = await open(tell, "r")
        const text = await file.readFile("utf8")
        await file.close()
        return text.split("\n").filter((line) => line !== "")
      },
      leave: async () => {
        const file = await open(go, "w")
        await file.write("go\n")
        await file.close()
      },
      starts: () => readFileSync(join(place.state, "hosts"), "utf8").split("\n").length - 1
    }
  }

  const background = (place: Stage) => {
    writeFileSync(join(place.state, "run", "background"), `codex Stop\nclaude-code ${event}\ngemini-cli X\n`)
    place.script("host", "#!/bin/sh\n")
  }

  const opened = (place: Stage, file: string, id = file.replace(".frame", "")) =>
    openFrame(digestKey(place.state), id, readFileSync(join(place.state, "spool", file)))

  const frames = (place: Stage): readonly Asked[] =>
    place
      .spooled()
      .filter((file) => file.endsWith(".frame"))
      .map((file) => parseRequest(opened(place, file) ?? Buffer.alloc(0)) as Asked)

  describe(`${name}, where only background work is to be done`, () => {
    it("leaves the call for the next host and is gone", async () => {
      const place = setUp()
      background(place)
      const env = { CI: "yes", HOOKTAPE_LOG_LEVEL: "warn", SECRET: "hush", HOOKTAPE_FALLBACK: "off" }
      expect(await place.fire({ event, input: payload, env })).toMatchObject(silence)
      const [file = ""] = place.spooled()
      const [asked] = frames(place)
      expect(place.spooled()).toEqual([`${asked?.head["call"]}.frame`])
      expect(statSync(join(place.state, "spool", file)).mode & 0o777).toBe(0o600)
      expect(asked).toMatchObject({
        payload: Buffer.from(payload),
        ended: true,
        env: allowedEnvironment((name) => env[name as keyof typeof env]),
        head: { agent: "claude-code", event, cwd: place.project }
      })
      expect(Object.keys(asked?.env ?? {}).sort()).toEqual(["CI", "HOOKTAPE_FALLBACK", "HOOKTAPE_LOG_LEVEL"])
      expect(Object.keys(asked?.head ?? {})).not.toContain("token")
      expect(place.entered()).toEqual([])
    })

    it("leaves nothing of it to be read without the installation's key, or under another name", async () => {
      const place = setUp()
      background(place)
      const input = JSON.stringify({ session_id: "s", prompt: "a secret of one line" })
      expect(await place.fire({ event, input })).toMatchObject(silence)
      const [file = ""] = place.spooled()
      const text = readFileSync(join(place.state, "spool", file), "latin1")
      for (const plain of ["a secret", "session_id", "HKT1", event, place.project])
        expect(text).not.toContain(plain)
      expect(opened(place, file, file.replace(".frame", "").replace(/^./, "f"))).toBeUndefined()
      writeFileSync(join(place.state, "key"), Buffer.alloc(32))
      expect(opened(place, file)).toBeUndefined()
    })

    it.each([0, 1, 15, 16, 17, 63, 64, 65, 4096, 100_000, 10 * 1024 * 1024])(
      "leaves %d bytes whole",
      async (bytes) => {
        const place = setUp()
        background(place)
        const input = bytes === 0 ? "" : `{"text":"${"x".repeat(bytes)}"}`
        expect(await place.fire({ event, input })).toMatchObject(silence)
        expect(
          frames(place).map(({ payload, ended }) => ({ same: payload.toString() === input, ended }))
        ).toEqual([{ same: true, ended: true }])
      }
    )

    it("does not wait for a standard input that never ends, and says where it was cut off", async () => {
      const place = setUp()
      writeFileSync(join(place.state, "run", "background"), `claude-code ${event}\nclaude-code SessionEnd\n`)
      place.script("host", "#!/bin/sh\n")
      expect(await place.fire({ event, input: payload, open: true })).toMatchObject(silence)
      expect(frames(place)).toMatchObject([{ payload: Buffer.from(payload), ended: true }])
      rmSync(join(place.state, "spool"), { recursive: true })
      mkdirSync(join(place.state, "spool"), { mode: 0o700 })
      expect(await place.fire({ event: "SessionEnd", input: '{"a"', open: true })).toMatchObject(silence)
      expect(frames(place)).toMatchObject([{ payload: Buffer.from('{"a"'), ended: false }])
    })

    it("leaves 64 calls at once", async () => {
      const place = setUp()
      background(place)
      const inputs = Array.from({ length: 64 }, (_, at) => JSON.stringify({ at }))
      const fired = await atOnce(inputs, (input) => place.fire({ event, input }))
      expect(
        fired.filter(({ code, stdout, stderr }) => code !== 0 || stdout !== "" || stderr !== "")
      ).toEqual([])
      expect(
        frames(place)
          .map(({ payload }) => payload.toString())
          .sort()
      ).toEqual([...inputs].sort())
      expect(place.spooled()).toHaveLength(64)
    })

    it.each<readonly [string, (place: Stage) => unknown]>([
      [
        "the event has an answer to give",
        ({ state }) =>
          writeFileSync(join(state, "run", "background"), `claude-code ${event}s\nclaude-codex ${event}`)
      ],
      ["there is no list", ({ state }) => rmSync(join(state, "run", "background"))],
      [
        "the list is a link",
        ({ state }) => {
          renameSync(join(state, "run", "background"), join(state, "list"))
          symlinkSync(join(state, "list"), join(state, "run", "background"))
        }
      ],
      ["others can write the list", ({ state }) => chmodSync(join(state, "run", "background"), 0o666)],
      ["nobody would come for it", ({ state }) => rmSync(join(state, "bin", "host"))],
      [
        "the project has hooks of its own",
        ({ project }) => mkdirSync(join(project, ".hooktape", "hooks"), { recursive: true })
      ],
      [
        "a directory above has hooks",
        ({ folder }) => mkdirSync(join(folder, ".hooktape", "hooks"), { recursive: true })
      ],
      ["there is no key to seal it under", ({ state }) => rmSync(join(state, "key"))],
      ["the key is damaged", ({ state }) => writeFileSync(join(state, "key"), "short")],
      ["there is no spool", ({ state }) => rmSync(join(state, "spool"), { recursive: true })],
      [
        "the spool is a link",
        ({ state, folder }) => {
          rmSync(join(state, "spool"), { recursive: true })
          mkdirSync(join(folder, "elsewhere"), { mode: 0o700 })
          symlinkSync(join(folder, "elsewhere"), join(state, "spool"))
        }
      ],
      ["others can write to the spool", ({ state }) => chmodSync(join(state, "spool"), 0o777)]
    ])("runs the entrypoint where %s", async (_, spoil) => {
      const place = setUp()
      background(place)
      await spoil(place)
      expect(await place.fire({ event, input: payload })).toMatchObject(byEntrypoint)
      if (existsSync(join(place.state, "spool"))) expect(place.spooled()).toEqual([])
    })

    it("runs the entrypoint where hosts are switched off", async () => {
      const place = setUp()
      background(place)
      const env = { HOOKTAPE_HOST: "off" }
      expect(await place.fire({ event, input: payload, env })).toMatchObject(byEntrypoint)
    })

    it("asks the host where there is one", async () => {
      const place = setUp()
      background(place)
      await answeringAt(place)
      expect(await place.fire({ event, input: payload })).toMatchObject({ code: 0, stdout: "answer" })
      expect(place.spooled()).toEqual([])
    })
  })

  describe(`${name}, starting a host`, () => {
    it.runIf(process.platform === "linux")(
      "does not wait for it and leaves nothing of the agent's in its hands",
      async () => {
        const place = setUp()
        const host = withHost(place, { waits: true })
        const told = host.told()
        // More descriptors than its own, as an agent may leave open.
        const fired = place.fire({ event: "SessionStart", input: payload, redirect: "7</dev/null 8>&1 9<&0" })
        // All pipes are closed while the host is still there.
        expect(await fired).toMatchObject(byEntrypoint)
        const lines = await told
        const [cwd, session, call] = lines.slice(-3)
        // Beside the script and the file that the list itself was written to.
        const descriptors = lines.slice(0, -3).filter((line) => !/\/(bin\/host|descriptors)$/.test(line))
        expect(descriptors.map((line) => line.replace(/^\d+ -> /, ""))).toContain("/dev/null")
        expect(descriptors.filter((line) => !line.endsWith(" -> /dev/null"))).toEqual([])
        expect(cwd).toBe(place.state)
        expect(call).toBe("call=")
        expect(Number(session)).toBeGreaterThan(1)
        expect(session).not.toBe(sessionOf("self"))
        await host.leave()
      }
    )

    it("does so for every event, also where it leaves the call, and at most once in a while", async () => {
      const place = setUp()
      writeFileSync(join(place.state, "run", "background"), `claude-code ${event}\n`)
      const host = withHost(place, { waits: false })
      const began = Date.now()
      const first = host.told()
      const fired = await atOnce(Array.from({ length: 64 }), (_, at) =>
        place.fire({ event: at % 2 ? event : "Stop", input: payload })
      )
      expect(fired.map(({ code }) => code)).toEqual(fired.map((_, at) => (at % 2 ? 0 : 3)))
      await first
      // One, and one more for each 5 s that a slow machine took, by the coarser clock of files.
      expect(host.starts()).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - began) / 5000))
      const before = host.starts()
      const past = Date.now() / 1000 - 6
      utimesSync(join(place.state, "run", "starting"), past, past)
      const again = host.told()
      await place.fire({ event, input: payload })
      await again
      // On a slow machine that may have been a late one of before: this one comes all the same.
      await vi.waitFor(() => expect(host.starts()).toBeGreaterThan(before), { timeout: 60_000, interval: 50 })
    })

    it.each<readonly [string, (place: Stage) => unknown, NodeJS.ProcessEnv]>([
      ["it is switched off", () => {}, { HOOKTAPE_HOST: "off" }],
      ["it may not be started", ({ state }) => chmodSync(join(state, "bin", "host"), 0o600), {}],
      ["somebody is at it", ({ state }) => writeFileSync(join(state, "run", "starting"), "."), {}],
      [
        "the mark is a link",
        ({ state }) => symlinkSync(join(state, "nowhere"), join(state, "run", "starting")),
        {}
      ]
    ])("does not where %s", async (_, prepare, env) => {
      const place = setUp()
      place.script("host", "#!/bin/sh\necho started >>hosts\n")
      await prepare(place)
      expect(await place.fire({ event: "SessionStart", input: payload, env })).toMatchObject(byEntrypoint)
      expect(existsSync(join(place.state, "nowhere"))).toBe(false)
      expect(existsSync(join(place.state, "hosts"))).toBe(false)
    })
  })

  describe(`${name}, where nobody can handle the call`, () => {
    const off = { event: "UserPromptSubmit", env: { HOOKTAPE_FALLBACK: "off" } }

    const calls = [
      ["claude-code", "SessionStart", "systemMessage"],
      ["claude-code", "UserPromptSubmit", "systemMessage"],
      ["claude-code", "PreToolUse", "systemMessage"],
      ["claude-code", "PostToolUse", "systemMessage"],
      ["claude-code", "Stop", "systemMessage"],
      ["claude-code", "SessionEnd", null],
      ["codex", "PreToolUse", "systemMessage"],
      ["gemini-cli", "AfterTool", "systemMessage"],
      ["gemini-cli", "AfterAgent", "systemMessage"],
      ["cursor", "beforeSubmitPrompt", "user_message"],
      ["windsurf", "pre_run_command", null],
      ["nobody", "Anything", null]
    ] as const

    it.each(calls)(
      "%s %s: success, silence below the threshold, and said aloud at it",
      async (agent, event, field) => {
        const place = setUp()
        rmSync(join(place.state, "bin", "entry"))
        const host = await answeringAt(place)
        const call = { agent, event, input: payload }
        expect(await place.fire(call)).toMatchObject({ code: 0, stdout: "answer", stderr: "" })
        await host.close()
        expect(await place.fire(call)).toMatchObject(silence)
        expect(await place.fire(call)).toMatchObject(silence)
        expect(await place.fire(call)).toMatchObject(loud(3, event, field))
        expect(await place.fire(call)).toMatchObject(loud(4, event, field))
        await answeringAt(place)
        expect(await place.fire(call)).toMatchObject({ code: 0, stdout: "answer", stderr: "" })
        expect(place.unreached()).toBe(0)
        expect(place.entered()).toEqual([])
      }
    )

    it.each([
      ["claude-code", "PreToolUse"],
      ["codex", "PermissionRequest"],
      ["gemini-cli", "BeforeTool"],
      ["cursor", "beforeShellExecution"],
      ["windsurf", "pre_mcp_tool_use"]
    ])("lets no tool of %s go by its guards at %s, whatever variables say", async (agent, event) => {
      const place = setUp()
      const env = { HOOKTAPE_HOST: "off", HOOKTAPE_FALLBACK: "off" }
      expect(await place.fire({ agent, event, input: payload, env })).toMatchObject(byEntrypoint)
      expect(await place.fire({ agent, event, input: payload, env: off.env })).toMatchObject(byEntrypoint)
      expect(place.unreached()).toBe(0)
    })

    it("keeps what was counted for the log when a host is back", async () => {
      const place = setUp()
      await place.fire({ input: payload, ...off })
      await place.fire({ input: payload, ...off, env: { ...off.env, HOOKTAPE_FAIL_LOUD_THRESHOLD: "12" } })
      const host = await answeringAt(place)
      await place.fire({ input: payload })
      const call = (await host.asked[0]?.head())?.["call"]
      expect(place.spooled()).toEqual([`${call}.unreachable`])
      const text = readFileSync(join(place.state, "spool", `${call}.unreachable`), "utf8")
      expect(text).toMatch(/^[0-9a-f-]{36} 3 no-host +\n[0-9a-f-]{36} 12 no-host +\n$/)
      expect(text).toHaveLength(128)
    })

    it.each<readonly [string, number]>([
      ["1", 1],
      ["2", 2],
      ["004", 4],
      ...["", "0", "-1", "x", "2.5", " 1", "1 ", "+1", "9999999999"].map((text) => [text, 3] as const)
    ])("goes by a threshold of %j as %d", async (text, threshold) => {
      const place = setUp()
      const call = { input: payload, ...off, env: { ...off.env, HOOKTAPE_FAIL_LOUD_THRESHOLD: text } }
      for (let at = 1; at < threshold; at++) expect(await place.fire(call)).toMatchObject(silence)
      expect(await place.fire(call)).toMatchObject(loud(threshold))
    })

    it("counts calls that come at once, each of them", async () => {
      const place = setUp()
      const fired = await atOnce(Array.from({ length: 32 }), () => place.fire({ input: payload, ...off }))
      expect(place.unreached()).toBe(32)
      expect(fired.filter(({ stdout }) => stdout === "").length).toBeLessThan(3)
      expect(fired.filter(({ stdout }) => stdout.includes("worker unreachable")).length).toBeGreaterThan(29)
    })

    it.each<readonly [string, (place: Stage) => unknown]>([
      ["is gone", ({ state }) => rmSync(join(state, "bin", "entry"))],
      ["is no program", ({ state }) => chmodSync(join(state, "bin", "entry"), 0o600)],
      ["cannot be run", ({ state }) => writeFileSync(join(state, "bin", "entry"), "#!/nowhere/sh\n")]
    ])("counts a call whose entrypoint %s, wherever its payload is by then", async (_, spoil) => {
      const place = setUp()
      spoil(place)
      expect(await place.fire({ input: payload })).toMatchObject(silence)
      hosts.push(
        await fakeHost(place.state, async ({ socket, asked }) => {
          await asked()
          socket.destroy()
        })
      )
      expect(await place.fire({ input: payload })).toMatchObject(silence)
      expect(await place.fire({ input: payload, open: true })).toMatchObject(loud(3))
    })

    it("reads what it is given, and does not wait for more", async () => {
      const place = setUp()
      const input = `{"text":"${"x".repeat(3_000_000)}"}`
      expect(await place.fire({ input, ...off })).toMatchObject(silence)
      expect(await place.fire({ input, open: true, ...off })).toMatchObject(silence)
    })

    it("does not count what the entrypoint handles", async () => {
      const place = setUp()
      for (let at = 0; at < 4; at++) expect(await place.fire({ input: payload })).toMatchObject(byEntrypoint)
      expect(place.unreached()).toBe(0)
    })

    it.each<readonly [string, (place: Stage) => unknown]>([
      ["there is no directory for it", ({ state }) => rmSync(join(state, "run"), { recursive: true })],
      ["others can write to the directory", ({ state }) => chmodSync(join(state, "run"), 0o777)],
      ["something else has its name", ({ state }) => mkdirSync(join(state, "run", "unreachable"))],
      [
        "its name leads elsewhere",
        ({ state, folder }) => {
          writeFileSync(join(folder, "target"), "")
          symlinkSync(join(folder, "target"), join(state, "run", "unreachable"))
        }
      ]
    ])("stays silent where %s", async (_, spoil) => {
      const place = setUp()
      spoil(place)
      const call = { input: payload, ...off, env: { ...off.env, HOOKTAPE_FAIL_LOUD_THRESHOLD: "1" } }
      expect(await place.fire(call)).toMatchObject(silence)
      expect(await place.fire(call)).toMatchObject(silence)
      if (existsSync(join(place.folder, "target")))
        expect(statSync(join(place.folder, "target")).size).toBe(0)
    })
  })

  it(`${name}, started by hand from where it lies`, async () => {
    const place = setUp()
    const fired = await place.fire({ input: payload, hook: "cd ../state/bin && exec ./hook" })
    expect(fired).toMatchObject(byEntrypoint)
  })
}
