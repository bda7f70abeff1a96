/** Parts of words that stand in whatever a name, a flag or a sentence announces: a law holds the two together. */
import { bitsOf, eachPlace, makeBeginnings, pairOf } from "./beginnings.ts"

/**
 * By the two characters that they begin with, in lower case: what follows these, as a pattern. Some are without the first letters of
 * their word. What may stand third and fourth is read off each pattern, so each of them should begin with plain characters.
 */
const behind: Readonly<Record<string, string>> = {
  __: String.raw`construct\(['\\]`,
  "a;": String.raw`[sp]:`,
  ab: String.raw`bitmqctl`,
  ac: String.raw`l setuser |htwoo|hine|tory\(|counts["'\\]{0,4}\s?[:=]\s?\[\s{0,20}\\*["'](?:0x)?[\da-f]{64}`,
  ad: String.raw`gangsk`,
  ae: String.raw`s\.new|s\.encrypt|s\.decrypt`,
  al: String.raw`abras (?=de |del |sem|clave|secr)(?<=palabras )|avras (?=da |de |sem|chave|secr)(?<=palavras )|les(?<=[\d!@#$%^&*+~?=][^\n]{0,30} (?:für|voor) alles)|lt(?<=[\d!@#$%^&*+~?=][^\n]{0,30} för allt)|l accounts(?<=[\d!@#$%^&*+~?=][^\n]{0,30} all accounts)|asana|t(?![a-z])|ias s|let\(|golias`,
  am: String.raw`account (?<=setsteamaccount )`,
  ar: String.raw`ola(?<=parola)|array\(\)`,
  as: String.raw`swort|se(?<=(?:de |palavra-)passe)|s|ło(?<=hasło)|lo(?<=haslo)|ked\\*["']|icauth|ic_auth |h_equals\(|ic\(|k, |ks |ked for |k for `,
  at: String.raw`a sandi`,
  au: String.raw`thentication\(\\*["']|th`,
  av: String.raw`e(?<=c[lh]i?ave)`,
  ch: String.raw`passwd`,
  "e\t": String.raw`\/`,
  "e ": String.raw`config `,
  "e\\": String.raw`\\*t\/`,
  ea: String.raw`rer|p [\\"](?<=: eap [\\"])`,
  cl: String.raw`e_|é(?= )`,
  co: String.raw`de(?=[ :="'\\][^\n]{0,100}?\d{3}|[^\n\\]{0,100}(?:\r?\n|\\[rn]){1,2}[^\n\\]{0,30}[:\]>][^\n\\]{0,40}?\d{3}|(?<=\d{3}[^\n]{1,40}code))|dice(?=[ "'][^\n]{0,100}?\d{3})`,
  di: String.raw`go(?<=c[óo]digo)(?=[^\n.]{0,80}?\s(?:es|é)\s[^\s\d]{0,3}\d{3}|[^"\n]{0,40}\\*",)`,
  ec: String.raw`overy\w{0,10}["']?\s{0,2}[:=]|ret[ _]?id(?![a-z_])|rets? (?:set|put|create|versions) |retsm|re|ures|ure-password |t\.sid`,
  ed: String.raw`entials?(?:\.\w{2,20}\(\\*["']|\((?=[^()\n]{1,80}["']))|idd?\\*["']|ent|s(?![a-z])`,
  ee: String.raw`d(?:w|ph|[^a-z])|rdp|qual\(`,
  eg: String.raw`redo`,
  eh: String.raw`eim(?:nis|es)`,
  el: String.raw`sz[oó]`,
  em: String.raw`onic`,
  tr: String.raw`opy(?=\\*["']?\s?[:=])`,
  en: String.raw`crypt_string |t\(\\*["']ac[0-9a-f]{4}|tify |sitive\\*["']|crypted\\*["']|ord(?<=[oö]senord)|ha|nwort|tified|v add |coded`,
  er: String.raw`ify\(|net\(|\.new\(|ializer\(|list\.txt`,
  ev: String.raw`erything(?<=[\d!@#$%^&*+~?=][^\n]{0,30} for everything)|ery site(?<=[\d!@#$%^&*+~?=][^\n]{0,30} for every site)`,
  to: String.raw`ut(?<=[\d!@#$%^&*+~?=][^\n]{0,30} pour tout)|do(?<=[\d!@#$%^&*+~?=][^\n]{0,30} para todo)`,
  tu: String.raw`tto(?<=[\d!@#$%^&*+~?=][^\n]{0,30} per tutto)|do(?<=[\d!@#$%^&*+~?=][^\n]{0,30} para tudo)`,
  ws: String.raw`zystk(?<=[\d!@#$%^&*+~?=][^\n]{0,30} do wszystk)`,
  fr: String.raw`ase (?=sem|de |di |del |mnem|segr|secr)|aza (?=seed|odzysk|port)`,
  wo: String.raw`orden(?<=(?:herstel|seed)woorden)|erter(?<=swoerter)`,
  wö: String.raw`rter(?<=swörter)`,
  xt: String.raw`ed (?:me|us|him|her|you|them)[ :,][^\n]{0,24}\d{3}`,
  es: String.raw`lo(?<=heslo)|sion=|sionid|sid`,
  et: String.raw` user? |connection\(`,
  ew: String.raw` mysqli\(`,
  hm: String.raw`ac`,
  "k ": String.raw`config `,
  md: String.raw`p(?=\s?[:=])`,
  ke: String.raw`y content|y`,
  ki: String.raw`nit`,
  kl: String.raw`ucz|ic_`,
  ny: String.raw`ckel`,
  kó: String.raw`d(?=[ :"][^\n]{0,100}?\d{3})`,
  ko: String.raw`deord|d(?:e[nrt]?|u|em|om)?(?=[ :'’"][^\n]{0,100}?\d{3}|[^\n\\]{0,100}(?:\r?\n|\\[rn]){1,2}[^\n\\]{0,30}[:\]>][^\n\\]{0,40}?\d{3}|(?<=\d{3}[^\n]{1,40}))|odi(?=[ :"][^\n]{0,100}?\d{3})`,
  kt: String.raw`y`,
  oa: String.raw`thtool `,
  oc: String.raw`k (?<=bw unlock )`,
  od: String.raw`e\((?<=jwt(?:\.|::|->)(?:en|de)code\()|es(?<=(?:backup|recovery|factor|scratch|2fa|mfa) codes)|e(?<=(?:alarm|door|gate|disarm|garage|keypad)_?code)(?=\\*["']?\s?[:=])|e(?=: \\*["']?\d{4,8}\\*["']?[\s\\])(?<=alarm[\s\S]{0,200}code)|e(?= (?:de |d['’])[vsca])|e(?<=(?:verification|security|confirmation|authentication|authorization|log-?in|sign-?in|access|sms|factor|step|activation|passcode|pairing|device|time|auth|2fa|mfa|recovery|backup|emergency|your|dein|ihr|votre|ton)[ _-](?:pass)?code|(?:gungs|rungs|heits|anmelde|einmal|schalt|tatie|gings|gangs|inlog|(?:ver|v)ifi[ck]a\w{2,5})-?code)(?=[^\n]{0,60}(?:\d\d|-\w{4}-|\w{4}-\w{4}\b)|(?<=(?:\d{3}|\w{4}-\w{4})[^\n]{1,60}))|e(?= (?<=(?:\b|\\[nt])code )[^\n.\d]{0,70}\b(?:is|est|ist|lautet|says|reads|kommt|es|è|é|jest|är|er)\s[^\s\d]{0,3}\d{3})|ice(?= (?:di|otp) )|(?= (?<=(?:\b|\\[nt])kod )[^\n.\d]{0,70}\s(?:to|jest|je|är|er)\s[^\s\d]{0,3}\d{3})|(?= (?:weryf|autor|dost|jedn))`,
  oe: String.raw`try c`,
  og: String.raw`in\(res|in\((?:[\w.]{1,40},\s?)?\\*["']|in | in`,
  oh: String.raw`ere\.(?:async)?client`,
  ok: String.raw`en|ie`,
  ol: String.raw`ana`,
  om: String.raw`mand(?:_?line)?(?=\\*"\s?:)|poser c|\((?<=key::from\()|pare\(|pare_digest\(|munity `,
  on: String.raw` key [ \\]{0,4}'(?<=option key [ \\]{0,4}')|nect\(\\*["'](?:[^"'\n\\]{1,80}\\*["'],|\w{2,30}\/)|cealed\\*["']|trase|nect\((?<=(?:dbi->|mysqli?_p?|pymysql\.|mysqldb\.|mariadb\.|ssh\.|sftp\.|ftp\.|client\.|conn\.)connect\()`,
  oo: String.raw`l sign`,
  op: String.raw`er (?<=\/oper )|enssl_encrypt\(|enssl_decrypt\(`,
  or: String.raw`acle:|e\(|\.new\(`,
  os: String.raw`enord|t add`,
  ot: String.raw`p(?<![a-z]otp)(?![a-z])(?=[^\n]{0,60}\d{3}|(?<=\d{3}[^\n]{1,60}))|ect\(`,
  ou: String.raw`ncer`,
  oz: String.raw`inka`,
  "p ": String.raw`={2,3} \\*["']|[a-z]\w{1,30}\/[^\s/@]{3,64}@`,
  "p(": String.raw`(?<=@(?:tc|ud)p\()`,
  "p.": String.raw`open\(`,
  p_: String.raw`bind\(`,
  li: String.raw`cen[cs](?=[^]{0,220}?[:=]\s{0,3}[\da-z]{4,8}(?:-[\da-z]{4,8}){3})|zenz(?=[^]{0,220}?[:=]\s{0,3}[\da-z]{4,8}(?:-[\da-z]{4,8}){3})`,
  mo: String.raw`ts (?=de (?:réc|la )|secr|du port)`,
  pa: String.raw`role (?=del |di |segr|chiave)|t(?![a-z])|ssword-stdin`,
  pd: String.raw`o\([\\"'$]|p [a-z]\w{1,30}\/[^\s/@]{3,64}@`,
  pe: String.raw`pper`,
  ph: String.raw`ras|eriv\(`,
  pi: String.raw`n(?![a-z])|nco?de|n-?ko?de|n-?code|schl| schl|-schl|(?<=clé (?:d['’])?api)`,
  pl: String.raw`us |e_bind`,
  pr: String.raw`ompt, |ompts|ompted|ivate-lines`,
  ps: String.raw`k`,
  pt: String.raw`setup`,
  pu: String.raw`t(?:-par| sec)|k`,
  pw: String.raw`d|(?![a-z])`,
  si: String.raw`g`,
  sc: String.raw`htasks `,
  se: String.raw`kret|rial(?: (?:number|key|no\.?))?:? (?=[A-Z\d]{5}-[A-Z\d]{5}-)`,
  sl: String.raw`mgr|eutel|ova (?=k obn|peně|seed)`,
  su: String.raw`do (?:-\w+ ){0,3}-\w{0,6}s\b`,
  ta: String.raw`n(?=[ :"][^\n]{0,110}?\d{4})(?<=(?:^|[^a-z]|\\[nrt]|sms|push|chip|photo|m|i)tan)`,
  wi: String.raw`fi|-fi`,
  wl: String.raw`an`,
  va: String.raw`ult login `
}

/** What a pattern parts at its outermost level. */
const alternativesOf = (pattern: string): readonly string[] => {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= pattern.length; at++) {
    const c = pattern.charAt(at)
    if (c === "\\") at++
    else if (c === "[" || c === "(") depth++
    else if (c === "]" || c === ")") depth--
    else if (at >= pattern.length || (c === "|" && depth === 0)) {
      parts.push(pattern.slice(start, at))
      start = at + 1
    }
  }
  return parts
}

/** A plain character, or one that a backslash makes plain, and no sign that repeats it behind. */
const plainStart = /^(?:\(\?=)?(?:\\(\W)|([^\\[(.]))(?![*?{])/

/** As bits of a number: with which characters a pattern may begin, by their last bits, where it is one and plain. */
const startsOf = (pattern: string): { bits: readonly number[]; rest: string } | undefined => {
  const found = plainStart.exec(pattern)
  const start = found?.[1] ?? found?.[2]
  return start === undefined || found === null
    ? undefined
    : {
        bits: [start, start.toUpperCase()].map((c) => bitsOf(c.charCodeAt(0))),
        rest: pattern.slice(found[0].length)
      }
}

const beginnings = makeBeginnings()
/** By the last bits of two. */
const patterns: (string | RegExp | undefined)[] = []

for (const [two, alternatives] of Object.entries(behind)) {
  const pair = pairOf(two.charCodeAt(0), two.charCodeAt(1))
  const pattern = `${two.replace(/[\\(.]/, "\\$&")}(?:${alternatives})`
  const other = patterns[pair]
  patterns[pair] = other === undefined ? pattern : `${other}|${pattern}`
  for (const alternative of alternativesOf(alternatives)) {
    const third = startsOf(alternative)
    beginnings.add(pair, third?.bits, third && startsOf(third.rest)?.bits)
  }
}

const patternOf = (text: string, at: number): RegExp | undefined => {
  const pair = pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))
  let pattern = patterns[pair]
  // On first use: a text has few of them.
  if (typeof pattern === "string") patterns[pair] = pattern = new RegExp(pattern, "iy")
  return pattern as RegExp | undefined
}

/** Of other writings: each begins with a letter that is none of English. */
const others =
  "парол|токен|секрет|ключ|всего|везде|слова (?=кош|восст|сид)|фраз|助记词|助記詞|シードフ|リカバリーフ|復元フ|ニーモ|니모닉|복구|시드|密[码碼钥鑰]|口令|秘[钥密]|令牌|パスワード|トークン|シークレ|暗証|キー|키[는은를가 :：]|пин[^а-я]|비밀번호|암호|패스워드|토큰|시크릿|ật khẩu|סיסמ|كلمة|رمز عبور|κωδικ|รหัสผ่าน|पासवर्ड|şifre|验证码|驗證碼|校验码|認証(?:コード|番号)|確認コード|인증|код(?:а|ом)?(?= [^\\n]{0,60}\\d{4})|ódigo de "
const foreign = new RegExp(others, "iy")
const foreignStarts = new Set(
  alternativesOf(others).flatMap((one) => [one, one.toUpperCase()].map((written) => written.charCodeAt(0)))
)

const matchAt = (text: string, at: number, pattern: RegExp): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].toLowerCase()
}

/** Calls `found` with each stem, in lower case, and where it begins; it says where to go on, or -1 to end the search. */
export const eachStem = (text: string, found: (stem: string, at: number) => number): void =>
  eachPlace(text, beginnings, (at, character) => {
    const pattern = character > 127 ? foreign : patternOf(text, at)
    if (character > 127 && !foreignStarts.has(character)) return 0
    const stem = pattern === undefined ? undefined : matchAt(text, at, pattern)
    return stem === undefined ? 0 : found(stem, at)
  })
