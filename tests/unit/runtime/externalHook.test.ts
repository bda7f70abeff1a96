import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Part } from "../../../src/hooks/commandParts.ts"
import type { HookContext } from "../../../src/hooks/HookContext.ts"
import { externalHook } from "../../../src/runtime/externalHook.ts"
import { recordedAnswers } from "../../../src/runtime/services/answers.ts"
import { hashOf } from "../../../src/trust/digest.ts"

const place = () => realpathSync(mkdtempSync(join(homedir(), "external-")))

interface Asked {
  readonly run: string
  readonly parts?: readonly Part[]
  readonly files?: Readonly<Record<string, string>>
  readonly base?: string
  readonly owned?: boolean
  readonly event?: string
  readonly payload?: "agent" | "hooktape"
  readonly signal?: AbortSignal
}

const call = async (asked: Asked) => {
  const { base = place(), files = {}, owned = false, parts, payload, run, signal } = asked
  const consented = Object.entries(files).map(([file, text]) => ({
    file,
    sha256: hashOf(text),
    content: Buffer.from(text).toString("base64")
  }))
  const hook = externalHook({
    definition: { name: "x", on: "tool.before", run, ...(payload === undefined ? {} : { payload }) },
    base,
    parts: parts ?? [run],
    files: consented,
    owned
  })
  const context = {
    agent: "claude-code",
    agentEvent: asked.event ?? "PreToolUse",
    cwd: base,
    project: base,
    payload: { tool_name: "Bash", tool_input: { command: "ls" } },
    signal: signal ?? new AbortController().signal,
    services: { call: (_name: string, _input: unknown, act: () => unknown) => Promise.resolve(act()) }
  }
  return hook.run(context as unknown as HookContext)
}

describe("a command as a hook", () => {
  it.each([
    ["the same files have", "one", "one", "allowed"],
    ["other files have none", "two", "one", "UnrecordedCall"],
    ["no files is the command's own", undefined, undefined, "allowed"],
    ["nobody recorded the files of", "one", undefined, "UnrecordedCall"]
  ])("is replayed by an answer on record: %s", async (_, code, recordedOf, outcome) => {
    const run = "exit 2"
    const input = { run, agentEvent: "PreToolUse", ...(recordedOf === undefined ? {} : { code: recordedOf }) }
    const asking = { handler: "x", event: "tool.before", index: 0, attempt: 1 }
    const ran = { exitCode: 0, stdout: "", stderr: "", truncated: false }
    const answers = recordedAnswers(asking, [
      { type: "SERVICE_CALLED", ...asking, call: 1, service: "command", input, result: ran, ms: 1 }
    ])
    const hook = externalHook({
      definition: { name: "x", on: "tool.before", run },
      base: "/p",
      parts: [run],
      files: [],
      owned: true,
      ...(code === undefined ? {} : { code })
    })
    const context = {
      agent: "claude-code",
      agentEvent: "PreToolUse",
      payload: {},
      services: { call: answers.later }
    }
    const said = await Promise.resolve(hook.run(context as unknown as HookContext)).then(
      () => "allowed",
      (error: Error) => error.name
    )
    expect(said).toBe(outcome)
  })

  it("without a shell in between finds what a shell would have told it", async () => {
    const base = place()
    writeFileSync(join(base, "where"), "#!/bin/sh\nenv | grep '^PWD=' >&2; exit 2\n", { mode: 0o700 })
    expect(await call({ run: "./where", base })).toEqual([
      { type: "BLOCKING_FEEDBACK", reason: `PWD=${base}` }
    ])
  })

  it("that cannot be started fails in the words of a shell", async () => {
    await expect(call({ run: "./no-such-program" })).rejects.toThrow(/no-such-program/)
  })

  it("reads the agent's payload, and its answer is read as the agent would", async () => {
    expect(await call({ run: "cat >/dev/null" })).toEqual([])
    expect(await call({ run: "grep -q '\"command\":\"ls\"' && echo 'not ls' >&2; exit 2" })).toEqual([
      { type: "BLOCKING_FEEDBACK", reason: "not ls" }
    ])
    await expect(call({ run: "echo broken >&2; exit 1" })).rejects.toThrow("ended with exit code 1: broken")
  })

  it("gets hooktape's payload and answers in its words where it says so", async () => {
    const run = `grep -q '"agentEvent":"PreToolUse"' && echo '{"context": "seen", "hints": ["to you"]}'`
    expect(await call({ run, payload: "hooktape" })).toEqual([
      { type: "MODEL_CONTEXT", text: "seen" },
      { type: "USER_HINT", text: "to you" }
    ])
  })

  it("is told by its environment what Python may import, while it runs", async () => {
    const base = place()
    const asked = {
      base,
      run: `ls "$PYTHONPATH" >&2; echo "$PYTHONPATH $PYTHONDONTWRITEBYTECODE" >&2; exit 2`,
      files: { "guard.py": "started by python" }
    }
    writeFileSync(join(base, "guard.py"), "started by python")
    const [block] = (await call(asked)) as unknown as readonly {
      readonly reason: string
    }[]
    const [listed, folder = "", isNoneLeft] = block?.reason.split(/\s/) ?? []
    expect([listed, isNoneLeft, existsSync(folder)]).toEqual(["sitecustomize.py", "1", false])
  })

  it("runs the file that was consented to, where it lies or else from a copy", async () => {
    const base = place()
    const file = "hooks/say.sh"
    const text = '#!/bin/sh\necho "$0" >&2\n. "$(dirname "$0")/lib.sh"\n'
    const files = { [file]: text, "hooks/lib.sh": "exit 2\n" }
    mkdirSync(join(base, "hooks"))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(base, name), content)
    chmodSync(join(base, file), 0o755)
    const asked: Asked = { base, run: "hooks/say.sh", parts: ["", { file, bare: false }, ""], files }
    expect(await call(asked)).toEqual([{ type: "BLOCKING_FEEDBACK", reason: join(base, file) }])

    writeFileSync(join(base, "hooks/lib.sh"), "exit 0\n")
    const [block] = (await call(asked)) as readonly { readonly reason: string }[]
    expect(block?.reason).toMatch(/hooktape-[^/]+\/files\/hooks\/say\.sh$/)
    expect(existsSync(block?.reason ?? "")).toBe(false)
  })

  it("ends with everything that it started when its time is over", async () => {
    const base = place()
    const over = new AbortController()
    const running = call({
      base,
      signal: over.signal,
      run: "sleep 600 & echo $! > child; wait"
    })
    const child = join(base, "child")
    while (!existsSync(child) || readFileSync(child, "utf8") === "") await new Promise(setImmediate)
    over.abort()
    await expect(running).rejects.toThrow("was ended: killed")
    const pid = Number(readFileSync(child, "utf8"))
    const isAlive = () => {
      try {
        return !/\nState:\tZ/.test(readFileSync(`/proc/${pid}/status`, "utf8"))
      } catch {
        return false
      }
    }
    while (existsSync("/proc/self") && isAlive()) await new Promise(setImmediate)
  }, 20_000)
})
