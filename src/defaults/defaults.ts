/** The hooks that come with the package, in the order in which they are registered: before those of the user. */
import { autoCheckpoint } from "./autoCheckpoint.ts"
import { cleanup } from "./cleanup.ts"
import { context } from "./context.ts"
import { errorChain } from "./errorChain.ts"
import { feedback } from "./feedback.ts"
import { formatOnEdit } from "./formatOnEdit.ts"
import { guardDestructive } from "./guardDestructive.ts"
import { learn } from "./learn.ts"
import { learnFromCheckpoint } from "./learnFromCheckpoint.ts"
import { ownGuards } from "./ownGuards.ts"
import { qualityGate } from "./qualityGate.ts"
import { responseLog } from "./responseLog.ts"
import type { Shipped } from "./Shipped.ts"
import { sessionBackup } from "./sessionBackup.ts"
import { sessionBrief } from "./sessionBrief.ts"
import { sessionMonitor } from "./sessionMonitor.ts"
import { sessionMonitorAnalysis } from "./sessionMonitorAnalysis.ts"
import { sessionSummary } from "./sessionSummary.ts"
import { settingsReport } from "./settingsReport.ts"
import { terminal } from "./terminal.ts"

export const defaults: readonly Shipped[] = [
  { module: "guardDestructive", hook: guardDestructive, isGuard: true },
  { module: "ownGuards", hook: ownGuards, isGuard: true },
  { module: "settingsReport", hook: settingsReport, isGuard: true },
  { module: "qualityGate", hook: qualityGate },
  { module: "errorChain", hook: errorChain },
  { module: "sessionBrief", hook: sessionBrief },
  { module: "context", hook: context },
  { module: "sessionSummary", hook: sessionSummary },
  { module: "sessionBackup", hook: sessionBackup },
  { module: "autoCheckpoint", hook: autoCheckpoint },
  { module: "feedback", hook: feedback },
  { module: "responseLog", hook: responseLog },
  { module: "learn", hook: learn, part: "learning" },
  { module: "learnFromCheckpoint", hook: learnFromCheckpoint, part: "learning" },
  { module: "formatOnEdit", hook: formatOnEdit },
  { module: "terminal", hook: terminal },
  { module: "cleanup", hook: cleanup },
  { module: "sessionMonitor", hook: sessionMonitor },
  { module: "sessionMonitorAnalysis", hook: sessionMonitorAnalysis }
]
