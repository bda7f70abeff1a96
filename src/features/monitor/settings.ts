/** What switches the session monitor on, and what its settings mean. */
import type { JsonObject } from "../../../events/intents.ts"
import { durationProblem, toMillis } from "../../hooks/duration.ts"
import type { Duration } from "../../hooks/hookOptions.ts"
import { usualCooldownMs } from "./cooldown.ts"

export const enabledVariable = "HOOKTAPE_SESSION_MONITOR"
export const deepVariable = "HOOKTAPE_SESSION_MONITOR_DEEP"

type Env = Readonly<Record<string, string | undefined>>

const isTrue = (value: string): boolean => value.trim().toLowerCase() === "true"

/** Off unless somebody says so. */
export const isEnabled = (env: Env): boolean => isTrue(env[enabledVariable] ?? "false")

/** On unless somebody says otherwise. */
export const isDeep = (env: Env): boolean => isTrue(env[deepVariable] ?? "true")

export interface MonitorSettings {
  readonly cooldownMs: number
  /** The model's command line; none is whichever is found. */
  readonly command: readonly string[]
  readonly timeoutMs: number
}

const usualTimeoutMs = 120_000
const longestTimeoutMs = 600_000

/** 0 is no cooldown at all. */
const msAt = (value: unknown, usual: number): number => {
  if (value === 0) return 0
  return durationProblem(value) === undefined ? toMillis(value as Duration) : usual
}

const commandAt = (value: unknown): readonly string[] => {
  if (typeof value === "string") return value.split(/\s+/).filter((word) => word !== "")
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === "string") : []
}

export const monitorSettings = ({ command, cooldown, timeout }: JsonObject): MonitorSettings => ({
  cooldownMs: msAt(cooldown, usualCooldownMs),
  command: commandAt(command),
  timeoutMs: Math.max(1, Math.min(longestTimeoutMs, msAt(timeout, usualTimeoutMs)))
})
