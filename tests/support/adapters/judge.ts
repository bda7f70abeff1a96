/** Whether an agent would take a document: each by a judge of its own, and not by the code that wrote the document. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type { Agent } from "../../../events/agentEvents.ts"
import { claudeCodeRules } from "../../../src/agents/claude-code/rules.ts"
import { clineRules } from "../../../src/agents/cline/rules.ts"
import { copilotRules } from "../../../src/agents/copilot/rules.ts"
import { cursorRules } from "../../../src/agents/cursor/rules.ts"
import { droidRules } from "../../../src/agents/droid/rules.ts"
import { geminiCliRules } from "../../../src/agents/gemini-cli/rules.ts"
import { opencodeRules } from "../../../src/agents/opencode/rules.ts"
import { qwenCodeRules } from "../../../src/agents/qwen-code/rules.ts"
import { rawOutput } from "../../../src/agents/raw/raw.ts"
import { schemaOf } from "../../../src/agents/shapeSchema.ts"
import type { Rules } from "../../../src/agents/ways.ts"
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
    case "claude-code":
      return fits(key, claudeCodeRules[event as keyof typeof claudeCodeRules], document) ? [] : ["schema"]
    case "gemini-cli":
      // `{}` is how nothing is said beside diagnostics, at every event.
      return Object.keys(document).length === 0 ||
        fits(key, geminiCliRules[event as keyof typeof geminiCliRules], document)
        ? []
        : ["schema"]
    case "qwen-code":
      // `{}` as with Gemini CLI: beside diagnostics.
      return Object.keys(document).length === 0 ||
        fits(key, qwenCodeRules[event as keyof typeof qwenCodeRules], document)
        ? []
        : ["schema"]
    case "copilot":
      return fits(key, copilotRules[event as keyof typeof copilotRules], document) ? [] : ["schema"]
    case "opencode":
      return fits(key, opencodeRules[event as keyof typeof opencodeRules], document) ? [] : ["schema"]
    case "cline":
      return fits(key, clineRules[event as keyof typeof clineRules], document) ? [] : ["schema"]
    case "cursor":
      // The neutral answer, at every event.
      return Object.keys(document).length === 0 ||
        fits(key, cursorRules[event as keyof typeof cursorRules], document)
        ? []
        : ["schema"]
    case "droid":
      return fits(key, droidRules[event as keyof typeof droidRules], document) ? [] : ["schema"]
    case "windsurf":
      return ["Windsurf reads no document"]
    case "raw":
      return fits(agent, { output: rawOutput, command: {} }, document) ? [] : ["schema"]
  }
}
