/** What a fact says, in a line. */
import type { Fact } from "../../../events/facts.ts"
import { printable } from "../../state/terminalText.ts"
import { observedLine } from "./observedLine.ts"
import { bytes, clock, count, inline, milliseconds } from "./words.ts"

export type Kind = "good" | "bad" | "warn" | "quiet" | "plain"

export interface Told {
  readonly kind: Kind
  readonly text: string
}

export const said = (text: string): string => {
  const line = printable(text.trim())
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

const names = (intents: readonly { readonly type: string }[]): string =>
  intents.length === 0 ? "" : ` → ${intents.map(({ type }) => type).join(", ")}`

const replied = (fact: Extract<Fact, { type: "REPLY_DELIVERED" | "DELIVERY_FAILED" }>): string => {
  const parts = [`exit ${fact.exitCode}`]
  if (fact.stdout !== "") parts.push(`stdout ${said(fact.stdout)}`)
  if (fact.stderr !== "") parts.push(`stderr ${said(fact.stderr)}`)
  const lost = fact.channels.filter(({ channel }) => channel === "undeliverable").length
  if (lost > 0) parts.push(`${lost} undeliverable`)
  return parts.join(" · ")
}

export const tell = (fact: Fact): Told => {
  switch (fact.type) {
    case "INVOCATION_OPENED":
      return { kind: "plain", text: fact.route === undefined ? fact.cwd : `${fact.cwd} · left by its client` }
    case "PAYLOAD_BUFFERED": {
      const tool = fact.tool
        ? ` · ${fact.tool.kind} ${said(fact.tool.command ?? fact.tool.path ?? fact.tool.name)}`
        : ""
      const drift = fact.drift ? ` · drift: ${fact.drift.join(", ")}` : ""
      return {
        kind: fact.drift ? "warn" : "quiet",
        text: `${bytes(fact.bytes)} · ${fact.events.map(({ event }) => event).join(", ")}${tool}${drift}`
      }
    }
    case "PAYLOAD_REJECTED":
      return { kind: "bad", text: `${fact.reason}: ${said(fact.detail)}` }
    case "HANDLERS_PLANNED": {
      const planned = fact.handlers.map(({ handler }) => handler).join(", ")
      const named = (what: string, list: readonly { readonly handler: string }[]) =>
        list.length > 0 ? ` · ${what}: ${list.map(({ handler }) => handler).join(", ")}` : ""
      const others = named("after the reply", fact.background ?? []) + named("left out", fact.left)
      return { kind: "quiet", text: `${planned === "" ? "no handler" : planned}${others}` }
    }
    case "HANDLER_STARTED":
      return { kind: "quiet", text: `${fact.handler} (${fact.event})` }
    case "HANDLER_SUCCEEDED":
      return {
        kind: "good",
        text: `${fact.handler} ${milliseconds(fact.ms)}${names(fact.intents)}${fact.chain === undefined ? "" : ` · chain ${said(fact.chain)}`}`
      }
    case "HANDLER_FAILED":
      return {
        kind: "bad",
        text: `${fact.handler}: ${said(fact.error.message)} (on failure: ${fact.policy})${names(fact.intents ?? [])}`
      }
    case "HANDLER_TIMED_OUT":
      return {
        kind: "bad",
        text: `${fact.handler}: not done within ${fact.deadlineMs} ms (on failure: ${fact.policy})${names(fact.intents ?? [])}`
      }
    case "HANDLER_SKIPPED":
      return { kind: "warn", text: `${fact.handler}: ${said(fact.reason)}` }
    case "NOISE_CAPTURED":
      return { kind: "warn", text: `${fact.stream} ${bytes(fact.bytes)} ${said(fact.text)}` }
    case "SERVICE_CALLED":
      return fact.error === undefined
        ? {
            kind: "quiet",
            text: `${fact.handler}: ${fact.service} ${inline(fact.input)} ${milliseconds(fact.ms)}`
          }
        : { kind: "warn", text: `${fact.handler}: ${fact.service}: ${said(fact.error.message)}` }
    case "REPLY_DELIVERED":
      return { kind: fact.exitCode === 0 ? "good" : "warn", text: replied(fact) }
    case "DELIVERY_FAILED":
      return { kind: "bad", text: `${said(fact.error.message)} · ${replied(fact)}` }
    case "EXITED": {
      const ms = Object.values(fact.ms).reduce((sum, one) => sum + one, 0)
      return { kind: fact.code === 0 ? "quiet" : "warn", text: `${fact.code} after ${milliseconds(ms)}` }
    }
    case "HOST_UNREACHABLE":
      return { kind: "bad", text: said(fact.detail) }
    case "HOST_REACHED":
      return { kind: "good", text: "" }
    case "HOOKS_INSTALLED":
      return {
        kind: "good",
        text: `${fact.agent} (${fact.scope}) ${count(fact.events.length, "event")} in ${fact.file}`
      }
    case "HOOKS_REMOVED":
      return {
        kind: "warn",
        text: `${fact.agent} (${fact.scope}) ${count(fact.events.length, "event")} in ${fact.file}`
      }
    case "HOOKS_BUILT":
      return {
        kind: "good",
        text: `${count(fact.hooks.length, "hook")} in ${milliseconds(fact.ms)} · ${fact.project}${(fact.replaced ?? []).map(({ hook }) => ` · ${hook} was replaced`).join("")}`
      }
    case "BUILD_FAILED":
      return { kind: "bad", text: said(fact.errors.join(" · ")) }
    case "HOOKS_TRUSTED":
      return { kind: "good", text: `${count(fact.files.length, "file")} · ${fact.project}` }
    case "TRUST_REVOKED":
      return { kind: "warn", text: `${fact.file} ${fact.digest.slice(0, 12)} · ${fact.project}` }
    case "SPOOL_REJECTED":
      return { kind: "bad", text: `${fact.file}:${fact.line}: ${said(fact.reason)}` }
    case "CALLS_UNRECORDED":
      return {
        kind: "bad",
        text: `${count(fact.calls, "hook call")} could not be recorded: ${said(fact.reason)}`
      }
    case "FACT_REDACTED":
      return { kind: "warn", text: `${fact.fact}: ${said(fact.reason)}` }
    case "LOG_TRUNCATED":
      return {
        kind: "warn",
        text: `${count(fact.invocations, "invocation")}${fact.unshipped === undefined ? "" : `, ${fact.unshipped} of them not shipped`}: ${said(fact.reason)}`
      }
    case "HOOK_ENABLED":
    case "HOOK_DISABLED": {
      const where = fact.project ?? (fact.session === undefined ? "everywhere" : `session ${fact.session}`)
      return { kind: fact.type === "HOOK_ENABLED" ? "good" : "warn", text: `${said(fact.hook)} · ${where}` }
    }
    case "DOCTOR_RAN":
      return {
        kind: fact.problems.length === 0 ? "good" : "warn",
        text: `${count(fact.checks, "check")}${fact.problems.map(({ name, status }) => ` · ${said(name)}: ${said(status)}`).join("")}`
      }
    case "MIGRATION_APPLIED":
      return {
        kind: "good",
        text: `${said(fact.name)}: ${count(fact.files.length, "file")}${fact.project === undefined ? "" : ` · ${fact.project}`}`
      }
    case "MIGRATION_ROLLED_BACK":
      return { kind: "warn", text: `${said(fact.names.join(", "))}: ${count(fact.files.length, "file")}` }
    case "HOST_STARTED": {
      const off = Object.entries(fact.parts ?? {}).filter(([, state]) => state !== "ready")
      return {
        kind: off.length === 0 ? "quiet" : "warn",
        text: `process ${fact.pid} · build ${fact.build}${off.map(([name, why]) => ` · ${said(name)} is off: ${said(why)}`).join("")}`
      }
    }
    case "HOST_READY":
      return { kind: "good", text: fact.port === undefined ? "" : `port ${fact.port}` }
    case "HOST_DRAINING":
      return { kind: "plain", text: said(fact.reason) }
    case "HOST_STOPPED":
      return { kind: "plain", text: `${said(fact.reason)} · ${count(fact.served, "call")}` }
    case "HANDLER_PROCESS_STARTED":
      return { kind: "quiet", text: fact.pid === undefined ? "" : `process ${fact.pid}` }
    case "HANDLER_PROCESS_TAKEN":
      return { kind: "quiet", text: "" }
    case "HANDLER_PROCESS_FREED":
      return { kind: "quiet", text: fact.goodFor === "any" ? "" : "for the same build only" }
    case "HANDLER_PROCESS_SPOILT":
      return { kind: "warn", text: said(fact.reason) }
    case "HANDLER_PROCESS_ENDED":
      return { kind: "plain", text: said(fact.reason) }
    case "SESSION_OPENED":
    case "SESSION_IDLED":
    case "SESSION_RESUMED":
    case "SESSION_ENDED":
      return { kind: "quiet", text: said(fact.because) }
    case "TOOL_CALL_OBSERVED":
    case "TOOL_CALL_SETTLED":
    case "PROMPT_OBSERVED":
    case "ANSWER_OBSERVED":
    case "USAGE_OBSERVED":
    case "HOOK_RUN_OBSERVED":
    case "TURN_INTERRUPTED":
    case "HOOK_CALL_MISSED":
    case "DENIAL_IGNORED":
    case "TRANSCRIPT_RECONCILED":
      return observedLine(fact)
    case "JOB_ENQUEUED":
      return { kind: "plain", text: `${fact.handler ?? fact.kind}${fact.event ? ` (${fact.event})` : ""}` }
    case "JOB_STARTED":
      return { kind: "quiet", text: `attempt ${fact.attempt}` }
    case "JOB_SUCCEEDED":
      return { kind: "good", text: `attempt ${fact.attempt} ${milliseconds(fact.ms)}` }
    case "JOB_FAILED": {
      const next = fact.retryAt === undefined ? "" : ` · again at ${clock(fact.retryAt)}`
      return { kind: "bad", text: `attempt ${fact.attempt}: ${said(fact.error.message)}${next}` }
    }
    case "JOB_RELEASED":
      return { kind: "warn", text: `attempt ${fact.attempt}: ${said(fact.reason)}` }
    case "JOB_DIED":
      return { kind: "bad", text: `after ${count(fact.attempts, "attempt")}: ${said(fact.error.message)}` }
    case "JOB_HELD":
    case "JOB_DROPPED":
      return { kind: "warn", text: said(fact.reason) }
    case "JOB_RETRIED":
      return { kind: "warn", text: `by ${said(fact.by)}` }
    case "NOTE_RECORDED":
      return { kind: "good", text: `${fact.kind ?? "note"}: ${said(fact.text)}` }
    case "NOTE_CONFIRMED":
    case "NOTE_DOUBTED":
      return {
        kind: fact.type === "NOTE_CONFIRMED" ? "good" : "warn",
        text: `by ${said(fact.by)}${fact.because === undefined ? "" : `: ${said(fact.because)}`}`
      }
    case "NOTE_RETRACTED":
      return {
        kind: "warn",
        text: `by ${said(fact.by)}${fact.reason === undefined ? "" : `: ${said(fact.reason)}`}`
      }
    case "CHECKPOINT_RECORDED":
      return { kind: "good", text: `quality ${fact.quality} · ${fact.trigger}` }
    case "CHECKPOINT_REFUSED":
      return { kind: "bad", text: `quality ${fact.quality} · ${fact.by}: ${said(fact.reason)}` }
    case "METRICS_RECORDED":
      return { kind: "quiet", text: count(fact.figures.length, "figure") }
  }
}
