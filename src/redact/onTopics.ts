/** Finders that need a text about something, and are spared every other. */
import { findInDialogues } from "./dialogues.ts"
import { findForeign } from "./foreignSecrets.ts"
import { findLogins } from "./logins.ts"
import { findPrinted } from "./printed.ts"
import { findInRecords } from "./records.ts"
import type { Hit } from "./secretTokens.ts"
import { aboutDialogues, aboutForeign, aboutLogins, aboutPasswords } from "./topics.ts"

const onTopic: ReadonlyArray<readonly [topics: number, find: (text: string, hit: Hit) => void]> = [
  [aboutForeign, findForeign],
  [aboutLogins, findLogins],
  [aboutDialogues, findInDialogues],
  [aboutPasswords, findPrinted]
]

export const findOnTopics = (text: string, topics: number, hit: Hit): void => {
  findInRecords(text, hit)
  for (const [about, find] of onTopic) if ((topics & about) !== 0) find(text, hit)
}
