/** What the quick check hands over to the deep analysis: findings, whose they are, and how many of each severity. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import { countOf, type Finding, findingFromJson, findingToJson, isObject, textAt } from "./Finding.ts"

export interface Payload {
  readonly findings: readonly Finding[]
  readonly namespace: string
  readonly criticalCount: number
  readonly warningCount: number
  /** What of the hook's environment finds programs and their settings. No secrets: it lies on disk. */
  readonly environment: Readonly<Record<string, string>>
}

const globalNamespace = "global"

/** What of an environment the model command needs that the host may not have. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "GEMINI_CLI_HOME",
  "HOOKTAPE_HOME"
]

export const payloadOf = (
  findings: readonly Finding[],
  namespace: string,
  env: Readonly<Record<string, string | undefined>> = {}
): Payload => ({
  findings,
  namespace,
  criticalCount: countOf(findings, "critical"),
  warningCount: countOf(findings, "warning"),
  environment: Object.fromEntries(
    passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]]))
  )
})

export const payloadToJson = (payload: Payload): JsonObject => ({
  ...payload,
  findings: payload.findings.map(findingToJson)
})

const countAt = (value: JsonObject, key: string): number => {
  const found = value[key]
  return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : 0
}

/** Whatever is missing: no findings, the global namespace, zero counts. */
export const payloadFromJson = (value: Json | undefined): Payload => {
  const given = isObject(value) ? value : {}
  const { environment, findings } = given
  return {
    findings: Array.isArray(findings) ? findings.map(findingFromJson) : [],
    namespace: textAt(given, "namespace", globalNamespace),
    criticalCount: countAt(given, "criticalCount"),
    warningCount: countAt(given, "warningCount"),
    environment: Object.fromEntries(
      Object.entries(isObject(environment) ? environment : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string"
      )
    )
  }
}
