/** Whether an agent would take a document: each by a judge of its own, and not by the code that wrote the document. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type { Agent } from "../../../events/agentEvents.ts"
import { rawOutput } from "../../../src/agents/raw/raw.ts"
import { schemaOf } from "../../../src/agents/shapeSchema.ts"
import type { Rules } from "../../../src/agents/ways.ts"
import { rulesOf } from "./descriptions.ts"
import { violations } from "./jsonSchema.ts"

type Document = { readonly [field: string]: unknown }

const { events: codexSchemas } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../fixtures/output-schemas/codex.json", import.meta.url)), "utf8")
) as { readonly events: { readonly [event: string]: { readonly [keyword: string]: unknown } } }

/** What Codex's parser refuses beyond its schemas. */
const codexParser = (event: string, document: Document): readonly string[] => {
  const found: string[] = []
  const specific = (document["hookSpecificOutput"] ?? {}) as Document
  const { permissionDecision, permissionDecisionReason, updatedInput, updatedMCPToolOutput } = specific
  if (document["decision"] === "block" && !document["reason"]) found.push("block without a reason")
  if (document["reason"] !== undefined && document["decision"] === undefined)
    found.push("reason without decision")
  if (updatedMCPToolOutput !== undefined) found.push("unsupported updatedMCPToolOutput")
  if (event !== "PreToolUse") return found
  if ((permissionDecision === "allow") !== (updatedInput !== undefined))
    found.push("allow and updatedInput part")
  if (permissionDecision === "ask") found.push("unsupported ask")
  if (permissionDecision === "deny" && !permissionDecisionReason) found.push("deny without a reason")
  if (permissionDecisionReason !== undefined && permissionDecision === undefined)
    found.push("reason without decision")
  return found
}

const schemas = new Map<string, (document: unknown) => boolean>()

const fits = (key: string, rules: Rules | undefined, document: unknown): boolean => {
  if (!rules?.output) return false
  const known = schemas.get(key) ?? Schema.is(schemaOf(rules.output))
  schemas.set(key, known)
  return known(document)
}

/** Claude Code's parser: a decision of a permission request needs a behaviour, and so on; the schema says the rest. */
export const objections = (agent: Agent, event: string, document: Document): readonly string[] => {
  const key = `${agent}/${event}`
  switch (agent) {
    case "codex": {
      const schema = codexSchemas[event]
      return schema
        ? [...violations(schema, document), ...codexParser(event, document)]
        : [`${event} takes no document`]
    }
    case "gemini-cli":
    case "qwen-code":
    case "cursor":
      // `{}` is how they say nothing: beside diagnostics, and Cursor at every event.
      return Object.keys(document).length === 0 || fits(key, rulesOf(agent, event), document)
        ? []
        : ["schema"]
    case "windsurf":
      return ["Windsurf reads no document"]
    case "raw":
      return fits(agent, { output: rawOutput, command: {} }, document) ? [] : ["schema"]
    default:
      return fits(key, rulesOf(agent, event), document) ? [] : ["schema"]
  }
}
