/**
 * How what an earlier version left becomes what this version expects: each step in its turn, a file each. A step that finds nothing to
 * do does nothing: an older client or host may have written in its own way what a step has already changed once. A number is never
 * given to another step; there has not been a 2.
 */
import { trustByContent } from "./0001-trust-by-content.ts"
import { sealedCalls } from "./0003-sealed-calls.ts"
import { sealedLog } from "./0004-sealed-log.ts"
import { registrations } from "./0005-registrations.ts"
import type { Migration } from "./Migration.ts"

export const migrations: readonly Migration[] = [trustByContent, sealedCalls, sealedLog, registrations]
