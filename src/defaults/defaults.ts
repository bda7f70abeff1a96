/** The hooks that come with the package, in the order in which they are registered: before those of the user. */
import { guardDestructive } from "./guardDestructive.ts"
import { qualityGate } from "./qualityGate.ts"
import { responseLog } from "./responseLog.ts"
import type { Shipped } from "./Shipped.ts"

export const defaults: readonly Shipped[] = [
  { module: "guardDestructive", hook: guardDestructive, isGuard: true },
  { module: "qualityGate", hook: qualityGate },
  { module: "responseLog", hook: responseLog }
]
