/** Labelled sessions of real agents, as hooks saw them: a folder with `labels.json` and for each session `<id>.hooks.jsonl`. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "../../events/agentEvents.ts"
import type { Fact } from "../../events/facts.ts"
import type { JsonObject } from "../../events/intents.ts"
import { adapters } from "../../src/agents/adapters.ts"
import { redact } from "../../src/redact/redact.ts"
import { repeated } from "../../src/runtime/clip.ts"

export interface LabelledSession {
  readonly key: string
  readonly session: string
  readonly folder: string
}

export interface SessionFact {
  readonly fact: Fact
  readonly at: number
  readonly agent: Agent
  readonly session: string
}

interface Labels {
  readonly sessions: readonly { readonly key: string; readonly session: string }[]
}

/** The sets below a folder: those of its folders that hold labels, or the folder itself. */
export const labelledSessions = (folder: string): readonly LabelledSession[] =>
  [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    .filter((place) => existsSync(join(place, "labels.json")))
    .flatMap((place) => {
      const labels = JSON.parse(readFileSync(join(place, "labels.json"), "utf8")) as Labels
      return labels.sessions.map(({ key, session }) => ({ key, session, folder: place }))
    })

/** What the log would hold of its hooks, in order: texts redacted, what is repeated cut. */
export const factsOf = ({ folder, session }: LabelledSession): readonly SessionFact[] => {
  const text = readFileSync(join(folder, `${session}.hooks.jsonl`), "utf8")
  const agent: Agent = text.includes('"prompt_id"') ? "claude-code" : "codex"
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SessionFact => {
      const { _at, _id, _ids, ...payload } = JSON.parse(line) as JsonObject
      const decoded = adapters[agent].decode(String(payload["hook_event_name"]), payload)
      const text = JSON.stringify(payload)
      const fact = { type: "PAYLOAD_BUFFERED", bytes: text.length, payload: text, ...repeated(decoded) }
      return { fact: redact(fact) as unknown as Fact, at: Date.parse(String(_at)), agent, session }
    })
}
