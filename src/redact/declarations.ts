/** Values that more than one sign parts from their name: a type, a default, a label's markup, an object around them. */
import { areRandomBytes, byteList, listsBytes } from "./byteLists.ts"
import { codeForms } from "./codeForms.ts"
import { type Form, literal, quote } from "./forms.ts"
import { lowerCaseOf } from "./lowerCase.ts"
import { isMessageOf } from "./messages.ts"
import { aboutPassphrases } from "./moreNames.ts"
import { isNameChar } from "./nameBefore.ts"
import { isNoWord } from "./noWord.ts"
import { isMessage, isParsers } from "./redactJson.ts"
import { looksRandom, looksSecret, nameStems, type SecretName, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

const type = String.raw`[&*?]{0,2}(?:'\w{1,20} )?[A-Za-z_][\w.<>[\]|&?:, *']{0,60}?`
const gap = String.raw`\s{0,4}`
/** What such a member holds: a string, or words without a sign in them, so that it ends in one place alone. */
const other = String.raw`(?:\\*"[^"\n\\]{0,120}\\*"|\\*'[^'\n\\]{0,120}\\*'|[^\s,;{}"'\\]{1,80}(?:[ \t][^\s,;{}"'\\:=]{1,40}){0,8})`
/** Members that stand before the one that holds the value. */
const others = String.raw`(?:${quote}(?:type|sensitive|secure|secret|description|nullable|required|label|name|id)${quote}${gap}[:=]${gap}${other}[\s,;]{1,20}){0,4}`
/** Of a schema, what it begins with where nothing is given: a word alone is none. */
const initial = String.raw`default(?:Value)?(?=${quote}\s{0,4}(?:=|:\s{0,4}\\*["'][^"'\n\\]{0,60}[\d!@#$%^&*]))`
const held = `${quote}(?:value|val|${initial}|plaintext|plainText|stringValue|string_value|secureString|data|text|content|literal|_value)${quote}${gap}[:=]${gap}`
const element = String.raw`(?:<(?:td|dd|code|span|div|b|p|strong|pre|kbd|samp)[^<>\n]{0,100}>\s{0,20}){0,3}`

/** What a form is checked for: `required|min:8|regex:/^a|b$/`, where the pattern may hold what parts the rules. */
export const isRules = (value: string): boolean => {
  const rules = value.replace(/(?<=^|\|)(?:not_)?regex:.*/, "regex").split("|")
  return (
    (rules.length > 1 || rules[0] === "regex") && rules.every((rule) => /^[a-z][a-z_]*(?::.*)?$/.test(rule))
  )
}

/** Names of methods that store what they are given. */
const setter =
  /(?:^|[.>_:])(?:set|with|use|add|put|enter|update|configure)(?:[A-Z_]|$|pass)|(?:^|[.>:])(?:Set|With|Use|Add)[A-Z]/

/** Neither made nor chosen for a password: a word, or a message. */
const isPlain = (value: string): boolean =>
  !/\d|[!@#$%^&*]/.test(value) || (/\s/.test(value) && isMessageOf(value))

const words = String.raw`[^\s"'\x60#:=(){}<>[\]|,;‹›\\][^\s"'\x60(){}<>[\]|\\]{0,40}(?: (?:&|[^\s"'\x60=(){}<>[\]|\\]{1,40})){1,7}`
/** Several words that are one password: none of them is of a message, and they do not all look like a sentence's. */
const isPhrase = (value: string): boolean =>
  !isMessageOf(value) && (/\d|&|\p{Lu}/u.test(value) || value.split(" ").length >= 4)

const directives =
  /(?:#\s{0,4}define|\bsetx|\bsetenv|\bset -\w{1,3}|\b(?:user-)?secrets? set|\b(?:config|variables?|vars|env) (?:set|add)|\bconfig(?: --?\w{1,10}){0,2}|\bset-env|(?:^|\n)[ \t]*(?:ENV|ARG)|\((?:setq|def|defvar|defconst|defparameter|define))[ \t]+(?:--?\w+[ \t]+){0,2}["']?[\w.:/-]{0,60}$/i

/** How many there are: in C behind the name, in Rust behind the type. */
const sized = String.raw`(?:\[\w{0,30}\]|\s?:\s?(?:&(?:'\w{1,20} )?)?\[u8(?:;\s?\w{1,30})?\]|\s?:\s?${type})?`

const bytes: Form = {
  // `"secretKey": [174, 47, …]`, `privateKey := []byte{0xae, …}`, `secret_key = Uint8Array.from([…])`, `uint8_t aes_key[16] = {0xae, …}`.
  kinds: /^(?:password|secret|api-key)$/,
  after: String.raw`${quote}${sized}\s?(?::=|=>|[:=])\s?&?(?:new )?(?:(?:[A-Za-z_][\w.]{0,30}!?|\[\d{0,4}\]\w{1,10})[({[]\s{0,4})?[[{(]?\s{0,40}(${byteList})`,
  not: (value) => !areRandomBytes(value),
  made: true,
  style: "quoted"
}
/** Of a name that says no more than this only bytes are a secret. */
const isBareKey = (name: string): boolean => name === "key" || name === "KEY"

const forms: readonly Form[] = [
  // `apiKey: string = "…"`, `API_KEY: &'static str = "…"`, `token: Optional[str] = "…"`.
  { after: String.raw`[?!]?\s?:\s?${type}\s?=\s?${literal}`, style: "quoted" },
  // `var apiKey string = "…"`, `param adminPassword string = '…'`.
  {
    after: String.raw`[ \t]+\*?(?:string|String|str|text|\[\](?:byte|string)|secureString)\??[ \t]*=[ \t]*${literal}`,
    style: "quoted"
  },
  // `password = new String("…")`, `password = Some("…")`.
  {
    after: String.raw`\s?=\s?(?:new [A-Za-z]\w{1,30}|(?:\w{1,20}::)?(?:Q?String|Some|Ok|from|new|Secret\w{0,20}|Secure\w{0,20}|strdup|to_string))\(\s{0,40}\\*["'\x60]([^"'\x60\n\\]{4,1024})(?=\\*["'\x60])`,
    style: "quoted"
  },
  // `$password = q{…}`.
  { after: String.raw`\s?=\s?q{1,2}[{(]([^\s{}()]{4,256})(?=[})])`, style: "quoted" },
  // `char password[64] = "…"`.
  { after: String.raw`\[\w{0,20}\]\s?=\s?${literal}`, style: "quoted" },
  // `std::string apiToken{"…"}`.
  {
    before: /\b(?:w?string(?:_view)?|char ?\*|auto|QString|String|str)[ \t]+$/,
    after: String.raw`\s?[({]\s?${literal}`,
    style: "quoted"
  },
  // `string ApiKey { get; set; } = "…"`.
  { after: String.raw`\s{0,8}\{\s{0,8}get;[^{}\n]{0,40}\}\s?=\s?${literal}`, style: "quoted" },
  // `config.API_KEY ?? "…"`, `ENV['API_KEY'] || "…"`, `@password ||= "…"`.
  {
    after: String.raw`["'\])]{0,3}\s?(?:\|\|=?|\?\?=?|\bor\b|\?:)\s?${literal}`,
    not: (value) => /\s/.test(value),
    style: "quoted"
  },
  // `:password => "…"`, `password <- "…"`.
  { after: String.raw`${quote}\]?\s?<-\s?${literal}`, style: "quoted" },
  // A bare name before an arrow is what a function takes; a row of rules tells what to check.
  { after: String.raw`["'\\]{1,4}\]?\s?=>\s?${literal}`, not: isRules, style: "quoted" },
  { before: /[:$]$/, after: String.raw`\s?=>\s?${literal}`, not: isRules, style: "quoted" },
  // `"password": {"value": "…"}`, `variable "db_password" { default = "…" }`, `"passwords": ["…"]`.
  {
    after: String.raw`${quote}\s{0,4}(?:[:=]\s{0,4})?\{\s{0,40}${others}${held}${literal}`,
    not: (value, name) => isParsers(name) && !looksRandom(value),
    style: "quoted"
  },
  {
    // What is called secrets or tokens may be a list of their names.
    kinds: /^(?:secret|random-key)$/,
    after: String.raw`${quote}\s{0,4}[:=]\s{0,4}\[\s{0,40}${literal}`,
    not: (value) => !looksRandom(value),
    list: true,
    style: "quoted"
  },
  {
    kinds: /^(?:password|api-key)$/,
    list: true,
    after: String.raw`${quote}\s{0,4}[:=]\s{0,4}\[\s{0,40}${literal}`,
    not: isMessage,
    style: "quoted"
  },
  bytes,
  // `setPassword("…")`, `.withApiKey("…")`, `.password("…")`.
  {
    next: "(",
    after: String.raw`\(\s{0,8}${literal}["'\x60\\]{0,4}\s{0,4}(?=[).,])`,
    not: (value, name) => !setter.test(name) || (/\s/.test(value) && isMessageOf(value)),
    style: "quoted"
  },
  {
    next: "(",
    after: String.raw`\(\s{0,8}${literal}["'\x60\\]{0,4}\s{0,4}(?=[).,])`,
    not: (value, name) => !name.includes(".") || isPlain(value),
    style: "quoted"
  },
  {
    before: /(?:\.|->|::)$/,
    next: "(",
    after: String.raw`\(\s{0,8}${literal}["'\x60\\]{0,4}\s{0,4}(?=[).,])`,
    not: isPlain,
    style: "quoted"
  },
  // `getByLabel("Password").fill("…")`, `find_element(By.ID, "password").send_keys("…")`, `$('#password').val('…')`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    next: `"'/\\])`,
    after: String.raw`[^\n(),;]{0,40}(?:,[^\n();]{0,60})?\){1,3}(?:\.\w{1,20}\(\)){0,2}(?:\.(?:fill|type|pressSequentially|send_?[kK]eys|set_?[vV]alue|typeText|type_keys|input|inputValue|enterText|replaceText|set|val|write|sendText|fill_in)\(|\.value\s?=)\s{0,4}(?:value=)?${literal}`,
    not: (value) => /\s/.test(value) && isMessageOf(value),
    style: "quoted"
  },
  // `fill('#password', "…")`, `type(getByLabelText(/password/i), '…')`, `fill_in "Password", with: "…"`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    before:
      /\b(?:fill|type|typeText|set_?[vV]alue|input|enter|fill_in|send_?[kK]eys|change|paste|fireEvent\.\w{1,10}|userEvent\.\w{1,10}|element_send_keys|page\.\w{1,10})[( ][^\n;{}<>]{0,80}$/,
    next: `"'/\\]),`,
    after: String.raw`[^\n,;{}()<>]{0,30}\){0,2},\s{0,4}(?:with:\s|\{\s{0,4}target:\s{0,4}\{\s{0,4}value:\s{0,4})?${literal}`,
    not: (value) => /\s/.test(value) && isMessageOf(value),
    style: "quoted"
  },
  // On the next line, alone: in YAML the value of that name.
  {
    kinds: /^(?:password|secret)$/,
    next: `"' \t:`,
    after: String.raw`["']?[ \t]{0,4}:[ \t]{0,4}\r?\n[ \t]{1,40}["']?([^\s"'\x60#&*!|>{[(<:=-][^\s"'\x60:=(){}]{3,200})["']?[ \t]{0,4}(?=\r|\n|$)`,
    not: (value) => /^[a-z]+[,;]?$|[,;]$/.test(value),
    style: "quoted"
  },
  {
    next: `"' \t\r\n:=`,
    after: String.raw`["']?\s{0,4}[:=][ \t]{0,4}\r?\n[ \t]{0,40}${literal}`,
    style: "quoted"
  },
  // three quotes.
  {
    next: " \t:=",
    after: String.raw`\s{0,4}[:=]\s{0,4}[rb]?(?:"""|''')\s{0,8}([^\s"'\\]{4,1024})(?=\s{0,8}["'])`,
    style: "quoted"
  },
  // `passphrase: three words here`, to the end of the line or of the member.
  {
    kinds: /^(?:password|secret)$/,
    before: /(?:^|\n|, |[{;] ?)[ \t]{0,40}(?:[-*+] )?["']?$/,
    next: `"' \t:=`,
    after: String.raw`["']?(?:[ \t]{0,20}[:=][ \t]{1,20}|[ \t]{3,40}|[ \t]{0,8}[:=][ \t]{0,4}[|>][-+]?\d?[ \t]{0,4}\r?\n[ \t]{1,40})(${words})[ \t]{0,4}(?=\r|\n|$|,)`,
    not: (value) => !isPhrase(value),
    style: "quoted"
  },
  // `passphrase: >-` with the lines of a block below it, whatever words they are.
  {
    kinds: /^password$/,
    before: /(?:^|\n)[ \t]{0,40}(?:- )?["']?$/,
    next: `"':`,
    after: String.raw`["']?:[ \t]{1,4}[|>][-+]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}([^\s{$<‹][^\n]{3,100}(?:\r?\n[ \t]{2,40}(?!- |[\w.-]{1,60}:)[^\s{$<‹][^\n]{2,100}){0,3})`,
    not: (value) =>
      !/\s/.test(value) || /[{}$<>‹]|[.:,;]$|^-----/m.test(value) || aboutPassphrases.test(value),
    style: "quoted"
  },
  // `- --password` with the value as the next of a list, `password | …` of a record shown line by line.
  {
    before: /(?:^|\n)[ \t]{0,40}- ["']?--?$/,
    next: `"' \t\r\n`,
    after: String.raw`["']?[ \t]{0,4}\r?\n[ \t]{0,40}- ["']?([^\s"'\\-][^\s"'\\]{3,256})["']?[ \t]{0,4}(?=\r|\n|$)`,
    style: "quoted"
  },
  {
    before: /(?:^|\n)[ \t]{0,8}$/,
    next: " \t",
    after: String.raw`[ \t]{1,40}\|[ \t]{1,4}([^\s|]{4,256})[ \t]{0,40}(?=\r|\n|$)`,
    style: "loose"
  },
  // What columns of names and values have: `shop:dbPassword    …`, `| API Secret | … |`.
  {
    before: /(?:^|\n)[ \t]{0,8}(?:[\w-]{1,40}:)?$/,
    next: " \t",
    after: String.raw`[ \t]{2,80}([^\s|]{8,512})[ \t]{0,80}(?=\r|\n|$)`,
    not: (value) => !isNoWord(value) && !looksRandom(value),
    style: "loose"
  },
  {
    before: /(?:^|\n)[ \t]{0,8}[|│][ \t]{1,8}(?:[\w-]{1,20} ){0,2}$/,
    next: " \t",
    after: String.raw`[ \t]{1,80}[|│][ \t]{1,8}([^\s|]{8,512})[ \t]{0,120}[|│]`,
    not: (value) => !isNoWord(value) && !looksRandom(value),
    style: "loose"
  },
  // What `var_dump` prints.
  { next: `"'`, after: String.raw`["']\]?\s?=>\s{1,20}string\(\d{1,4}\) ${literal}`, style: "quoted" },
  // `<Password><Value>…</Value>`.
  { next: ">", after: String.raw`>\s{0,20}<[Vv]alue>([^\s<>]{4,1024})(?=<)`, style: "quoted" },
  // `#define API_KEY "…"`, `setx API_TOKEN …`, `git config github.token …`.
  { before: directives, after: String.raw`${quote}[ \t]+${literal}`, style: "quoted" },
  {
    before: directives,
    after: String.raw`${quote}[ \t]+([^\s"'\x60\\<>$|;&-][^\s"'\x60\\|;&]{5,512})`,
    style: "tight"
  },
  // `:api-key "…"`, `@api_key "…"`.
  { before: /[:@]$/, after: String.raw`[ \t]+${literal}`, style: "quoted" },
  // `password: &anchor …`, `password: !!str …`.
  {
    after: String.raw`["']?\s?:[ \t]{1,4}(?:&[\w-]{1,40}|!![\w/:.-]{0,60})[ \t]+\\*["']?([^\s"'\\#&*!][^\s"'\\]{3,1023})`,
    style: "loose"
  },
  {
    after: String.raw`["']?\s?:[ \t]{1,4}!(?!(?:Ref|Sub|GetAtt|Join|If|Select|secret|env_var|vault|reference)\b)[\w/:.-]{0,60}[ \t]+${literal}`,
    style: "quoted"
  },
  // `password:` with its type and an example or a value of its own on the next lines.
  {
    after: String.raw`["']?:\s{1,20}(?:(?:type|description|format|sensitive):[^\n]{0,80}\n\s{0,20}){0,3}(?:value|example|default):[ \t]{1,4}["']?([^\s"'\\#{[]{4,1024})`,
    style: "loose"
  },
  // `user bob pass …`.
  {
    before: /\b(?:user|username|login)[ \t:=]{1,3}[\w.@-]{1,40}[ \t,;/]{1,3}(?:and )?$/i,
    after: String.raw`[ \t]{1,3}([^\s"'\x60\\<>]{6,256})`,
    style: "loose"
  },
  // `**Password:** …`, `**API key**: …`.
  {
    after: String.raw`(?:(?:\*{1,2}|__?):|:(?:\*{1,2}|__?))[ \t]{1,8}\x60?([^\s\x60"'\\<>]{4,512})`,
    style: "loose"
  },
  // `<td>Password</td><td>…</td>`, `<b>Password:</b> …`.
  {
    after: String.raw`:?\s{0,8}<\/(?:td|th|dt|b|strong|span|label|em|p|div)>:?\s{0,40}${element}([^\s<>]{4,512})(?=\s{0,8}<)`,
    style: "loose"
  }
]

interface Read extends Form {
  readonly pattern: RegExp
}

let read: readonly Read[] | undefined
let readBytes: readonly Read[] | undefined
const allForms = (): readonly Read[] =>
  (read ??= [...forms, ...codeForms].map((form) => ({ ...form, pattern: new RegExp(form.after, "y") })))
/** Those that may stand before such a character: most are told apart by it alone. */
const byNext = new Map<string, readonly Read[]>()
const formsBefore = (next: string): readonly Read[] => {
  let read = byNext.get(next)
  if (read === undefined) {
    read = allForms().filter((form) => form.next?.includes(next) !== false)
    if (byNext.size < mostNext) byNext.set(next, read)
  }
  return read
}
const mostNext = 200
const byteForms = (): readonly Read[] =>
  (readBytes ??= allForms().filter(({ after }) => after === bytes.after))

const names = /[A-Za-z_][\w.-]{1,63}(?<![.-])/g
/** So far before its name a directive may stand. */
const near = 100
/** `API key`: two words that are a name together. */
const pairs = /^(?:keys?|phrase|words|code|token|secret)$/i
const firstOfPair = /[A-Za-z]{2,16} $/

/** `password-input`: where it is typed. */
const fieldEnd = /[-_](?:input|field|box|textbox)$/

const nameAt = (text: string, from: number, word: string): { name: string; kind: SecretName } | undefined => {
  const name = word.replace(/^_+|_+$/g, "")
  const kind = secretName(name) ?? (fieldEnd.test(name) ? secretName(name.replace(fieldEnd, "")) : undefined)
  if (kind !== undefined) return { name, kind }
  if (!pairs.test(name)) return undefined
  const both = (firstOfPair.exec(text.slice(Math.max(0, from - 18), from))?.[0] ?? "") + name
  const second = secretName(both)
  return second === undefined ? undefined : { name: both, kind: second }
}

const offer = (
  text: string,
  at: number,
  value: string,
  told: { name: string; kind: SecretName },
  { made, style }: Form,
  hit: Hit
) => {
  if (!made && !looksSecret(told.kind, told.name, value, style, text[at + value.length])) return 0
  const kind = told.kind === "random-key" ? "key" : told.kind
  hit(at, at + value.length, tokenKind(value) ?? kind)
  return at + value.length
}

const another = /\\*["'`]\s{0,4},\s{0,40}\\*["'`]([^"'`\n\\]{4,1024})(?=\\*["'`])/y

/** Offers what follows the first of a list that ends at `end`; returns where the last does. */
const listed = (
  text: string,
  end: number,
  told: { name: string; kind: SecretName },
  form: Form,
  hit: Hit
): number => {
  let at = end
  for (;;) {
    another.lastIndex = at
    const value = another.exec(text)?.[1]
    if (value === undefined || form.not?.(value, told.name)) return at
    const next = offer(text, another.lastIndex - value.length, value, told, form, hit)
    if (next === 0) return at
    at = next
  }
}

const valueBehind = (
  text: string,
  from: number,
  end: number,
  told: { name: string; kind: SecretName },
  hit: Hit,
  tried: readonly Read[] = formsBefore(text.charAt(end))
): number => {
  let before: string | undefined
  for (const form of tried) {
    form.pattern.lastIndex = end
    const match = form.pattern.exec(text)
    const value = match?.[1]
    if (match === null || value === undefined || form.kinds?.test(told.kind) === false) continue
    if (form.not?.(value, told.name)) continue
    if (form.before !== undefined) {
      before ??= text.slice(Math.max(0, from - near), from)
      if (!form.before.test(before)) continue
    }
    // What closes the call may stand behind the value.
    const next = offer(text, end + match[0].lastIndexOf(value), value, told, form, hit)
    if (next !== 0) return form.list ? listed(text, next, told, form, hit) : next
  }
  return 0
}

/** What stands in every name that announces a secret, by itself or with the word before it. */
const telling = new RegExp(`${nameStems.source.replaceAll("$", "")}|code`, "g")
const notOfName = /[^\w.-]/g

/** Where the run of a name's characters begins that `at` is in. */
const runStart = (text: string, at: number): number => {
  let start = at
  while (start > 0 && isNameChar(text.charCodeAt(start - 1))) start--
  return start
}

/** Receives what stands behind every name that announces a secret, in whichever of these forms. */
export const findDeclared = (text: string, hit: Hit): void => {
  const lower = lowerCaseOf(text)
  if (lower === undefined) return void readNames(text, 0, text.length, hit)
  let read = 0
  telling.lastIndex = 0
  for (let found = telling.exec(lower); found !== null; found = telling.exec(lower)) {
    notOfName.lastIndex = found.index
    const end = notOfName.exec(text)?.index ?? text.length
    const from = Math.max(read, runStart(text, found.index))
    read = readNames(text, from, end, hit)
    telling.lastIndex = read
  }
}

/** Tries the names from `start` to `end`; returns how far it read. */
const readNames = (text: string, start: number, end: number, hit: Hit): number => {
  let read = start
  while (read < end) {
    names.lastIndex = read
    const found = names.exec(text)
    if (found === null || found.index >= end) return end
    const after = names.lastIndex
    read = after
    if (isBareKey(found[0]) && listsBytes(text, after)) {
      const told = { name: found[0], kind: "api-key" } as const
      read = valueBehind(text, found.index, after, told, hit, byteForms()) || after
      continue
    }
    const told = nameAt(text, found.index, found[0])
    if (told === undefined || told.kind === "cookie") continue
    let next = valueBehind(text, found.index, after, told, hit)
    // In Markdown, underscores around a label are none of its name.
    const trailing = /_+$/.exec(found[0])?.[0].length ?? 0
    if (next === 0 && trailing > 0) next = valueBehind(text, found.index, after - trailing, told, hit)
    if (next > after) read = next
  }
  return read
}
