/** Passwords told somewhere behind their word in the same sentence: "le mot de passe de la base : c'est maintenant …", "… (given password: …)". */
import { looksChosen, looksChosenAlone, trailing } from "./looksChosen.ts"
import { aheadOf } from "./saidAhead.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"
import { wordEnd } from "./words.ts"

/** How far behind its word a password may stand. */
const reach = 120
const isLineEnd = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  if (c === 10 || c === 13) return true
  if (c !== 92) return false
  const next = text.charCodeAt(at + 1)
  return next === 110 || next === 114
}

/** Digits and signs that words of prose have not, and quotes of other languages. */
const rare = new Uint8Array(128)
for (const c of "0123456789!@#$%^&*+~?") rare[c.charCodeAt(0)] = 1

/** Whether something stands on the line within reach that a password has. */
const mayTell = (text: string, from: number): boolean => {
  const most = Math.min(text.length, from + reach)
  for (let at = from; at < most; at++) {
    const c = text.charCodeAt(at)
    if (c < 128 ? rare[c] === 1 : c > 0x2000) return true
    if ((c === 10 || c === 13 || c === 92) && isLineEnd(text, at)) return false
  }
  return false
}

const now = String.raw`(?:[ \u00a0](?:now|currently|still|maintenant|désormais|jetzt|nun|ora|adesso|agora|ahora|nu|teraz|artık|теперь|сейчас))?`
const verbs = String.raw`[ \u00a0](?:is|was|ist|lautet|war|est|c['’]est|es|è|é|är|er|jest|je|este|olarak|это|теперь|тепер|artık|to|set to|reads|became)${now}[ \u00a0]{1,2}`
/** Of languages that say no verb, or write none apart. */
const bare = String.raw`[ \u00a0]?(?:は|는|은|이|가|是|为|為|改成|改为|設為|设为)了?[:：]?[ \u00a0]?`
const colon = String.raw`[ \u00a0]?[:：](?:[ \u00a0](?:it['’]s|c['’]est|es ist|è|es)${now})?[ \u00a0]{1,2}`
const words = String.raw`(?:,?[ \u00a0][^\s.,;:!?(){}<>=|"\\「」]{1,24}){0,9}?`
const value = String.raw`(?:\\*([「『“„«"'\x60])([^\s"'\x60”“»」』\\]{6,64})\\*["'\x60”“»」』]|([^\s"'\x60“„«「『‹<>(){}[\];,，。、；！\\]{6,64})(?![^\s"'\x60“„«「『‹<>(){}[\];,，。、；！\\]))`

let pattern: RegExp | undefined
const told = (): RegExp =>
  (pattern ??= new RegExp(
    String.raw`["'\x60*_）)]{0,3}(${words})(${colon}|${verbs}|${bare}|(?<=ş?ifresi)[ \u00a0])${value}`,
    "uy"
  ))

/** What is said of a password and is none. */
const aside =
  /hash|algorithm|polic|length|minimum|maximum|format|\bfield|\bfile|\bname|expir|\brule|\bversion|attempt|\bpage|\bform\b|column|\btype|variable|\bmust|\bcan\b|should|\bnot?\b|\bwithout|manager|prompt|encod|encrypt|hint|strength|\bif\b|\bwhen|reset (?:link|mail)|\bid\b|\bfor user\b|fail|error|invalid|wrong|mismatch\b.*\bfor\b/i
/** What stands around a name that is one of code, of a query or of an option, and no word of a sentence. */
const isOfCode = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  return c === 61 || c === 40 || c === 91 || c === 123
}

/** Of languages that put no blank behind a word. */
const unparted = /パスワード|暗証番号|密[码碼]|口令|비밀번호|암호|패스워드/y

const endOf = (text: string, at: number): number => {
  if (text.charCodeAt(at) < 0x2e80) return wordEnd(text, at)
  unparted.lastIndex = at
  return unparted.test(text) ? unparted.lastIndex : at
}

/** The password that the word at `at` tells of, if one is told; whether to go on. */
export const passwordFrom = (text: string, at: number, hit: Hit): boolean => {
  const end = endOf(text, at)
  if (isOfCode(text, end) || text.charCodeAt(at - 1) === 45) return true
  return !mayTell(text, end) || inSentence(text, end, hit)
}

const inSentence = (text: string, end: number, hit: Hit): boolean => {
  const sentence = told()
  sentence.lastIndex = end
  const found = sentence.exec(text)
  if (found === null) return true
  const [whole, said = "", joint = "", quote, quoted, plain] = found
  const written = quoted ?? (plain as string)
  const start = end + whole.lastIndexOf(written)
  if (start > end + reach || aside.test(said)) return true
  const chosen = quoted ?? (plain as string).replace(trailing, "")
  const behind = text.slice(start + chosen.length, start + chosen.length + 34)
  const isAlone = /[:：]/.test(joint) && /^[.)\]]?\s{0,2}(?:$|[\r\n"]|\\)/.test(behind)
  if (/^[=(]|^&[\w-]{1,30}=/.test(behind)) return true
  // What a name right before a sign says is another finder's, but for what it would cut.
  const judged = quote !== undefined || isAlone ? looksChosenAlone(chosen) : looksChosen(chosen)
  return !judged || hit(start, start + chosen.length, tokenKind(chosen) ?? "password")
}

/** Where a word for a password begins. */
export const wordsOfPasswords = signOf(
  ..."passwor,passwd,passphrase,passcode,passwort,passord,kennwort,zugangswort,mot de passe,mots de passe,contrase,senha,wachtwoord,lösenord,losenord,adgangskode,kodeord,salasana,heslo,hasło,haslo,parola,şifre,sifre,пароль,пароля,パスワード,密码,密碼,비밀번호,pwd,pw".split(
    ","
  )
)

/** So many are looked for wherever else they stand. */
const mostRepeated = 16

/** Each place where a word for a password begins, in the closer look. */
export const findChosen = (text: string, hit: Hit): void => {
  const seen = new Set<string>()
  const take: Hit = (start, end, kind) => {
    if (seen.size < mostRepeated) seen.add(text.slice(start, end))
    return hit(start, end, kind)
  }
  for (const at of placesOf(text, wordsOfPasswords))
    if (!passwordFrom(text, at, take) || !aheadOf(text, at, take)) return
  for (const one of seen)
    for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + one.length))
      if (!hit(at, at + one.length, "password")) return
}
