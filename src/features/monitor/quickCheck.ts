/** The quick check at the end of a session: whether it runs at all, what it found, and what it hands over. */
import { writeFileSync } from "node:fs"
import { projectManifest } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import { check } from "./checks.ts"
import { isCool, renewCooldown } from "./cooldown.ts"
import { type Evidence, gather } from "./Evidence.ts"
import type { Finding } from "./Finding.ts"
import { letMonitorLockGo, takeMonitorLock } from "./monitorLock.ts"
import { monitorLog, type Say } from "./monitorLog.ts"
import { type MonitorPaths, monitorPaths, payloadFile } from "./monitorPaths.ts"
import { namespaceOf } from "./namespace.ts"
import { candidates, firstThere } from "./needs.ts"
import { payloadOf, payloadToJson } from "./payload.ts"
import { reportOf } from "./report.ts"
import { isDeep, isEnabled, type MonitorSettings } from "./settings.ts"

export interface QuickCheck {
  readonly state: string
  readonly project: string
  readonly invocation: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly settings: MonitorSettings
  /** Where what it needs may be, in this order; where nothing is said, what the builds name. */
  readonly places?: readonly string[]
  readonly now?: () => number
  readonly gather?: (...asked: Parameters<typeof gather>) => Evidence | Promise<Evidence>
}

export interface Checked {
  /** For the operator; nothing where there is nothing to say. */
  readonly report?: string
  readonly findings: number
  /** Something was handed over to the deep analysis. */
  readonly handedOver: boolean
}

const nothing: Checked = { findings: 0, handedOver: false }

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "Error")

/** What a missing module looks like. */
const isImportError = (error: unknown): boolean =>
  /^(?:ERR_)?MODULE_NOT_FOUND$|^ERR_DLOPEN_FAILED$/.test(
    String((error as { code?: unknown } | null)?.code ?? "")
  )

/** The guards stand in this order: lock, cooldown, switch, needs, check. */
export const quickCheck = async (asked: QuickCheck): Promise<Checked> => {
  let say: Say = () => undefined
  try {
    const paths = monitorPaths(asked.state)
    say = monitorLog(paths.log, asked.now)
    const places = asked.places ?? candidates(asked.state, projectManifest(asked.state, asked.project))
    const needed = firstThere(places)
    // Without what locks there is nothing that could be checked either: said behind the switch, as everything it needs.
    if (needed !== undefined && !takeMonitorLock(paths, needed)) return nothing
    try {
      return await guarded(asked, paths, needed, say)
    } finally {
      letMonitorLockGo(paths)
    }
  } catch (error) {
    say(
      isImportError(error)
        ? `import error: ${messageOf(error)}`
        : `error: ${nameOf(error)}: ${messageOf(error)}`
    )
    return nothing
  }
}

const guarded = async (
  asked: QuickCheck,
  paths: MonitorPaths,
  needed: string | undefined,
  say: Say
): Promise<Checked> => {
  const now = (asked.now ?? Date.now)()
  if (!isCool(paths.cooldown, now, asked.settings.cooldownMs)) {
    say("cooldown active, skipping")
    return nothing
  }
  say("hook triggered")
  if (!isEnabled(asked.env)) {
    say("disabled, exiting")
    return nothing
  }
  if (needed === undefined) {
    say("what reads the log was not found")
    return nothing
  }
  renewCooldown(paths.cooldown, now)
  say("starting quick check")
  const findings = await found(asked, needed, now, say)
  if (findings === undefined) return nothing
  say(`quick check done: ${findings.length} issues`)
  if (findings.length === 0) {
    say("no issues")
    return nothing
  }
  const report = reportOf(findings)
  if (!isDeep(asked.env)) return { report, findings: findings.length, handedOver: false }
  const payload = payloadOf(findings, namespaceOf(asked.project), asked.env)
  writeFileSync(payloadFile(paths, asked.invocation), `${JSON.stringify(payloadToJson(payload))}\n`, {
    mode: 0o600,
    flag: "wx"
  })
  say("handed over to deep analysis, hook complete")
  return { report, findings: findings.length, handedOver: true }
}

/** Undefined where it failed, which is said. */
const found = async (
  asked: QuickCheck,
  needed: string,
  now: number,
  say: Say
): Promise<readonly Finding[] | undefined> => {
  try {
    const evidence = await (asked.gather ?? gather)(asked.state, now, needed)
    if (evidence.problem !== undefined) say(`the log: ${evidence.problem}`)
    return await check(evidence)
  } catch (error) {
    if (isImportError(error)) throw error
    say(`quick check failed: ${nameOf(error)}: ${messageOf(error)}`)
    return undefined
  }
}
