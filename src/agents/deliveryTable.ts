/** The page that says what each agent carries where: asked from the adapters, so that it cannot say anything else. */
import { type Agent, agents } from "../../events/agentEvents.ts"
import type { Adapter, Carried, Transport } from "./Adapter.ts"
import { about } from "./about.ts"
import { adapters } from "./adapters.ts"
import { probes, probeTool } from "./probes.ts"
import type { Reply, Slot } from "./reply.ts"

interface Column {
  readonly title: string
  readonly slot: Slot
  readonly reply: Reply
  readonly transport: Transport
}

const column = (
  title: string,
  slot: Slot,
  reply = probes[slot],
  transport: Transport = "command"
): Column => ({
  title,
  slot,
  reply,
  transport
})

const columns: readonly Column[] = [
  column("text for the model", "context"),
  column("permission allow", "permission"),
  column("permission ask", "permission", {
    ...probes.permission,
    permission: "ask",
    asks: [{ reason: "reason", ifCannotAsk: "block" }]
  }),
  column("updated input", "input"),
  column("updated output", "output"),
  column("hint for the human", "hint"),
  column("block", "block")
]
const blockOverHttp = column("block over HTTP", "block", probes.block, "http")

/** Only Claude Code calls hooks over HTTP. */
const columnsOf = (agent: Agent): readonly Column[] =>
  agent === "claude-code" ? [...columns, blockOverHttp] : columns

const general = "the agent does not take it at this event"

/** A dash and the number of its reason; the most usual one needs none. */
const cell = (carried: Carried | undefined, notes: Map<string, number>): string => {
  if (carried === undefined) return "–"
  if ("undeliverable" in carried) {
    if (carried.undeliverable === general) return "–"
    const number = notes.get(carried.undeliverable) ?? notes.size + 1
    notes.set(carried.undeliverable, number)
    return `– (${number})`
  }
  const { channel } = carried
  if (channel.startsWith("nothing to say")) return "unsaid"
  return channel === "stderr and exit code 2"
    ? "stderr + exit 2"
    : `\`${channel.replace(/^stdout: (hookSpecificOutput\.)?/, "")}\``
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`

/** An agent that treats every event alike has one row. */
const namesOf = (adapter: Adapter): readonly (readonly [string, string])[] =>
  adapter.agent === "raw"
    ? [["any", "the same name"]]
    : Object.entries(adapter.events).map(([name, { event }]) => [name, `\`${event}\``])

const untried = "From the vendor's documentation; not exercised with the real agent."

const tableOf = (adapter: Adapter): readonly string[] => {
  const shown = columnsOf(adapter.agent)
  const notes = new Map<string, number>()
  const rows = namesOf(adapter).map(([name, event]) =>
    row([
      name,
      event,
      ...shown.map(({ slot, reply, transport }) =>
        cell(adapter.encode(name, transport, reply, probeTool).carried[slot], notes)
      )
    ])
  )
  return [
    `## ${about[adapter.agent].title}`,
    "",
    ...(about[adapter.agent].isDocumentedOnly ? [`${untried}\n`] : []),
    row(["native event", "event", ...shown.map(({ title }) => title)]),
    row(["---", "---", ...shown.map(() => "---")]),
    ...rows,
    "",
    ...[...notes].map(([reason, number]) => `${number}. ${reason}`),
    ...(notes.size > 0 ? [""] : [])
  ]
}

const introduction = `# Delivery

What becomes of each intent, by agent and native event. Made from the adapters by \`hooktape docs delivery\`; do not edit.

A cell names the field of the one JSON document on standard output, \`stderr + exit 2\` for the reason of a block, \`unsaid\` where the
agent does so without being told, and \`–\` where the agent has no way: such an intent is recorded as undeliverable with the reason,
which stands under the table where there is more to say than that the agent does not take it at this event.

For every agent:

- A block by exit code wins: standard output stays empty, and what else was said is recorded as undeliverable.
- A block as JSON takes text for the model and hints along where there is a field for them.
- A block goes as JSON, with exit code 0, wherever the agent then stops and gets exactly the reason: with exit code 2 Claude Code hands the
  model a command line before it, and Gemini CLI shows a failed hook. What the agent does not pass on beside a block is recorded as
  undeliverable: text for the model where the turn ends, and for Gemini CLI a hint at BeforeAgent, where it would stand in place of the
  reason.
- Where standard output cannot be written whole (it is closed, nobody reads it, its disk is full), a block as JSON is said on standard error
  with exit code 2, and so is a question, unless [\`ifCannotAsk\`](options/ifCannotAsk.md) lets the agent go on: nobody was asked. Anything else
  is lost, and the agent goes on. Either is recorded as not delivered. No exit code blocks at PermissionRequest of Claude Code and Qwen Code,
  at PreModelSwitch, at a prompt and a stop of GitHub Copilot CLI, at a stop of Cursor and of Kiro, and where a tool already ran.
- An \`ask\` that the agent cannot ask, the dashes in its column, blocks where there is something left to prevent, with the reason of the
  question and what to do instead; [\`ifCannotAsk\`](options/ifCannotAsk.md) is the way out.
- A diagnostic goes to standard error, one line each. Where standard error carries the reason of a block, and over HTTP, it goes to the log
  only.
- An exit code is used when nothing blocks. 2 means a block to every agent and is refused without one; Gemini CLI takes 2 and above for a
  denial; Codex drops what was said by a hook that ends with another code than 0, so there it is refused when something was said.
  Over HTTP there is none.
- Codex takes \`allow\` only together with an updated input, and an updated input only with \`allow\`: an updated input alone allows
  the call. Claude Code takes an updated input at PermissionRequest only with \`allow\`.
- An updated input is merged over the tool's own; a value for one key leaves the others as they are. With \`replacesInput\` it is the whole
  input, as it is in the answer of a command hook to Claude Code and Codex; Gemini CLI merges what it is given all the same.
- GitHub Copilot CLI loses the reason of a block by exit code, and denies a call whose hook ends with another code than 0. It takes a text
  alone as an updated output. A question that it can ask nobody it denies itself, and the model reads why.
- Qwen Code takes no changed input before a tool, and a question of a hook is a denial there; PermissionRequest can allow and change. It
  says at every stop that a hook kept it going: hooks are told that none did, and hooktape counts how often one did. A call of UserPromptSubmit
  without a prompt, which brings results of tools to the model, is no \`prompt.submit\`.
- OpenCode has no command hooks: its words are those of hooktape's plugin in it. Text from before a tool stands beside the tool's result; the
  reason of a block at a prompt and every hint are shown where OpenCode has a screen; the reason of a refused stop is the next prompt, which
  nobody reads where the program ends with its turn, as \`opencode run\` does.
- Cline is told by hooktape's plugin in it as well: its command hooks end the whole run with a block, and nobody reads why. A blocked call is
  skipped, and model and human read the reason as its result; text from before a tool stands behind the result. A question is Cline's own,
  without the hook's reason, and a refusal where nobody is there to ask. A blocked prompt ends the run, without a reason on the screen. A
  hook has two seconds there.
- Cursor has one field for a block and a hint, or for a block and text for the model, at some events: both stand in it, the block first.
- Windsurf reads no document: what is not a block goes unheard, and after a tool has run the reason of a block is all that is left of it.
- VS Code reads Claude Code's words. A refused stop stands one level deeper there; that of a subagent goes by exit code, since VS Code's pages
  and its source do not agree where its document has it. It checks a changed input against the tool's own schema, and drops one that does not fit.
- Kiro puts all of standard output before the model as it stands: text for the model is read there with the JSON around it. At other events than
  SessionStart and UserPromptSubmit its pages name no place for text. Kiro CLI 2 blocks at PreToolUse alone, and its payloads often name no session:
  what is counted by session counts by project there.
- A text beyond the agent's limit is sent whole; the agent shortens it or moves it to a file.
- \`raw\` says everything in its document: \`context\`, \`permission\`, \`updatedInput\` (keys to merge, or with \`replacesInput\` all of them), \`updatedOutput\`, \`hints\` (a list),
  \`block\`, \`exit\`. A block there leaves the document on standard output, and the exit code is 2.
- A document that does not fit the agent's output schema is never sent.
`

export const deliveryPage = (): string =>
  `${[introduction, ...agents.flatMap((agent) => tableOf(adapters[agent]))].join("\n").trimEnd()}\n`
