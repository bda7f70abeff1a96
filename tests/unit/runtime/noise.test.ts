/** What handlers write to streams that are not theirs: caught, kept, and let go of again. */
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { blockingFeedback, diagnostic, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import { captureStreams, keptBytes, noNoise } from "../../../src/runtime/noise.ts"
import { scratch, shell } from "../../support/child.ts"
import { handNoise, registered, tell, type World } from "../../support/world.ts"

/** Two streams that remember what reached them. */
const streams = () => {
  const reached = { stdout: "", stderr: "" }
  const make = (name: "stdout" | "stderr") => {
    const stream = new PassThrough()
    stream.on("data", (chunk) => {
      reached[name] += String(chunk)
    })
    return stream as unknown as NodeJS.WriteStream
  }
  return { target: { stdout: make("stdout"), stderr: make("stderr") }, reached }
}

describe("captured streams", () => {
  it("keep writes from reaching the stream", () => {
    const { target, reached } = streams()
    const noise = captureStreams(target)
    target.stdout.write("out")
    target.stderr.write(Buffer.from("err"))
    expect(reached).toEqual({ stdout: "", stderr: "" })
    expect(noise.take()).toEqual([
      { stream: "stdout", bytes: 3, text: "out" },
      { stream: "stderr", bytes: 3, text: "err" }
    ])
  })

  it("give each write out once", () => {
    const { target } = streams()
    const noise = captureStreams(target)
    target.stderr.write("one")
    expect(noise.take()).toHaveLength(1)
    expect(noise.take()).toEqual([])
    target.stderr.write("two")
    expect(noise.take()).toEqual([{ stream: "stderr", bytes: 3, text: "two" }])
  })

  it("write through again once they are restored, and again if restored twice", () => {
    const { target, reached } = streams()
    const own = ({ stdout, stderr }: typeof target) => [stdout.write, stdout.end, stderr.write, stderr.end]
    const before = own(target)
    const noise = captureStreams(target)
    for (const [at, one] of own(target).entries()) expect(one).not.toBe(before[at])
    for (const text of ["first ", "second"]) {
      noise.restore()
      target.stdout.write(text)
      target.stderr.write(text)
    }
    expect(reached).toEqual({ stdout: "first second", stderr: "first second" })
    for (const [at, one] of own(target).entries()) expect(one).toBe(before[at])
  })

  it("drop what was kept when nobody took it", () => {
    const { target, reached } = streams()
    const noise = captureStreams(target)
    target.stderr.write("dropped")
    noise.restore()
    expect(reached.stderr).toBe("")
  })

  it("do not undo a later redirection when they are restored twice", () => {
    const { target, reached } = streams()
    const first = captureStreams(target)
    first.restore()
    const second = captureStreams(target)
    first.restore()
    target.stderr.write("still captured")
    expect(reached.stderr).toBe("")
    expect(second.take()).toHaveLength(1)
  })

  it("take what is written by ending the stream, and leave it open", () => {
    const { target, reached } = streams()
    const noise = captureStreams(target)
    target.stdout.end("last words")
    target.stdout.end()
    expect(noise.take()).toEqual([{ stream: "stdout", bytes: 10, text: "last words" }])
    noise.restore()
    target.stdout.write("alive")
    expect(reached.stdout).toBe("alive")
  })

  it("tell a writer that waits for its callback that it is done", async () => {
    const { target } = streams()
    captureStreams(target)
    await new Promise<void>((resolve) => void target.stdout.write("x", () => resolve()))
    await new Promise<void>((resolve) => void target.stdout.write("x", "utf8", () => resolve()))
    await new Promise<void>((resolve) => void target.stdout.end(() => resolve()))
    await new Promise<void>((resolve) => void target.stdout.end("x", () => resolve()))
    expect(target.stdout.write("x")).toBe(true)
  })

  it("count all bytes and keep a bounded text", () => {
    const { target } = streams()
    const noise = captureStreams(target)
    for (let at = 0; at < 4; at++) target.stderr.write("é".repeat(keptBytes / 2))
    const [chunk] = noise.take()
    expect(chunk?.bytes).toBe(4 * keptBytes)
    expect(chunk?.text.length).toBeLessThanOrEqual(keptBytes)
  })

  it("hear the console of this very process", () => {
    const noise = captureStreams(process)
    process.stdout.write("written\n")
    const chunks = noise.take()
    noise.restore()
    expect(chunks).toEqual([{ stream: "stdout", bytes: 8, text: "written\n" }])
  })

  it("are nothing where no handler takes part", () => {
    expect(noNoise.take()).toEqual([])
    expect(noNoise.restore()).toBeUndefined()
  })
})

/** What the launcher does: standard output and error into files, the agent's on descriptors of their own. */
const redirected = '"$0" "$1" 3>&1 >"$NOISE.1" 2>"$NOISE.2"'

interface Report {
  readonly left: readonly string[]
  readonly first: unknown
  readonly second: unknown
  readonly third: unknown
  readonly fourth: unknown
  readonly after: unknown
}

describe("captured files", () => {
  const run = () => shell("noisy", redirected, [], { NOISE: `${scratch()}/noise` })

  it("catch the console, streams, native writes and children, and let nothing through", () => {
    const { status, stdout, stderr } = run()
    const report = JSON.parse(stdout) as Report
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const lines = ["console.log", "stream", "native", "child", ""]
    const errors = ["console.error", "stream", "native", "child", "grandchild", ""]
    expect(report.first).toEqual([
      { stream: "stdout", bytes: lines.join("\n").length, text: lines.join("\n") },
      { stream: "stderr", bytes: errors.join("\n").length, text: errors.join("\n") }
    ])
  })

  it("give each write out once, and nothing after they are restored twice", () => {
    const report = JSON.parse(run().stdout) as Report
    expect(report.second).toEqual([{ stream: "stdout", bytes: 6, text: "again\n" }])
    expect([report.third, report.after]).toEqual([[], []])
  })

  it("hear a child that opens its standard output anew", () => {
    const report = JSON.parse(run().stdout) as Report
    expect(report.fourth).toEqual([{ stream: "stdout", bytes: 5, text: "anew\n" }])
  })

  it("leave no file behind, even while they listen", () => {
    expect((JSON.parse(run().stdout) as Report).left).toEqual([])
  })
})

describe("the noise of an invocation", () => {
  const noisy = (
    result: ReturnType<typeof userHint> | ReturnType<typeof blockingFeedback>,
    { on = "agent.Fired", ...world }: World & { readonly on?: HookDefinition["on"] } = {}
  ) => {
    const { noise, make } = handNoise()
    return tell({
      noise,
      registry: registered({
        first: {
          on,
          run: () => {
            make("stderr", "before the reason\n")
            make("stdout", "never shown\n")
          }
        },
        second: {
          on,
          run: () => {
            make("stderr", "without an end")
            return [diagnostic("warn", "a warning"), result]
          }
        }
      }),
      ...world
    })
  }

  it("is on the log under the handler that made it, before its outcome", async () => {
    const { log, find } = await noisy(userHint("x"))
    expect(find("NOISE_CAPTURED")).toMatchObject([
      { handler: "first", stream: "stderr", text: "before the reason\n" },
      { handler: "first", stream: "stdout", text: "never shown\n" },
      { handler: "second", stream: "stderr", text: "without an end" }
    ])
    const order = log.map((fact) => ("handler" in fact ? `${fact.type} ${fact.handler}` : fact.type))
    expect(order.indexOf("NOISE_CAPTURED second")).toBe(order.indexOf("HANDLER_SUCCEEDED second") - 1)
  })

  it("is dropped on a graceful exit, and the diagnostic is not", async () => {
    const { delivered } = await noisy(userHint("x"))
    expect(delivered).toEqual([{ stdout: '{"hint":"x"}\n', stderr: "a warning\n", exitCode: 0 }])
  })

  it("is flushed before the message on a blocking exit, all of it, in order", async () => {
    const { delivered } = await noisy(blockingFeedback("stop"))
    expect(delivered).toEqual([
      { stdout: "", stderr: "before the reason\nwithout an end\na warning\nstop\n", exitCode: 2 }
    ])
  })

  it.each([
    ["windsurf", "pre_run_command", "tool.before", { tool_info: { command_line: "true", cwd: "/p" } }],
    ["claude-code", "TaskCompleted", "agent.TaskCompleted", {}]
  ] as const)(
    "is flushed before the message, and exit 2 after it, where %s is blocked by it: %s",
    async (agent, agentEvent, on, more) => {
      const { delivered, find } = await noisy(blockingFeedback("stop"), {
        adapter: adapters[agent],
        agentEvent,
        on,
        payload: { session_id: "s", hook_event_name: agentEvent, ...more }
      })
      expect(delivered).toEqual([
        { stdout: "", stderr: "before the reason\nwithout an end\nstop\n", exitCode: 2 }
      ])
      expect(find("EXITED")[0]?.code).toBe(2)
    }
  )

  it("of nobody in particular is recorded too, after the reply", async () => {
    const { noise, make } = handNoise()
    const { find, types } = await tell({
      noise,
      edge: {
        deliver: ({ stdout, stderr, exitCode }) => {
          make("stderr", "a child that lived on\n")
          return { stdout, stderr, exitCode }
        }
      }
    })
    expect(find("NOISE_CAPTURED")[0]).not.toHaveProperty("handler")
    expect(types.slice(-3)).toEqual(["REPLY_DELIVERED", "NOISE_CAPTURED", "EXITED"])
  })
})
