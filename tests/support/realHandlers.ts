/** Handlers that misbehave in every way we know, and what the agent is told all the same. */

/** What a handler does, by name; each in the shape `run` may have. */
const acts: Readonly<Record<string, string>> = {
  quiet: "() => undefined",
  console:
    '() => { console.log("NOISE-OUT"); console.info("NOISE-OUT"); console.warn("NOISE-ERR"); console.error("NOISE-ERR"); return said }',
  streams:
    '() => { process.stdout.write("NOISE-OUT\\n"); process.stderr.write("NOISE-ERR\\n"); return said }',
  descriptors: '() => { writeSync(1, "NOISE-OUT\\n"); writeSync(2, "NOISE-ERR\\n"); return said }',
  child:
    '() => { spawnSync("sh", ["-c", "echo NOISE-OUT; echo NOISE-ERR >&2"], { stdio: "inherit" }); return said }',
  native: '() => { process._rawDebug("NOISE-ERR"); return said }',
  asynchronous:
    '() => new Promise((resolve) => { spawn("sh", ["-c", "echo NOISE-OUT; echo NOISE-ERR >&2"], { stdio: "inherit" }).on("close", () => resolve(said)) })',
  flood: '() => { process.stdout.write("x".repeat(300000)); return said }',
  blocking:
    '() => { console.error("NOISE-ERR"); console.log("NOISE-OUT"); return blockingFeedback("REASON") }',
  throws: '() => { console.log("NOISE-OUT"); throw new TypeError("thrown") }',
  throwsNothing: "() => { throw undefined }",
  throwsStrange: "() => { throw Object.create(null) }",
  rejects: '() => Promise.reject(new Error("rejected"))',
  rejectsLate: '() => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 20))',
  strayRejection:
    '() => { Promise.reject(new Error("stray")); return new Promise((resolve) => setTimeout(() => resolve(said), 20)) }',
  strayThrow:
    '() => { setTimeout(() => { throw new Error("from a timer") }, 1); return new Promise(() => {}) }',
  exits: "() => process.exit(7)",
  exitsReally: "() => process.reallyExit(7)",
  exitsLater: "() => new Promise(() => setTimeout(() => process.exit(7), 1))",
  exitCode: "() => { process.exitCode = 9; return said }",
  hangs: "() => new Promise(() => {})",
  spins: "() => { for (;;); }",
  returnsNonsense: '() => ({ type: "SHOUT" })',
  endsStreams: '() => { process.stdout.end("NOISE-OUT\\n"); process.stderr.destroy(); return said }',
  kills: '() => { process.kill(process.pid, "SIGKILL"); return said }',
  fakesTime: "() => { globalThis.setTimeout = (() => 0) as never; return new Promise(() => {}) }",
  getter: '() => ({ type: "USER_HINT", get text() { for (;;); } })',
  closes: "() => { closeSync(1); closeSync(2); return said }",
  closesForThread:
    '() => new Promise((resolve) => { closeSync(1); close(2, () => new Worker("setInterval(() => {}, 1000)", { eval: true }).on("online", () => resolve(said))) })',
  importsBuiltin: '() => import(["node", "path"].join(":")).then(({ sep }) => sep && said)',
  importsUnseen: '() => import(["file:", "nowhere", "side.mjs"].join("/")).then(() => said)',
  requiresUnseen: '() => { require(["yaml"].join("")); return said }',
  leavesTimer: "() => { setInterval(() => {}, 1000); return said }",
  leavesChild: '() => { spawn("sleep", ["30"], { stdio: "inherit" }).unref(); return said }'
}

/** A hook file in which the payload says what its handlers do. */
export const hook = `import { close, closeSync, writeSync } from "node:fs"
import { spawn, spawnSync } from "node:child_process"
import { Worker } from "node:worker_threads"
import { blockingFeedback, defineHook, modelContext } from "hooktape"
const said = modelContext("SAID")
const acts: any = { ${Object.entries(acts)
  .map(([name, code]) => `${name}: ${code}`)
  .join(",\n")} }
const late = ["hangs", "spins", "fakesTime", "getter"]
const make = (name: string, onFailure: "allow" | "block" | "ask", deadline?: "1500 millis") => defineHook({
  name, on: "tool.before", onFailure, ...(deadline ? { deadline } : {}),
  run: ({ payload }) => {
    const act = payload["act"] as string
    return (payload["policy"] ?? "allow") === onFailure && late.includes(act) === (deadline !== undefined) ? acts[act]() : undefined
  }
})
export const allows = make("allows", "allow")
export const blocks = make("blocks", "block")
export const asks = make("asks", "ask")
export const allowsLate = make("allows-late", "allow", "1500 millis")
export const blocksLate = make("blocks-late", "block", "1500 millis")
export const last = defineHook({ name: "last", on: "tool.before", priority: 900,
  run: ({ payload }) => payload["last"] ? modelContext("LAST") : undefined })
`

const neutral = { code: 0, stdout: "", stderr: "" }
const context = (text: string) => ({
  code: 0,
  stdout: `${JSON.stringify({ hookSpecificOutput: { additionalContext: text, hookEventName: "PreToolUse" } })}\n`,
  stderr: ""
})
const told = (text: string, name = "allows") => ({
  code: 0,
  stdout: "",
  stderr: `hooktape error: hook ${name} ${text}\n`
})

interface Case {
  readonly act: string
  readonly policy?: string
  readonly last?: boolean
  readonly reply: { readonly code: number; readonly stdout: string; readonly stderr: string }
  readonly stdout?: string
  readonly stderr?: string
}

const out = "NOISE-OUT\n"
const err = "NOISE-ERR\n"
const both = { stdout: out, stderr: err }

/** As Claude Code reads a block: exactly the reason, and no noise beside it. */
const denied = (reason: string, stderr = ""): Case["reply"] => ({
  code: 0,
  stdout: `${JSON.stringify({
    hookSpecificOutput: {
      permissionDecisionReason: reason,
      permissionDecision: "deny",
      hookEventName: "PreToolUse"
    }
  })}\n`,
  stderr
})

/** Nobody looked at what is imported by a name made at run time. */
const unseen = (name: string): string =>
  `"${name}" was not among what the hooks were built of, so nobody has trusted it: import it by a name that stands in the code`

export const cases: readonly Case[] = [
  { act: "quiet", reply: neutral },
  { act: "closes", reply: context("SAID") },
  { act: "closesForThread", reply: context("SAID") },
  {
    act: "kills",
    reply: told("failed: called process.kill(itself, SIGKILL), which would have ended the hook")
  },
  // Faked time is the handler's own; the deadline is kept by ours.
  { act: "fakesTime", reply: told("did not finish within 1500 ms", "allows-late") },
  { act: "getter", reply: told("did not finish within 1500 ms", "allows-late") },
  { act: "console", reply: context("SAID"), stdout: out + out, stderr: err + err },
  { act: "streams", reply: context("SAID"), ...both },
  { act: "descriptors", reply: context("SAID"), ...both },
  { act: "child", reply: context("SAID"), ...both },
  { act: "native", reply: context("SAID"), stderr: err },
  { act: "asynchronous", reply: context("SAID"), ...both },
  { act: "flood", reply: context("SAID"), stdout: "x".repeat(64 * 1024) },
  { act: "blocking", reply: denied("REASON"), ...both },
  { act: "throws", reply: told("failed: thrown"), stdout: out },
  {
    act: "throws",
    policy: "block",
    stdout: out,
    reply: denied(
      "The hook blocks failed: thrown. Its policy is to block.",
      "hooktape error: hook blocks failed: thrown\n"
    )
  },
  { act: "throwsNothing", reply: told("failed: threw undefined") },
  { act: "throwsStrange", reply: told("failed: threw [object Object]") },
  { act: "rejects", reply: told("failed: rejected") },
  { act: "rejectsLate", reply: told("failed: late") },
  { act: "strayRejection", reply: told("failed: stray") },
  { act: "strayThrow", reply: told("failed: from a timer") },
  { act: "exits", reply: told("failed: called process.exit(7), which would have ended the hook") },
  {
    act: "exitsReally",
    reply: told("failed: called process.reallyExit(7), which would have ended the hook")
  },
  { act: "exitsLater", reply: told("failed: called process.exit(7), which would have ended the hook") },
  { act: "exitCode", reply: context("SAID") },
  { act: "hangs", reply: told("did not finish within 1500 ms", "allows-late") },
  {
    act: "hangs",
    policy: "block",
    reply: denied(
      "The hook blocks-late did not finish within 1500 ms. Its policy is to block.",
      "hooktape error: hook blocks-late did not finish within 1500 ms\n"
    )
  },
  {
    act: "hangs",
    last: true,
    reply: { ...told("did not finish within 1500 ms", "allows-late"), stdout: context("LAST").stdout }
  },
  { act: "spins", reply: told("did not finish within 1500 ms", "allows-late") },
  {
    act: "spins",
    last: true,
    reply: { ...told("did not finish within 1500 ms", "allows-late"), stdout: context("LAST").stdout }
  },
  { act: "returnsNonsense", reply: told('failed: returned {"type":"SHOUT"}, which is not an intent') },
  { act: "endsStreams", reply: context("SAID"), stdout: out },
  { act: "importsBuiltin", reply: context("SAID") },
  { act: "importsUnseen", reply: told(`failed: ${unseen("file:/nowhere/side.mjs")}`) },
  { act: "requiresUnseen", reply: told(`failed: ${unseen("yaml")}`) },
  { act: "leavesTimer", reply: context("SAID") },
  { act: "leavesChild", reply: context("SAID") }
]
