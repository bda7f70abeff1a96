/** The job behind the quick check: takes what was handed over, asks a model, and has the analysis stored as a note. */
import { readFileSync, rmSync } from "node:fs"
import type { JsonObject } from "../../../events/intents.ts"
import { messageOf } from "../../state/messageOf.ts"
import { type Analysis, analyseAlone, importanceOf, noteText, promptFor, readAnswer } from "./analysis.ts"
import { environmentOfModel, findModelCommand } from "./modelCommand.ts"
import { monitorLog, type Say } from "./monitorLog.ts"
import { monitorPaths, payloadFile } from "./monitorPaths.ts"
import { type Payload, payloadFromJson } from "./payload.ts"
import type { MonitorSettings } from "./settings.ts"

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly failure?: string
}

export interface StoredNote {
  readonly text: string
  readonly kind: string
  readonly tags: readonly string[]
  readonly importance: number
  readonly confidence: number
}

/** How it reaches the world: services of the handler, whose answers are recorded. */
export interface Reaching {
  readonly run: (
    command: string,
    args: readonly string[],
    options: {
      readonly input: string
      readonly timeout: number
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
      readonly maxOutput: number
    }
  ) => Promise<Ran>
  readonly store: (note: StoredNote) => Promise<void>
}

export interface DeepAnalysis extends Reaching {
  readonly state: string
  readonly invocation: string
  readonly project: string
  readonly settings: MonitorSettings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly now?: () => number
}

const source = "session-monitor"
const maxAnswer = 1_048_576

const payloadAt = (file: string): Payload | undefined => {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch {
    return undefined
  }
  return payloadFromJson(JSON.parse(text))
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "Error")

/** Undefined where there is no result; why is said. */
const askModel = async (
  asked: DeepAnalysis,
  payload: Payload,
  cwd: string,
  say: Say
): Promise<Analysis | undefined> => {
  const path = payload.environment["PATH"] ?? asked.env["PATH"] ?? ""
  const command = await findModelCommand({
    configured: asked.settings.command,
    path,
    project: asked.project
  })
  if (command === undefined) {
    say(`job: ERROR - no model command (${asked.settings.command[0] ?? "claude, codex, gemini"}) in PATH`)
    say(`job: PATH = ${path === "" ? "NOT SET" : path}`)
    return analyseAlone(payload)
  }
  say(`job: model command found at ${command.path}`)
  say(`job: asking it about ${payload.findings.length} issues`)
  try {
    const ran = await asked.run(command.path, command.args, {
      input: promptFor(payload),
      timeout: asked.settings.timeoutMs,
      env: { ...payload.environment, ...environmentOfModel },
      cwd,
      maxOutput: maxAnswer
    })
    for (const line of ran.stderr.split("\n").slice(-20))
      if (line.trim() !== "") say(`job: model: ${line.slice(0, 500)}`)
    if (ran.failure !== undefined || ran.exitCode !== 0)
      throw new Error(ran.failure ?? `ended with exit code ${ran.exitCode}`)
    return readAnswer(ran.stdout, command.path)
  } catch (error) {
    say(`job: analysis failed: ${nameOf(error)}: ${messageOf(error)}`)
    return undefined
  }
}

const store = async (asked: DeepAnalysis, payload: Payload, analysis: Analysis): Promise<void> =>
  asked.store({
    text: noteText(payload, analysis).slice(0, 16_000),
    kind: "session",
    tags: [
      source,
      `issues-${payload.findings.length}`,
      `critical-${payload.criticalCount}`,
      `warnings-${payload.warningCount}`
    ],
    importance: importanceOf(payload),
    confidence: analysis.confidence
  })

/** What became of it, to be kept with the job. A failure is said and stays here. */
export const deepAnalysis = async (asked: DeepAnalysis): Promise<JsonObject> => {
  const paths = monitorPaths(asked.state)
  const file = payloadFile(paths, asked.invocation)
  const say = monitorLog(paths.log, asked.now)
  try {
    const payload = payloadAt(file)
    if (payload === undefined) return { stored: false, reason: "nothing was handed over" }
    say("job: starting deep analysis")
    const analysis = await askModel(asked, payload, paths.payloads, say)
    const counts = {
      source,
      namespace: payload.namespace,
      issuesFound: payload.findings.length,
      criticalCount: payload.criticalCount,
      warningCount: payload.warningCount
    }
    if (analysis === undefined) {
      say("job: no result, nothing is stored")
      return { stored: false, reason: "no result", ...counts }
    }
    say("job: analysis complete, storing it")
    await store(asked, payload, analysis)
    say("job: note stored successfully")
    const { by, confidence } = analysis
    return { stored: true, by, importance: importanceOf(payload), confidence, ...counts }
  } catch (error) {
    say(`job: error - ${nameOf(error)}: ${messageOf(error)}`)
    return { stored: false, reason: "error" }
  } finally {
    // Ended because its host stops, it is done again by the next one.
    if (!asked.signal.aborted) rmSync(file, { force: true })
  }
}
