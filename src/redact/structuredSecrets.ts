/** Secrets whose name and value are parted by a format's own structure: markup, name/value pairs, cookies, credential files. */
import { linesWith } from "./linesWith.ts"
import { standsInRow } from "./rowOfPairs.ts"
import { looksRandom, looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { hasSign, signOf } from "./signs.ts"

const kindOf = (name: string): string => {
  const kind = secretName(name)
  return kind === undefined || kind === "random-key" ? "key" : kind
}

const offer = (start: number, value: string, name: string, hit: Hit): void => {
  const kind = secretName(name)
  if (kind === undefined || value === "" || !looksSecret(kind, name, value, "quoted", undefined)) return
  hit(start, start + value.length, tokenKind(value) ?? kindOf(name))
}

/** `<password>…</password>`, also with attributes and CDATA. */
const element =
  /<(?:[\w-]{1,20}:)?([A-Za-z][\w.-]{2,60})(?:\s[^<>\n]{0,200})?>\s{0,8}(?:<!\[CDATA\[)?([^<>\n]{1,2048}?)(?:\]\]>)?\s{0,8}<\//g

/** `<string name="api_key">…</string>`, `<entry key="db.password">…</entry>`. */
const attributed =
  /<[\w:.-]{1,40}\s(?:[^<>\n]{0,100}\s)?(?:name|key)=["']([A-Za-z_][\w.-]{2,80})["'][^<>\n/]{0,100}>\s{0,8}(?:<!\[CDATA\[)?([^<>\n]{1,2048}?)(?:\]\]>)?\s{0,8}<\//g
/** What a text in a user's language is made of: labels of a password's field have its name. */
const label = /^(?:[\p{L}\p{M}.,:!?…'’()-]{0,24}(?:\s|$))*$/u

/** `password: |` with the value on the next line. */
const block =
  /(?:^|\n|\\n)[ \t-]{0,40}["']?([A-Za-z_][\w.-]{2,60})["']?[ \t]?:[ \t]?[|>][-+]?\d?[ \t]{0,4}(?:\r?\n|\\n)[ \t]{1,40}([^\s"'\\]{4,1024})(?=$|\s|\\[nr])/g
/** `FERNET_KEY = b'…'`: a letter before the quote says of what type the literal is. */
const typed =
  /([A-Za-z_][\w.-]{2,60})["'\]]{0,3}[ \t]?(?::|:?=|=>)[ \t]?(?:[bBrRuU]{1,2}|L|@)(["'])([^"'\n\\]{4,1024})\2/g

/** A name under `name`, `key` … and its value beside it: in JSON, YAML, XML, properties lists; the value may stand on the next line. */
const named =
  /(?:\b(?:name|key|Name|Key|k|id|field|variable|env|parameter|property|parameter_key|ParameterKey|secretName|option|header|title|label)["'\\]{0,4}\s{0,4}[:=]\s{0,4}|<key>|<name>)(["'\\]{0,4})([A-Za-z_][\w.:/ -]{2,80}?)(?:["'\\]{1,4}|(?=[\s,<]))[\s,;\\n]{0,8}(?:(?:\\n|[\s,-]){0,40}["'\\]{0,4}(?:type|sensitive|secure|scope|enabled|isSecret|description|secret|environment|protected|masked)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}[\w .-]{0,60}["'\\]{0,4}[\s,;]{0,8}){0,4}(?:\\n|[\s,-]){0,40}(?:["'\\]{0,4}\b(?:value|Value|val|v|content|default|plaintext|ParameterValue|parameter_value|stringValue|string_value|data|defaultValue)["'\\]{0,4}\s{0,4}[:=]\s{0,4}|<\/(?:key|name)>(?:\\n|\s){0,40}<(?:string|value|data)>)(\\*["'])?([^"'<>\n\\,}]{1,2048})/g
/** The other way round. */
const valued =
  /\b(?:value|Value|val|content)["']?\s{0,4}[:=]\s{0,4}["']([^"'<>\n\\]{1,2048})["'](?:[\s,;]{0,8}|\s{1,4}(?:where|WHERE)\s{1,4})["']?\b(?:name|key|Name|Key)["']?\s{0,4}[:=]\s{0,4}["']([A-Za-z_][\w.:/-]{2,80})["']/g

const cookieHeader =
  /(?:\b(?:Set-)?Cookie2?\\*["']?(?:,\s{0,8}\\*["']value\\*["'])?\s{0,3}[:=,]\s{0,3}\\*["'`]?|\s(?:-b|--cookie)[ =]{1,3}\\*["']?|document\.cookie\s?=\s?["'`])((?:[^\r\n"'`\\]|%22){4,8192})/gi
const cookiePair = /([^=;,\s]{1,128})=([^;\s]{6,4096})/g
const cookieAttribute =
  /^(?:path|domain|expires|max-age|samesite|version|priority|theme|lang|locale|consent|timezone|tz|currency|country|_ga\w*|_gid)$/i

/** `machine host login user password …` */
const netrc =
  /\b(?:machine\s{1,8}\S{1,200}|default)(?:\\n|\s){1,8}(?:login(?:\s){1,8}\S{1,200}(?:\\n|\s){1,8})?(?:account\s{1,8}\S{1,100}(?:\\n|\s){1,8})?pass(?:word|wd)\s{1,8}\\*["']?([^\s"'\\]{1,512})/g
const portAmongColons = /:(?:\d{2,5}|\*):/
/** `host:port:database:user:password`, a line of its own. */
const pgpass =
  /(?:^|\n|\\n|\t|["'→])[ \t]{0,16}(?:[\w.-]{1,120}|\*):(?:\d{2,5}|\*):[\w*-]{1,64}:[\w.@*-]{1,64}:((?:\\\\?[:\\]|[^\s:"'\\]){3,256})(?=$|\s|\\[nr]|["'])/g
/** What each of the names in `spaced` ends with, and the blank behind it. */
const spacedName =
  /(?:requirepass|masterauth|bindpw|rootpw|passw(?:or)?d|secret[a-z_]{0,40}(?: \d)?|api_key|token|auth[-_]pass|identified by|community|pre-shared-key|wpa-psk)[ \t]/gi
/** Settings whose name and value a blank alone parts. */
const spaced =
  /(?:^|[\n;{]|\\n|[|→]|\bset |\bconfig set |\bwith )[ \t]{0,16}(requirepass|masterauth|bindpw|rootpw|userpassword|(?:[a-z]{1,40}_)?password|passwd|[a-z_]{0,40}secret[a-z_]{0,40}|[a-z_]{0,40}api_key|[a-z_]{0,40}token|auth-pass|auth_pass|identified by|snmp-server community|pre-shared-key|wpa-psk|enable secret(?: \d)?|username \S{1,40} (?:password|secret)(?: \d)?)[ \t]{1,20}\\*["']?([^\s"'\\;{}()]{4,256})(?=\\*["']?;?(?:\s{0,4}(?:$|[\n#;])|\\n))/gim
/** Parts of `Authorization` that sign. */
const signedParts =
  /\b(?:AWS4-HMAC-SHA256|Digest|OAuth|Hawk|SharedKey(?:Lite)?|HMAC\w*|Signature)\b[^\n]{0,600}/g
const signedPart =
  /\b(Signature|response|oauth_signature|oauth_token|mac|cnonce|Credential|signature)=(\\*"?)([\w%+/=-]{16,512})/g
const sharedKey = /\bSharedKey(?:Lite)? [\w-]{1,64}:([\w+/=]{20,100})/g
/** `AccountKey=…`, `SharedAccessKey=…`, `Pwd=…;`: connection strings. */
const connection =
  /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd|AccessKey|Secret)\s?=\s?([^;"'\s\\]{4,512})(?=;|["'\\\s]|$)/gi
/** With braces it may hold what parts the pairs. */
const braced = /\b(?:PWD|Password)\s?=\s?\{([^{}\n]{4,200})\}/gi
/** A state file's attributes of a generated secret; one has a name that nothing else has. */
const kinds =
  "random_password|random_string|tls_private_key|aws_iam_access_key|aws_secretsmanager_secret_version|aws_db_instance|google_service_account_key|azuread_application_password|kubernetes_secret|vault_generic_secret"
const telling = "bcrypt_hash"
const members =
  "result|secret_string|private_key|private_key_pem|private_key_openssh|bcrypt_hash|value|secret|master_password|ses_smtp_password_v4"
const generated = new RegExp(`["'](?:${kinds})["']`)
const attribute = new RegExp(
  `(?:"(?:${members})"\\s{0,4}:|(?<![\\w"])(?:result|secret_string|private_key(?:_pem)?|bcrypt_hash)\\s{0,16}=)\\s{0,4}"((?:[^"\\\\\\n]|\\\\.){6,4096})"`,
  "g"
)
const kindOnly = new RegExp(`^(?:${kinds})$`)
const memberNames = new Set(members.split("|"))

/** Whether a member of an object says that the object, with all that is in it, describes a generated secret. */
export const tellsGenerated = (key: string, value: unknown): boolean =>
  (key === "type" && typeof value === "string" && kindOnly.test(value)) || key === telling

/** Whether what stands under this name, in such an object, is the secret. */
export const isGenerated = (key: string, value: string): boolean => value.length > 5 && memberNames.has(key)
/** Bodies of Kubernetes' secrets. */
const kubeSecret = /\bkind["']?\s{0,3}:\s{0,3}["']?Secret\b/
const kubeData = /(?:^|\n)(\s{1,12})([\w.-]{1,80}):\s{1,4}["']?([A-Za-z0-9+/]{8,4096}={0,2})["']?(?=\s|$)/g
const passwordHash =
  /\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|[156y]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{2,32}\$[./A-Za-z0-9]{22,128}|argon2(?:id|i|d)\$[\w=,$+/]{30,200}|apr1\$[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{22})/g

const each = (text: string, pattern: RegExp, found: (match: RegExpExecArray) => void): void => {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found(match)
    if (match[0] === "") pattern.lastIndex++
  }
}

/** Where the last group of a match begins. */
const lastOf = (match: RegExpExecArray, value: string): number => match.index + match[0].lastIndexOf(value)

const cookiesIn = (from: number, value: string, hit: Hit): void => {
  each(value, cookiePair, (pair) => {
    const [, name = "", content = ""] = pair
    if (
      cookieAttribute.test(name) ||
      /^(?:[a-z]+(?:[-_][A-Za-z]+)?|true|false|[$<{‹].*|\d{1,7})$/.test(content)
    )
      return
    const start = from + pair.index + name.length + 1
    const sure = /sess|sid$|auth|token|csrf|jwt|remember|login|key|secret|ticket/i.test(name)
    if (sure || looksRandom(content) || (/\d/.test(content) && /[a-z]/i.test(content) && content.length >= 8))
      hit(start, start + content.length, tokenKind(content) ?? "cookie")
  })
}

const ofCookies = signOf("cookie", " -b ", " -b=", "\t-b ", "\t-b=")
const ofHosts = signOf(
  ..."machine ,machine\t,machine\n,default ,default\t,default\n,default\r,default\\n".split(",")
)
const ofSignatures = signOf("aws4-hmac", "digest", "oauth", "hawk", "sharedkey", "hmac", "signature")
const ofBraces = signOf("pwd={", "pwd = {", "pwd ={", "pwd= {")
const ofConnections = signOf(
  ..."accountkey,sharedaccess,;pwd,; pwd,;password,; password,;secret,; secret,;accesskey,; accesskey".split(
    ","
  ),
  ..."server=,host=,data source=,endpoint=".split(",")
)
const ofStates = signOf(...kinds.split("|"), telling)
const ofKinds = signOf("kind:", 'kind"', "kind'", "kind ")
const ofAttributes = signOf("name=", "key=")

export const findStructured = (text: string, hit: Hit): void => {
  if (text.includes("</"))
    each(text, element, (match) => {
      const [, name = "", value = ""] = match
      offer(match.index + match[0].indexOf(value, match[0].indexOf(">")), value, name, hit)
    })
  if (text.includes("<") && hasSign(text, ofAttributes))
    each(text, attributed, (match) => {
      const [whole, name = "", value = ""] = match
      if (!label.test(value)) offer(match.index + whole.lastIndexOf(value), value, name, hit)
    })
  if (/:[ \t]?[|>]/.test(text))
    each(text, block, (match) => {
      const [whole, name = "", value = ""] = match
      if (!label.test(value)) offer(match.index + whole.length - value.length, value, name, hit)
    })
  if (/[=:>][ \t]?(?:[bBrRuU]{1,2}|L|@)["']/.test(text))
    each(text, typed, (match) => {
      const [whole, name = "", , value = ""] = match
      offer(match.index + whole.length - value.length - 1, value, name, hit)
    })
  if (/value|content|default|Value|<string>|\bval\b|\bdata\b|"v"|plaintext/.test(text)) {
    each(text, named, (match) => {
      const [whole, , name = "", , value = ""] = match
      offer(
        match.index + whole.length - value.length,
        value.trimEnd(),
        name.split(/[/:]/).at(-1) ?? name,
        hit
      )
      named.lastIndex = match.index + Math.max(1, whole.length - value.length)
    })
    each(text, valued, (match) => {
      const [, value = "", name = ""] = match
      offer(match.index + match[0].indexOf(value, 4), value, name, hit)
    })
  }
  if (hasSign(text, ofCookies))
    each(text, cookieHeader, (match) => {
      const value = match[1] as string
      cookiesIn(match.index + match[0].length - value.length, value, hit)
    })
  if (hasSign(text, ofHosts) && /login|pass/.test(text))
    each(text, netrc, (match) => {
      const value = match[1] as string
      if (!/^[$<{‹[]/.test(value))
        hit(lastOf(match, value), lastOf(match, value) + value.length, tokenKind(value) ?? "password")
    })
  if (portAmongColons.test(text))
    each(text, pgpass, (match) => {
      const value = match[1] as string
      if (/^(?:\d+|\*|[$<{‹].*)$/.test(value)) return
      hit(lastOf(match, value), lastOf(match, value) + value.length, "password")
    })
  for (const { start, end } of linesWith(text, spacedName))
    each(text.slice(start, end), spaced, (match) => {
      const [, name = "", value = ""] = match
      if (
        /^[$<{‹[=:]|^(?:is|was|for|must|the|and|or|to|of|in|on|not|has|with|from|string|required|str|none|null|true|false)$/i.test(
          value
        )
      )
        return
      if (
        !/\d|[!@#$%^&*+~]/.test(value) &&
        !/requirepass|masterauth|bindpw|rootpw|auth|identified|psk|key$/i.test(name)
      )
        return
      const at = start + lastOf(match, value)
      hit(at, at + value.length, tokenKind(value) ?? "password")
    })
  if (hasSign(text, ofSignatures)) {
    each(text, signedParts, (match) =>
      each(match[0], signedPart, (part) => {
        const value = part[3] as string
        const start = match.index + part.index + part[0].length - value.length
        if (/\d/.test(value)) hit(start, start + value.length, "signature")
      })
    )
    each(text, sharedKey, (match) => {
      const value = match[1] as string
      hit(lastOf(match, value), lastOf(match, value) + value.length, "signature")
    })
  }
  if (hasSign(text, ofBraces))
    each(text, braced, (match) => {
      if (!standsInRow(text, match.index)) return
      const value = match[1] as string
      hit(match.index + match[0].length - value.length - 1, match.index + match[0].length - 1, "password")
    })
  if (hasSign(text, ofConnections))
    each(text, connection, (match) => {
      const value = match[1] as string
      if (
        /;/.test(text.slice(Math.max(0, match.index - 80), match.index + match[0].length + 1)) &&
        !/^[$<{‹[%*]/.test(value) &&
        (!/^PWD\s?=\s?\//.test(match[0]) || standsInRow(text, match.index))
      )
        hit(
          lastOf(match, value),
          lastOf(match, value) + value.length,
          tokenKind(value) ?? (/key/i.test(match[0]) ? "api-key" : "password")
        )
    })
  if (hasSign(text, ofStates) && (generated.test(text) || text.includes(`"${telling}"`)))
    each(text, attribute, (match) => {
      const value = match[1] as string
      hit(match.index + match[0].length - value.length - 1, match.index + match[0].length - 1, "secret")
    })
  if (hasSign(text, ofKinds) && kubeSecret.test(text))
    each(text, kubeData, (match) => {
      const [whole, , name = "", value = ""] = match
      if (/^(?:kind|name|namespace|type|apiVersion|uid|resourceVersion|app|creationTimestamp)$/.test(name))
        return
      if (/^(?:ca\.crt|tls\.crt)$/.test(name) || /^[a-z-]+$/.test(value)) return
      hit(
        match.index + whole.lastIndexOf(value),
        match.index + whole.lastIndexOf(value) + value.length,
        "secret"
      )
      kubeData.lastIndex = match.index + whole.length
    })
  if (text.includes("$"))
    each(text, passwordHash, (match) => {
      hit(match.index, match.index + match[0].length, "password-hash")
    })
}
