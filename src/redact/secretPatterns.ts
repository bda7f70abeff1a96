/** Finds the secrets in one text. Each finder knows one way in which secrets are written; what they find is put together here. */
import { findAnswers } from "./answers.ts"
import { findInLists } from "./argumentLists.ts"
import { findAssignments } from "./assignments.ts"
import { findChosen } from "./chosenPasswords.ts"
import { findArguments } from "./commandArguments.ts"
import { findPiped } from "./commandPasswords.ts"
import { findDeclared } from "./declarations.ts"
import { findEncoded } from "./encodedSecrets.ts"
import { findInserted } from "./insertedRows.ts"
import { findKeyArrays } from "./keyArrays.ts"
import { findKeysTold } from "./keysTold.ts"
import { findKubeObjects } from "./kubeObjects.ts"
import { findLicences } from "./licences.ts"
import { findEntropy, findMnemonics } from "./mnemonics.ts"
import { findNamedBehind } from "./namedBehind.ts"
import { findNetworkKeys } from "./networkKeys.ts"
import { findOnTopics } from "./onTopics.ts"
import { findPhrasesTold } from "./phrasesTold.ts"
import { findPrivateKeys } from "./privateKeys.ts"
import { findInProse } from "./proseSecrets.ts"
import { findReused } from "./saidAhead.ts"
import { findTokens, type Hit } from "./secretTokens.ts"
import { findInSections } from "./sections.ts"
import { findInSessions } from "./shellSessions.ts"
import { findStated } from "./statedForms.ts"
import { findStatements } from "./statements.ts"
import { findStructured } from "./structuredSecrets.ts"
import { type Suspicion, suspicionOf } from "./suspicion.ts"
import { findInTables } from "./tables.ts"
import { findPresented } from "./toldSecrets.ts"
import { findTraced } from "./tracedCalls.ts"
import { findUrlSecrets } from "./urlSecrets.ts"

/** These find by themselves, or far from what announces it, so they go through the whole text. */
const everywhere = [findPrivateKeys, findUrlSecrets, findInTables, findInserted, findInSessions]
/** These need a name, a word or a form that the first look stops at, so they look around such places alone. */
const nearby = [
  findAssignments,
  findDeclared,
  findStructured,
  findStatements,
  findInProse,
  findPresented,
  findPiped,
  findArguments,
  findInLists,
  findNamedBehind,
  findInSections,
  findMnemonics,
  findEntropy,
  findChosen,
  findAnswers,
  findLicences,
  findPhrasesTold,
  findReused,
  findKeysTold,
  findNetworkKeys,
  findKeyArrays,
  findStated,
  findTraced,
  findKubeObjects
]

interface Found {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Calls `hit` for each secret, in order; those that overlap are one. */
export const findSecrets = (
  text: string,
  hit: Hit,
  { mayHoldTokens, parts, topics }: Suspicion = suspicionOf(text)
): void => {
  const all: Found[] = []
  const take = (start: number, end: number, kind: string): boolean => {
    if (end > start) all.push({ start, end, kind })
    return true
  }
  if (mayHoldTokens) findTokens(text, take)
  for (const find of everywhere) find(text, take)
  for (const { start: from, end } of parts) {
    const part = from === 0 && end === text.length ? text : text.slice(from, end)
    const among: Hit = (start, stop, kind) => take(from + start, from + stop, kind)
    findOnTopics(part, topics, among)
    for (const find of nearby) find(part, among)
    // It looks through other texts, and what is kept of this one is kept for one.
    findEncoded(part, topics, among)
  }
  if (all.length === 0) return
  all.sort((a, b) => a.start - b.start || b.end - a.end)
  let open = all[0] as Found
  for (const next of all) {
    if (next.start >= open.end) {
      if (!hit(open.start, open.end, open.kind)) return
      open = next
    } else if (next.end > open.end) open = { ...open, end: next.end }
  }
  hit(open.start, open.end, open.kind)
}
