/** Finders that need a text about something, and are spared every other. */
import { findInAccounts } from "./accountLines.ts"
import { findInDialogues } from "./dialogues.ts"
import { findForeign } from "./foreignSecrets.ts"
import { findLogins } from "./logins.ts"
import { findPrinted } from "./printed.ts"
import { findInRecords } from "./records.ts"
import { findInCalls } from "./secretCalls.ts"
import type { Hit } from "./secretTokens.ts"
import { findPrompted, findTold } from "./toldSecrets.ts"
import {
  aboutAccounts,
  aboutCalls,
  aboutDialogues,
  aboutForeign,
  aboutLogins,
  aboutPasswords,
  aboutPrompts
} from "./topics.ts"
import { findWalletKeys } from "./walletKeys.ts"

const onTopic: ReadonlyArray<readonly [topics: number, find: (text: string, hit: Hit) => void]> = [
  [aboutForeign, findForeign],
  [aboutLogins, findLogins],
  [aboutDialogues, findInDialogues],
  [aboutPasswords, findPrinted],
  [aboutPasswords, findTold],
  [aboutCalls, findInCalls],
  [aboutAccounts, findInAccounts],
  [aboutAccounts, findWalletKeys],
  [aboutPrompts, findPrompted]
]

export const findOnTopics = (text: string, topics: number, hit: Hit): void => {
  findInRecords(text, hit)
  for (const [about, find] of onTopic) if ((topics & about) !== 0) find(text, hit)
}
