/** A call whose command prints a secret, with what came back, in the shapes of all agents and as an object, its JSON, and JSON in JSON. */
import { describe, expect, it } from "@effect/vitest"
import { redact, redactJsonText } from "../../../src/redact/redact.ts"
import { maybeSecretJson } from "../../../src/redact/suspicion.ts"

/** Made at run time, so that no file holds one. */
const secret = ["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")
const commit = `${secret}00000000`

const make = "openssl rand -hex 16"
const call = (command: string, stdout: string) => ({
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command, description: "Read | it > x" },
  tool_response: { stdout, stderr: "", interrupted: false },
  tool_use_id: "toolu_1"
})

const secrets: Readonly<Record<string, object>> = {
  "Claude Code, a file": call("cat config/master.key", secret),
  "Claude Code, a generator": call(make, `${secret}\n`),
  "Claude Code, a store": call("vault kv get -field=password secret/db", secret),
  "Claude Code, in a container": call("kubectl exec -n a pod-1 -- cat /run/secrets/db", secret),
  "Claude Code, a shell in a shell": call('bash -lc "cat /run/secrets/db"', secret),
  "Claude Code, among other output": call(
    "git log -1\ncat config/master.key",
    `commit 9f86d081\n${secret}\n`
  ),
  "Claude Code, a list of blocks": {
    tool_input: { command: make },
    tool_response: { content: [{ type: "text", text: `${secret}\n` }] }
  },
  "Claude Code, many calls": {
    tool_calls: [
      { tool_name: "Bash", tool_input: { command: "git status" }, tool_response: "clean" },
      { tool_name: "Bash", tool_input: { command: make }, tool_response: secret }
    ]
  },
  "Claude Code, a file that is read": {
    tool_name: "Read",
    tool_input: { file_path: "/p/config/master.key" },
    tool_response: { type: "text", file: { filePath: "/p/config/master.key", content: secret, numLines: 1 } }
  },
  "Claude Code, a file with its lines numbered": {
    tool_input: { file_path: "/p/config/master.key" },
    tool_response: `     1→${secret}\n`
  },
  "Claude Code, a file that is written": {
    tool_input: { file_path: "/p/config/master.key", content: secret }
  },
  Codex: { tool_name: "Bash", tool_input: { command: make }, tool_response: `${secret}\n` },
  "Codex, words": { tool_input: { command: ["bash", "-lc", make] }, tool_response: secret },
  "Codex, a transcript": [
    {
      type: "function_call",
      arguments: JSON.stringify({ command: ["bash", "-lc", make] }),
      call_id: "call_1"
    },
    { type: "function_call_output", call_id: "call_1", output: JSON.stringify({ output: `${secret}\n` }) }
  ],
  "Codex, with what it says around": [
    { type: "function_call", arguments: JSON.stringify({ cmd: "cat config/master.key" }), call_id: "call_1" },
    {
      type: "function_call_output",
      call_id: "call_1",
      output: `Chunk ID: abc\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${secret}\n`
    }
  ],
  "Gemini CLI": {
    tool_name: "run_shell_command",
    tool_input: { command: make },
    tool_response: {
      llmContent: `<untrusted_context>\nOutput: ${secret}\nProcess Group PGID: 4397\n</untrusted_context>`,
      returnDisplay: secret
    }
  },
  "Cursor, the shell": { command: make, output: `${secret}\n`, duration: 3 },
  "Cursor, JSON as text": {
    tool_input: { command: make },
    tool_output: JSON.stringify({ exitCode: 0, stdout: `${secret}\n` })
  },
  Copilot: {
    toolName: "bash",
    toolArgs: { command: make },
    toolResult: { resultType: "success", textResultForLlm: `${secret}\n<exited with exit code 0>` }
  },
  Cline: { postToolUse: { toolName: "read_file", parameters: { path: "/p/db.password" }, result: secret } },
  opencode: { tool: "bash", callID: "c", state: { input: { command: make }, output: secret } },
  "messages of Anthropic": {
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_9", input: { command: make } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_9", content: secret }] }
    ]
  },
  "messages of OpenAI": {
    messages: [
      {
        role: "assistant",
        tool_calls: [{ id: "c1", function: { name: "sh", arguments: JSON.stringify({ command: make }) } }]
      },
      { role: "tool", tool_call_id: "c1", content: secret }
    ]
  }
}

const harmless: Readonly<Record<string, object>> = {
  "a commit": call("git rev-parse HEAD", commit),
  "a digest": call("sha256sum config/master.key", `${secret}${secret}  config/master.key`),
  "a digest behind a pipe": call("cat config/master.key | md5sum", `${secret}  -`),
  "a fault": call("cat config/master.key", "cat: config/master.key: No such file or directory"),
  "what went into a file": call("openssl rand -hex 16 > a.key", "abc123def"),
  "names of files": call("ls secrets", "db1.txt\napi2.txt"),
  "an id": call("uuidgen", "85cc2d28-1517-4b38-876b-e7852a4d89d4"),
  code: {
    tool_input: { file_path: "/p/src/token.ts" },
    tool_response: { file: { content: "export const a1=2" } }
  },
  "a key that everybody may see": { tool_input: { file_path: "/p/public.key", content: secret } },
  "words of a parser": call("cat tokens.txt", "IDENT\nNUM_2"),
  "a variable without a telling name": call("echo $PATH", "/usr/bin:/bin1"),
  "another call's output": [
    { type: "function_call", arguments: JSON.stringify({ command: make }), call_id: "call_1" },
    { type: "function_call_output", call_id: "call_2", output: commit }
  ]
}

const within = (text: string): string => JSON.stringify({ text })

describe("a call that prints a secret", () => {
  it.each(Object.entries(secrets))("%s: it goes", (_, payload) => {
    const json = JSON.stringify(payload)
    expect(json).toContain(secret)
    for (const raw of [json, within(json), within(within(json))]) {
      expect(maybeSecretJson(raw)).toBe(true)
      const once = redactJsonText(raw)
      expect(once).not.toContain(secret)
      expect(redactJsonText(once)).toBe(once)
    }
    expect(redact(payload)).toEqual(JSON.parse(redactJsonText(json)))
  })

  it.each(Object.entries(harmless))("%s: it stays", (_, payload) => {
    const json = JSON.stringify(payload)
    expect(redactJsonText(json)).toBe(json)
    expect(redact(payload)).toBe(payload)
  })
})
