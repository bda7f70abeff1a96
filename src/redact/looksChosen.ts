/** What people choose for a password, told from the words and names that stand in the same places of sentences. */

/** Paths, addresses, versions, dates, calls, flags, variables and files. */
const other =
  /^[$<{‹[*%@#&|]|^-|^[A-Za-z]+:\/\/|^[~.]{0,2}\/|^[A-Za-z]:\\|^[\w.-]+\(|^v?\d+(?:\.\d+)+\w?$|^\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:T[\d:.]+Z?)?$|^[^\s@]+@[\w-]+(?:\.[\w-]+)+$|^[A-Z\d]+(?:_[A-Z\d]+)+$|\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|json|ya?ml|toml|ini|cfg|conf|md|txt|csv|log|env|pem|key|crt|p12|pfx|sql|html?|css|xml|png|jpe?g|svg|pdf|zip|tar|gz|com|org|net|io|dev|de|fr|it|es)$|^[\w-]+(?:\/[\w.-]+)+$/i
/** Names of standards, algorithms, programs and their releases. */
const term =
  /^(?:oauth|openid|utf|iso|rfc|sha|md|aes|rsa|hs|rs|es|ps|ecdsa|ed|x|p|tls|ssl|http|ipv|base|argon|pbkdf|bcrypt|scrypt|hmac|chacha|blake|ripemd|crc|uuid|jwt|ntlm|node|python|java|php|ruby|go|rust|ubuntu|debian|fedora|rhel|centos|alpine|windows|win|macos|ios|android|postgres(?:ql)?|mysql|mariadb|redis|mongo|es|ecmascript|vue|react|angular|spring|issue|pr|bug|ticket|sprint|version|release|step|chapter|section|figure|table|line|page|part|phase|level|type|option|column|row|test|case|rule|port|error|code|http)[-_.]?v?\d[\w.-]{0,12}$|^[A-Z]{2,10}-\d{1,6}$|^[A-Za-z]+\d?id$|-(?:sha|gcm|cbc|ctr)\d*$/i
/** What names a secret, and is none: `PasswordHash2`. */
const named = /pass(?:word|wd|phrase)|passwort|kennwort|secret|token|credential|\bkey|key\d*$|hash|auth/i
const placeholder =
  /x{4}|\*{2}|\.{3}|…|example|changeme|placeholder|your[-_]|redacted|dummy|^(.)\1+$|^(?:abc|foo|bar|test)\d{0,3}$/i
/** Joined by a sign that no word has: `camion&Remorque12`. */
const signed = /[\p{L}\d][!@#$%^&*+~?§][\p{L}\d]/u
const signedEnd = /^(?=.*\d)(?=.*\p{L}).*[!@#$%^&*+~?§]$/u
/** Two of them joined by one sign are a sum, options or a pair of names, but for what stands in no code. */
const pairOfWords = /^[\p{Ll}\d_]+[+?*~&][\p{Ll}\d_]+$|^\p{L}[\w]*[#@]\p{Ll}\w*$/u
const joined = /^[\p{L}\d]+(?:[-_.][\p{L}\d]+){1,7}$/u

export const trailing = /[.,;:!?)*_»”"'`]+$/

/** Whether a word was chosen for a password: no word of a sentence, and no name of anything else. */
export const looksChosen = (value: string): boolean => {
  if (value.length < 6 || value.length > 64 || !/\p{L}/u.test(value)) return false
  if (other.test(value) || term.test(value) || placeholder.test(value) || named.test(value)) return false
  const hasDigit = /\d/.test(value)
  const hasCapital = /\p{Lu}/u.test(value)
  const hasSmall = /\p{Ll}/u.test(value)
  if (signedEnd.test(value)) return true
  if (signed.test(value)) return hasDigit || hasCapital || !pairOfWords.test(value)
  // `Deich-Schaf-Wind-5`, `sakura-Fubuki99`: a capital and a number among joined words.
  if (hasDigit && hasCapital && hasSmall && value.length >= 8) return joined.test(value) || isMixed(value)
  return false
}

/** Digits twice, or between letters: `Midsommar19`, no `Argon2`. */
const isMixed = (value: string): boolean => /^[\p{L}\d]+$/u.test(value) && /\d\d|\d\p{L}+\d/u.test(value)

/** The same of small letters alone, where nothing but a password can stand: `kanelbulle44`, `blue-horse-77`. */
export const looksChosenAlone = (value: string): boolean =>
  looksChosen(value) ||
  (value.length >= 8 &&
    /^\p{Ll}{3,}(?:[-_.]\p{Ll}{3,}){0,4}[-_.]?\d{2,5}$/u.test(value) &&
    !other.test(value) &&
    !term.test(value) &&
    !placeholder.test(value) &&
    !named.test(value)) ||
  (/^\p{L}{3,}[&]\p{L}{3,}$/u.test(value) && !named.test(value))
