/** When the monitor ran last, and whether it may again. What cannot be read allows it: a broken file must not silence it for ever. */
import { readFileSync, writeFileSync } from "node:fs"

export const usualCooldownMs = 60_000

export const isCool = (file: string, now: number, cooldownMs: number): boolean => {
  try {
    const last = Number(readFileSync(file, "utf8").trim())
    const elapsed = now - last
    // A time that is yet to come is as good as none.
    return !Number.isFinite(last) || last <= 0 || elapsed < 0 || elapsed >= cooldownMs
  } catch {
    return true
  }
}

/** Of a run that really starts. */
export const renewCooldown = (file: string, now: number): void => {
  try {
    writeFileSync(file, `${now}\n`, { mode: 0o600 })
  } catch {
    // The next run is then allowed sooner.
  }
}
