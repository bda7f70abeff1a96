/** The hooks that come with the package, in the order in which they are registered: before those of the user. */
import { afterReply } from "./afterReply/afterReply.ts"
import { errorChain } from "./chains/errorChain.ts"
import { autoCheckpoint } from "./checkpoints/autoCheckpoint.ts"
import { cleanup } from "./cleanup/cleanup.ts"
import { feedback } from "./feedback/feedback.ts"
import { formatOnEdit } from "./format/formatOnEdit.ts"
import { guardDestructive } from "./guard/guardDestructive.ts"
import { learn } from "./learning/hooks/learn.ts"
import { learnFromCheckpoint } from "./learning/hooks/learnFromCheckpoint.ts"
import { context } from "./memory/context.ts"
import { sessionBackup } from "./memory/sessionBackup.ts"
import { sessionBrief } from "./memory/sessionBrief.ts"
import { sessionSummary } from "./memory/sessionSummary.ts"
import { metrics } from "./metrics/metrics.ts"
import { sessionMonitor } from "./monitor/sessionMonitor.ts"
import { sessionMonitorAnalysis } from "./monitor/sessionMonitorAnalysis.ts"
import { ownGuards } from "./ownGuards/ownGuards.ts"
import { qualityGate } from "./qualityGate/qualityGate.ts"
import { responseLog } from "./responseLog/responseLog.ts"
import type { Shipped } from "./Shipped.ts"
import { settingsReport } from "./settingsReport/settingsReport.ts"
import { terminal } from "./terminal/terminal.ts"
import { reconcile } from "./transcripts/reconcile.ts"

export const defaults: readonly Shipped[] = [
  { module: "guard/guardDestructive", hook: guardDestructive, isGuard: true },
  { module: "ownGuards/ownGuards", hook: ownGuards, isGuard: true },
  { module: "settingsReport/settingsReport", hook: settingsReport, isGuard: true },
  { module: "qualityGate/qualityGate", hook: qualityGate },
  { module: "chains/errorChain", hook: errorChain },
  { module: "memory/sessionBrief", hook: sessionBrief },
  { module: "memory/context", hook: context, isNotQuiet: true },
  { module: "memory/sessionSummary", hook: sessionSummary },
  { module: "memory/sessionBackup", hook: sessionBackup },
  { module: "checkpoints/autoCheckpoint", hook: autoCheckpoint },
  { module: "feedback/feedback", hook: feedback },
  { module: "transcripts/reconcile", hook: reconcile },
  { module: "responseLog/responseLog", hook: responseLog },
  { module: "learning/hooks/learn", hook: learn, part: "learning" },
  { module: "learning/hooks/learnFromCheckpoint", hook: learnFromCheckpoint, part: "learning" },
  { module: "metrics/metrics", hook: metrics },
  { module: "format/formatOnEdit", hook: formatOnEdit, isNotQuiet: true },
  { module: "terminal/terminal", hook: terminal },
  { module: "cleanup/cleanup", hook: cleanup },
  { module: "monitor/sessionMonitor", hook: sessionMonitor },
  { module: "monitor/sessionMonitorAnalysis", hook: sessionMonitorAnalysis }
]

/** What a build brings where a hook of others asks for it. */
export const servants: readonly Shipped[] = [
  { module: "afterReply/afterReply", hook: afterReply, serves: "deliver" }
]
