/** Finders that need a text about something, and are spared every other. */
import { findInAccounts } from "./accountLines.ts"
import { findBound } from "./boundValues.ts"
import { findCodesTold } from "./codesTold.ts"
import { findInDialogues } from "./dialogues.ts"
import { findForeign } from "./foreignSecrets.ts"
import { findLogins } from "./logins.ts"
import { findOneTimeCodes } from "./oneTimeCodes.ts"
import { findPrinted } from "./printed.ts"
import { findInRecords } from "./records.ts"
import { findInCalls } from "./secretCalls.ts"
import type { Hit } from "./secretTokens.ts"
import { findRead } from "./shellSessions.ts"
import { findPrompted, findTold } from "./toldSecrets.ts"
import {
  aboutAccounts,
  aboutCalls,
  aboutCodes,
  aboutDialogues,
  aboutFiles,
  aboutForeign,
  aboutLogins,
  aboutPasswords,
  aboutPrompts
} from "./topics.ts"
import { findWalletKeys } from "./walletKeys.ts"
import { findWritten } from "./writtenFiles.ts"

const onTopic: ReadonlyArray<readonly [topics: number, find: (text: string, hit: Hit) => void]> = [
  [aboutForeign, findForeign],
  [aboutLogins, findLogins],
  [aboutDialogues, findInDialogues],
  [aboutCodes, findOneTimeCodes],
  [aboutCodes, findCodesTold],
  [aboutPasswords, findPrinted],
  [aboutPasswords, findTold],
  [aboutPasswords, findBound],
  [aboutCalls, findInCalls],
  [aboutAccounts, findInAccounts],
  [aboutAccounts, findWalletKeys],
  [aboutPrompts, findPrompted],
  [aboutFiles, findWritten],
  [aboutFiles, findRead]
]

export const findOnTopics = (text: string, topics: number, hit: Hit): void => {
  findInRecords(text, hit)
  for (const [about, find] of onTopic) if ((topics & about) !== 0) find(text, hit)
}
