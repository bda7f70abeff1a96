/** Codes that let somebody in once, as logs and short messages tell them, in several languages. */
import { linesWith } from "./linesWith.ts"
import { lowerCaseOf } from "./lowerCase.ts"
import type { Hit } from "./secretTokens.ts"
import { hasSign, signOf } from "./signs.ts"

/** Digits, or two groups of capitals and digits. */
const digits = String.raw`((?:[A-Z]{1,2}-)?\d{4,8}|\d{3}[ -]\d{3}|(?=[A-Z]{0,4}\d|[A-Z]{4}-[A-Z]{0,3}\d)[A-Z\d]{4}-[A-Z\d]{4}(?!-))(?![\d.,]?\d|[-:/]\d| ?(?:ms|s|sec|min|bytes|kb|mb|%))`
/** What such a code is called; a code of any other sort is none. */
const called = String.raw`(?:(?:verification|security|confirmation|authentication|authorization|log-?in|sign-?in|access|sms|2fa|mfa|two-factor|two-step|one[- ]time|activation|passcode|pairing|device|auth)[ _-](?:pass)?code|one[- ]time (?:password|passcode|pin|code)|\botp(?: code)?|\btan\b|(?:best(?:ä|ae)tigungs|verifizierungs|sicherheits|anmelde|zugangs|einmal|freischalt|aktivierungs)-?code|(?:dein|ihr|your|votre|ton|tu|su|il tuo|je|uw|seu|twój) (?:\S{1,20} )?(?:code|kod|código|codice)|code (?:de |d['’])(?:vérification|verification|sécurité|confirmation|connexion|accès|validation)|c[oó]digo de (?:verificaci[oó]n|seguridad|confirmaci[oó]n|acceso|verifica[cç][aã]o|seguran[cç]a|confirma[cç][aã]o|acesso)|codice (?:di (?:verifica|sicurezza|conferma|accesso)|otp)|(?:verificatie|beveiligings|bevestigings|toegangs|inlog)-?code|kod (?:weryfikacyjny|autoryzacyjny|dostępu|jednorazowy)|(?:verifierings|engångs|bekræftelses|verifikations)-?kode?n?|код (?:подтверждения|доступа|безопасности|авторизации)|验证码|驗證碼|校验码|認証(?:コード|番号)|確認コード|인증 ?(?:번호|코드)|doğrulama kodu(?:nuz)?|onay kodu)`
const joint = String.raw`(?:["'\\]{0,4}\s{0,3}[:=：]\s{0,3}["'\\]{0,4}|\s(?:is|lautet|ist|est|es|é|è|e|to|jest|är|er|:)(?:\s?:)?\s{1,2}|\s?[是为為は][:：]?\s?|\s{0,2}[[(【「]\s?|\sfor\s[^\n:]{1,60}:\s|\s)`

let pattern: RegExp | undefined
const told = (): RegExp => (pattern ??= new RegExp(`${called}${joint}${digits}`, "giu"))
let before: RegExp | undefined
/** "482913 is your … code", "use 482913 as your … code". */
const saidBefore = (): RegExp =>
  (before ??= new RegExp(
    String.raw`(?<![\w.-])${digits}\s(?:is (?:your|the)|ist (?:dein|ihr)|est votre|es (?:tu|su)|as (?:your|the)|è il tuo)\s(?:[\w.'-]{1,20}\s){0,3}?(?:(?:[\w-]{1,20}[ -])?(?:code|passcode|pin|otp|code de [\wé]{1,20}|código[^\n]{0,30}|codice[^\n]{0,30})|\w{4,20}code)(?![\w])`,
    "giu"
  ))

const grouped =
  /\b(?:recovery|backup|emergency|rescue|scratch)[ _-](?:code|key)["'\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}["'\\]{0,4}([A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,8})(?![\w-])/gi

/** Of a house: what disarms it, what its doors are opened with. */
const ofHouse =
  /(?:(?<![a-z])(?:alarm|door|gate|disarm|garage|keypad)_?code\\*["']?\s?[:=]\s?|(?<=\balarm[\s\S]{0,200}\n[ \t]{0,40})code: )\\*["']?(\d{4,8})\\*["']?(?=[ \t]{0,4}(?:[\r\n,;}\\#]|$))/gi

const ofCodes = signOf("code")

/** A line that may have one. */
const sign = /code|kod|otp|c[oó]digo|codice|tan\b|pin\b|one[- ]time|код|码|碼|コード|番号|인증/g
const number = /\d{4}|\d{3}[ -]\d{3}|[A-Z\d]{4}-[A-Z\d]{4}/

export const findOneTimeCodes = (text: string, hit: Hit): void => {
  if (hasSign(text, ofCodes))
    for (const found of text.matchAll(ofHouse)) {
      const value = found[1] as string
      const start = found.index + found[0].lastIndexOf(value)
      hit(start, start + value.length, "access-code")
    }
  for (const { start, end } of linesWith(lowerCaseOf(text) ?? text, sign)) {
    const line = text.slice(start, end)
    if (number.test(line)) inLine(line, (from, to, kind) => hit(start + from, start + to, kind))
  }
}

const inLine = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(grouped)) {
    const value = found[1] as string
    const start = found.index + found[0].length - value.length
    if (/\d/.test(value)) hit(start, start + value.length, "recovery-code")
  }
  for (const one of [told(), saidBefore()])
    for (const found of text.matchAll(one)) {
      const value = found[1] as string
      if (value !== value.toUpperCase()) continue
      // A year is what a code is for, more often than the code; the others are examples.
      if (/^(?:(?:19|20)\d\d|1234(?:56(?:78)?)?|(\d)\1+)$/.test(value)) continue
      const start = found.index + (one === pattern ? found[0].length - value.length : 0)
      hit(start, start + value.length, "one-time-code")
    }
}
