/** Passwords that stand before what says that they are: "… es la contraseña", "I use … for everything". */
import { looksChosen, looksChosenAlone } from "./looksChosen.ts"
import { isNoWord } from "./noWord.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"

const value = String.raw`["'\x60“„«(]?([^\s"'\x60“”„«»‹<>(){}[\],;:\\]{6,64})["'\x60”“»)]?`
/** Before the word for a password: what it is, whose, and which. */
const named = new RegExp(
  String.raw`(?:^|[\s"'(:,;])${value}\s(?:is|ist|es|est|é|è|är|er|jest|to|je|este|это|будет|—|-)\s(?:\p{L}{1,12}['’]?\s?){1,3}$`,
  "u"
)
/** Before what somebody uses one for. */
const used = new RegExp(
  String.raw`(?:\buse[ds]?|\busing|\bnehme|\b(?:be)?nutze|\bverwende|\butilise|\bmets|\b(?:utiliz|us)o|\bpongo|\bgebruik|\bużywam|\banvänder|\bbru[gk]er|использую|ставлю)\s${value}\s\p{L}{2,4}\s$`,
  "u"
)
const longest = 110
const isUsedOne = (said: string): boolean =>
  looksChosenAlone(said) || (isNoWord(said) && /[!@#$%^&*+~?=]/.test(said))

/** The password that stands before the word at `at`, if that says so; whether to go on. */
export const aheadOf = (text: string, at: number, hit: Hit, isUsed = false): boolean => {
  let start = at
  // A stem may be without the first letters of its word.
  while (start > 0 && at - start < 12 && text.charCodeAt(start - 1) > 64) start--
  // The word before it ends with a letter.
  if (text.charCodeAt(start - 1) !== 32 || text.charCodeAt(start - 2) < 65) return true
  const before = text.slice(Math.max(0, start - longest), start)
  const found = (isUsed ? used : named).exec(before)
  const said = found?.[1]?.replace(/[.!?]+$/, (end) => (/[!?]/.test(end) ? end : "")) ?? ""
  if (found === null || !(isUsed ? isUsedOne(said) : looksChosen(said))) return true
  const from = start - found[0].length + found[0].indexOf(said)
  return hit(from, from + said.length, tokenKind(said) ?? "password")
}

const everything = signOf(
  ..."everything,all of them,all accounts,every site,r alles,r tout,ra todo,r tutto,ra tudo,wszystk,r allt,всего,везде".split(
    ","
  )
)

export const findReused = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, everything)) {
    // Of short words the end of the one before is looked for as well.
    const blank = text.indexOf(" ", at)
    if (!aheadOf(text, blank !== -1 && blank < at + 3 ? blank + 1 : at, hit, true)) return
  }
}
