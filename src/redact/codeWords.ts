/** What numbers are called that let somebody in, in whichever language, and what other codes are called. */

/** By themselves: of a card, a payment, a login. */
const personal =
  /^(?:pin|puk|otp|totp|пин|(?:m|i|sms|push|chip|photo)?tan)(?:s|[ -]?(?:code|kode?n?|kodu|kód|nummer|код))?$/i
/** Of a house, or of what is locked in it. */
const ofHouse =
  /alarm|larm|allarm|overfall|överfall|überfall|tvång|duress|panic|disarm|unlock|door|dør|dörr|deur|tür|haustor|garage|garasje|gate\b|\bport(?:en|kod|kode)|portail|porte\b|puerta|portón|portone|porta\b|portão|entrée|entrance|eingang|entrada|ingress|interphone|digicode|immeuble|building|keypad|lockbox|locker|key ?safe|\bsafe\b|tresor|coffre|caja fuerte|cassaforte|cofre|kluis|sejf|trezor|skap|skåp|cadenas|candado|lucchetto|schließfach|hek\b|poort|bram|furt|drzwi|dveř|kapı|kasa|ajtó|ovi|домофон|двер|сейф|ворот|сигнализ|подъезд/i
/** Of a login: sent, made by a program, or asked for to go on. */
const ofLogin =
  /\bapp\b|appli|aplik|aplic|прилож|sms|смс|verif|vérif|weryf|verific|auth|autor|autent|confirm|bestät|bevest|bekræft|bekreft|potwierdz|подтв|secur|sicherheit|sécurit|seguridad|segurança|sicurezza|bezpiecz|безопасн|log-?in|sign-?in|anmelde|inlog|acces|accès|zugang|toegang|dostęp|доступ|2fa|mfa|two-(?:step|factor)|one-?time|einmal|jednoraz|engång|engang|unique|usage|onay|doğrulama|passcode|factor|freischalt|aktivier|activation|activación/i
/** What is numbered and opens nothing. */
const aside =
  /error|erreur|fehler|fout|\bfel|feil|błęd|błąd|chyb|ошибк|hata|status|exit|retour|return|sortie|afslut|http|zip|post|cap\b|plz|\bcp\b|poczt|индекс|country|land|area|ciudad|país|vorwahl|product|produ|artikel|article|artículo|item|order|bestell|kunden|customer|client\b|discount|promo|rabatt|kortings|gutschein|coupon|voucher|tracking|ticket|issue|bar|qr|source|quell|fuente|line|zeile|ligne|colou?r|event|key ?code|char|unicode|ascii|language|currency|fault|sql|op\b|opcode|bank|sort|swift|branch|tax|steuer|fiscal|fiscale|naics|icd|iso|version|length|límite|limit|change|review|coverage/i

/** How strong a word is for what stands around it: a number of any length, one of four digits and more, or six alone. */
export type Strength = "personal" | "locks" | "plain"

export const strengthOf = (word: string, around: string): Strength | undefined => {
  if (personal.test(word)) return "personal"
  const said = `${word} ${around}`
  if (ofHouse.test(said)) return aside.test(word) ? undefined : "locks"
  if (aside.test(said)) return undefined
  return ofLogin.test(said) ? "locks" : "plain"
}

const codeWord = /(?:code[ns]?|kode?n?|kodu|kód|codice|c[óo]digo|koodi|код)(?![\p{Ll}])/iu
const personalWord = /(?<![\p{L}])(?:PIN|PUK|OTP|TOTP|\w{0,5}TAN|pin|otp|puk)(?![\p{L}])/u

/** Whether a field of that label takes such a number. */
export const takesCode = (label: string): boolean =>
  label.length < 60 &&
  (personalWord.test(label) ||
    (codeWord.test(label) && !aside.test(label) && (ofLogin.test(label) || ofHouse.test(label))))
