/** Tool calls of a rollout from what its rows tell in pieces: asked, put out, gone on in the background, ended by an event. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import { present } from "../decode.ts"
import { isObject } from "../shape.ts"
import { textOf } from "../toolCall.ts"
import { type Ended, makeCalls } from "../transcripts/calls.ts"
import { clipText } from "../transcripts/clipped.ts"
import { numberAt, objectAt, textAt } from "../transcripts/rows.ts"
import type { Listener } from "../transcripts/Transcript.ts"
import {
  type CodexCall,
  type CodexOutput,
  codexEnd,
  commandOf,
  readCodexCall,
  readCodexOutput
} from "./transcriptCalls.ts"
import type { CodexThread } from "./transcriptThread.ts"

/** Ids of calls that were seen: an event of another is a call of its own, made by a script. */
const maxKnown = 5000
/** Of a model there is one, or a few that go on. */
const maxScripts = 20
/** Fewer than of calls without an end, so that one of these is told of as what it is. */
const maxRunning = 500

interface Running {
  readonly call: string
  readonly text: string
}

export interface CodexWork {
  readonly asked: (call: string, payload: JsonObject) => void
  readonly output: (call: string, told: Json | undefined) => void
  readonly executed: (call: string, payload: JsonObject) => void
  readonly patched: (call: string, payload: JsonObject) => void
  readonly mcpCalled: (call: string, payload: JsonObject) => void
  /** Where the first call that is not over begins, in bytes. */
  readonly earliest: () => number | undefined
  /** None that is under way will end. */
  readonly abandon: () => void
}

export const makeWork = (listener: Listener, thread: CodexThread): CodexWork => {
  const calls = makeCalls(listener)
  const known = new Set<string>()
  const asked = new Map<string, CodexCall>()
  const running = new Map<string, Running>()
  /** What an event told of a call before its output came. */
  const exits = new Map<string, CodexOutput>()

  /** Scripts that are under way, with the tools that they call. */
  const scripts = new Map<string, readonly string[]>()
  /** Scripts of which events tell the calls within. */
  const toldWithin = new Set<string>()

  /** An event of a call that nobody asked for by itself is of one that a script made: that of the last that may have. */
  const within = (tool: (name: string) => boolean): void => {
    const script = [...scripts].findLast(([, tools]) => tools.some(tool))
    if (script !== undefined) toldWithin.add(script[0])
  }

  /** Each event looks through them, and of those that never end there may be as many as a file has rows. */
  const letGo = (): void => {
    const [first] = scripts.keys()
    if (first !== undefined && scripts.size > maxScripts) scripts.delete(first)
    const [oldest] = asked.keys()
    if (oldest !== undefined && asked.size > maxKnown) asked.delete(oldest)
  }

  const know = (call: string): void => {
    known.add(call)
    if (known.size > maxKnown) known.delete(known.values().next().value as string)
  }

  const begin = (call: string, what: CodexCall, begun: number): void => {
    if (known.has(call)) return
    know(call)
    asked.set(call, what)
    if (what.tools !== undefined && what.tools.length > 0) scripts.set(call, what.tools)
    letGo()
    calls.begin({
      call,
      name: what.name,
      input: what.input,
      at: begun,
      session: thread.session,
      identity: `${thread.session}/${call}`,
      offset: thread.offset,
      place: {
        ...thread.place(),
        ...present("cwd", what.workdir ?? thread.cwd),
        ...present("permissionMode", thread.mode)
      }
    })
  }

  const finish = (call: string, output: CodexOutput, response: Json = output.text): void => {
    const what = asked.get(call)
    asked.delete(call)
    exits.delete(call)
    scripts.delete(call)
    if (toldWithin.delete(call)) {
      calls.drop(call)
      return
    }
    const ended = thread.at
    calls.end(
      call,
      (): Ended => ({
        at: ended,
        told: codexEnd(what ?? { name: "" }, output),
        exitCode: output.exitCode,
        response
      })
    )
  }

  const endRunning = ({ call, text }: Running): void => {
    if (!toldWithin.has(call))
      calls.end(call, ({ at: begun }) => ({ at: begun, told: "running", response: text }))
  }

  /** Of what nobody asks for again no end is seen. */
  const goesOn = (key: string, owner: Running): void => {
    running.set(key, owner)
    const [oldest] = running
    if (oldest === undefined || running.size <= maxRunning) return
    running.delete(oldest[0])
    endRunning(oldest[1])
  }

  /** What was asked for, put out so far and now. */
  const together = (owner: Running, { text }: CodexOutput): string => owner.text + text

  const polled = (key: string, read: CodexOutput): void => {
    const owner = running.get(key)
    if (owner === undefined) return
    const text = clipText(together(owner, read)).value
    const isOver = read.exitCode !== undefined || (key.startsWith("cell/") && read.running === undefined)
    running.delete(key)
    if (!isOver) {
      goesOn(read.running ?? key, { ...owner, text })
      return
    }
    finish(owner.call, { ...read, text: together(owner, read) })
  }

  const output = (call: string, told: Json | undefined): void => {
    const what = asked.get(call)
    if (what?.polls !== undefined) {
      const owner = asked.get(running.get(what.polls)?.call ?? "")
      asked.delete(call)
      polled(what.polls, readCodexOutput(told, owner?.commands))
      return
    }
    const read = readCodexOutput(told, what?.commands)
    if (read.running !== undefined && (what?.name === "Bash" || what?.tools !== undefined)) {
      goesOn(read.running, { call, text: clipText(read.text).value })
      return
    }
    const exit = exits.get(call)?.exitCode
    const isMcp = what?.name.startsWith("mcp__") === true
    const response = isMcp ? jsonOf(textOf(told)) : read.text
    finish(call, { ...present("exitCode", exit), ...read }, response)
  }

  const executed = (call: string, payload: JsonObject): void => {
    const text = textAt(payload, "aggregated_output") ?? textAt(payload, "formatted_output") ?? ""
    const exitCode = numberAt(payload, "exit_code")
    const read: CodexOutput = { text, ...present("exitCode", exitCode) }
    const isOwn = !known.has(call)
    if (isOwn) {
      within((name) => name === "exec_command")
      const duration = objectAt(payload, "duration")
      const ms = (numberAt(duration, "secs") ?? 0) * 1000 + (numberAt(duration, "nanos") ?? 0) / 1e6
      const workdir = textAt(payload, "cwd")
      const command = commandOf(payload["command"])
      begin(
        call,
        { name: "Bash", input: { command }, ...present("workdir", workdir) },
        thread.at - Math.round(ms)
      )
    }
    const held = [...running].find(([, one]) => one.call === call)
    if (held !== undefined) running.delete(held[0])
    if (isOwn || held !== undefined) finish(call, read)
    else exits.set(call, read)
    if (exits.size > maxKnown) exits.clear()
  }

  const patched = (call: string, payload: JsonObject): void => {
    if (known.has(call)) return
    within((name) => name === "apply_patch")
    const changes = objectAt(payload, "changes") ?? {}
    const patch = Object.entries(changes).map(([path, change]) => {
      const { content, type, unified_diff: diff } = isObject(change) ? change : {}
      const head = type === "add" ? "Add" : type === "delete" ? "Delete" : "Update"
      return `*** ${head} File: ${path}\n${typeof diff === "string" ? diff : typeof content === "string" ? content : ""}`
    })
    begin(
      call,
      { name: "apply_patch", input: { command: ["*** Begin Patch", ...patch, "*** End Patch"].join("\n") } },
      thread.at
    )
    const isDone = payload["success"] === true || payload["status"] === "completed"
    finish(call, {
      text: isDone ? (textAt(payload, "stdout") ?? "Success.") : (textAt(payload, "stderr") ?? "failed"),
      exitCode: isDone ? 0 : 1
    })
  }

  const mcpCalled = (call: string, payload: JsonObject): void => {
    if (known.has(call)) return
    within((name) => name.startsWith("mcp__"))
    const invocation = objectAt(payload, "invocation") ?? payload
    const name = `mcp__${textAt(invocation, "server") ?? ""}__${textAt(invocation, "tool") ?? ""}`
    begin(call, { name, input: invocation["arguments"] ?? null }, thread.at)
    const result = payload["result"] ?? null
    const ok = isObject(result) && Object.hasOwn(result, "Ok") ? (result["Ok"] ?? null) : result
    const isError = isObject(ok) && (ok["isError"] === true || Object.hasOwn(ok, "Err"))
    finish(call, { text: isError ? `error ${textOf(ok)}` : textOf(ok) }, ok)
  }

  return {
    asked: (call, payload) => {
      const what = readCodexCall(payload)
      // To ask for the output of a process is no call of its own.
      if (what.polls === undefined) {
        begin(call, what, thread.at)
        return
      }
      asked.set(call, what)
      letGo()
    },
    output,
    executed,
    patched,
    mcpCalled,
    earliest: calls.earliest,
    abandon: () => {
      toldWithin.forEach(calls.drop)
      for (const owner of running.values()) endRunning(owner)
      calls.abandon()
    }
  }
}

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
