/** `secrets`: what sends something over the network, and whether that is a secret. */

import { type Call, type Rule, shown } from "./Call.ts"
import { type Argument, expand, first } from "./expand.ts"
import { standardInput } from "./input.ts"
import type { Verdict } from "./rule.ts"
import { carries, carriesSecret, isSecretFile } from "./secretSources.ts"

const said = (how: string, what: string): Verdict => ({
  rule: "secrets",
  reason: `\`${how}\` sends ${what} over the network.`
})

const local = /^(?:https?:\/\/)?(?:[^/@]*@)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)(?:[:/]|$)/i

const isLocal = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text) => local.test(text))

/** What comes in on standard input. */
const givenSecret = ({ upstream, redirects, state }: Call): boolean =>
  redirects.some(({ operator, target }) => {
    if (operator === "<") return expand(target, state).some((path) => isSecretFile(path, state))
    return operator.startsWith("<<") && carriesSecret(target, state)
  }) ||
  (upstream.length > 0 && carries(upstream, state))

const secretFile = (call: Call, paths: readonly string[]): string | undefined =>
  paths.find((path) => isSecretFile(path, call.state))

/** Headers in which a secret belongs. */
const authorization = /^(?:proxy-)?authorization|^x?-?(?:[\w-]*-)?(?:api-?key|token|auth)\b/i

interface Sent {
  readonly how: "data" | "form" | "upload" | "header" | "address" | "plain"
  readonly arg: Argument
  /** Of the argument, what belongs to the option. */
  readonly value: string
}

const curlLong: Readonly<Record<string, Sent["how"]>> = {
  "--data": "data",
  "--data-raw": "address",
  "--data-ascii": "data",
  "--data-binary": "data",
  "--data-urlencode": "data",
  "--json": "data",
  "--form": "form",
  "--form-string": "address",
  "--upload-file": "upload",
  "--header": "header",
  "--url": "address",
  "--url-query": "address"
}
/** Sent as it stands, and no file. */
const curlPlain = /^--(?:user-agent|referer|cookie|request|proxy-header)$/
const curlShort: Readonly<Record<string, Sent["how"]>> = {
  d: "data",
  F: "form",
  T: "upload",
  H: "header",
  A: "plain",
  e: "plain",
  b: "plain",
  X: "plain"
}
const curlValued = "AbcCdDeEFhHKmoPQrtTuUwxXyYz"
const curlLongValued =
  /^--(?:output|user|user-agent|request|cert|key|cacert|capath|config|max-time|connect-timeout|retry|proxy|cookie|cookie-jar|write-out|netrc-file|resolve|referer|range|limit-rate|interface)$/

const readCurl = (args: readonly Argument[]): readonly Sent[] => {
  const sent: Sent[] = []
  const add = (how: Sent["how"] | undefined, arg: Argument | undefined, value?: string): void => {
    if (how !== undefined && arg !== undefined) sent.push({ how, arg, value: value ?? first(arg) })
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument
    const text = first(arg)
    if (text.startsWith("--")) {
      const equals = text.indexOf("=")
      const name = equals < 0 ? text : text.slice(0, equals)
      const how = curlPlain.test(name) ? "plain" : Object.hasOwn(curlLong, name) ? curlLong[name] : undefined
      if (equals >= 0) add(how, arg, text.slice(equals + 1))
      else if (how !== undefined) add(how, args[++at])
      else if (curlLongValued.test(name)) at++
    } else if (text.startsWith("-") && text.length > 1) {
      for (let letter = 1; letter < text.length; letter++) {
        const char = text[letter] as string
        if (!curlValued.includes(char)) continue
        const how = curlShort[char]
        if (letter < text.length - 1) add(how, arg, text.slice(letter + 1))
        else {
          at++
          add(how, args[at])
        }
        break
      }
    } else add("address", arg)
  }
  return sent
}

/** Files of keys that no server is shown: a header carries what was made for it, a token. */
const neverShown =
  /\/\.(?:ssh|gnupg|aws|kube)\/|\/\.(?:netrc|git-credentials|pgpass|pypirc)$|\/\.config\/gh\/hosts\.yml$/

/** What a header is made of by reading such a file. */
const keyFileIn = ({ word }: Argument, { state }: Call): string | undefined => {
  for (const part of word)
    for (const { words } of part.kind === "output" ? part.script.flat() : [])
      for (const path of words.slice(1, 20).flatMap((one) => expand(one, state)))
        if (neverShown.test(path) && isSecretFile(path, state)) return path
  return undefined
}

/** The file whose contents are sent, `-` for standard input. */
const fileOf = ({ how, value }: Sent): string | undefined => {
  if (how === "upload") return value
  if (how === "header") return value.startsWith("@") ? value.slice(1) : undefined
  if (how === "address" || how === "plain") return undefined
  const at = value.search(how === "form" ? /=[@<]/ : /^[^=@]{0,100}@/)
  if (at < 0) return undefined
  const file = how === "form" ? value.slice(at + 2) : value.slice(value.indexOf("@") + 1)
  return file.split(";", 1)[0]
}

const curl = (call: Call): Verdict | undefined => {
  const sent = readCurl(call.args)
  if (isLocal(sent.filter(({ how }) => how === "address").map(({ value }) => value))) return undefined
  for (const one of sent) {
    const file = fileOf(one)
    if (file === "-" ? givenSecret(call) : file !== undefined && isSecretFile(file, call.state))
      return said("curl", file === "-" ? "a secret" : shown(file as string))
    if (one.how === "header" && authorization.test(one.value)) {
      const key = keyFileIn(one.arg, call)
      if (key !== undefined) return { ...said("curl", shown(key)), action: "ask" }
      continue
    }
    if (carriesSecret(one.arg.word, call.state)) return said("curl", "a secret")
  }
  return undefined
}

const wget = (call: Call): Verdict | undefined => {
  for (const arg of call.args) {
    const text = first(arg)
    const file = /^--(?:post|body)-file=(.*)$/.exec(text)?.[1]
    if (file !== undefined && isSecretFile(file, call.state)) return said("wget", shown(file))
    if (!text.startsWith("--header") && carriesSecret(arg.word, call.state)) return said("wget", "a secret")
  }
  return undefined
}

const isElsewhere = (text: string): boolean => /^(?:[^/:]+:|\w+:\/\/)/.test(text) && !/^file:/.test(text)

/** Copies whose last operand is where it goes. `valued`: options whose value is no operand. */
const copy =
  (valued: RegExp, skip = 0) =>
  (call: Call): Verdict | undefined => {
    const texts = call.args
      .map(first)
      .filter((text, at, all) => !text.startsWith("-") && !valued.test(all[at - 1] ?? ""))
      .slice(skip)
    const target = texts.at(-1) ?? ""
    if (!isElsewhere(target)) return undefined
    const found = secretFile(
      call,
      texts.slice(0, -1).filter((text) => !isElsewhere(text))
    )
    return found === undefined ? undefined : said(call.name, shown(found))
  }

/** No option of it takes a value that could be taken for a file. */
const none = /(?!)/

const listening = (call: Call): boolean => isLocal(call.args.map(first).filter((text) => local.test(text)))

/** Of rsync: patterns, programs, sizes and local files, none of them sent. */
const rsyncValues =
  /^(?:-[efTMB]|--(?:rsh|rsync-path|exclude|include|filter|exclude-from|include-from|files-from|password-file|log-file|[a-z]+-dir|[a-z]+-dest|chmod|chown|bwlimit|port|timeout|m(?:ax|in)-size))$/

/** They send what they are given. */
const pipe = (call: Call): Verdict | undefined =>
  givenSecret(call) && !listening(call) ? said(call.name, "a secret") : undefined

const named = (call: Call): Verdict | undefined => {
  const found = secretFile(
    call,
    call.args.map((arg) => first(arg).replace(/^[^=@]{0,100}@/, ""))
  )
  return found === undefined ? pipe(call) : said(call.name, shown(found))
}

const asked = (call: Call): Verdict | undefined =>
  call.args.some(({ word }) => carriesSecret(word, call.state)) ? said(call.name, "a secret") : undefined

/** Any of its words that names a file of secrets. */
const anyFile = (call: Call): Verdict | undefined => {
  const found = secretFile(call, call.args.map(first))
  return found === undefined ? pipe(call) : said(call.name, shown(found))
}

/** `sftp host <<< 'put .env'`, and what its batch file says. */
const sftp = (call: Call): Verdict | undefined => {
  for (const [, path = ""] of (standardInput(call) ?? "")
    .slice(0, 4000)
    .matchAll(/^\s*(?:m?put|reput)\s+(?:-\w+\s+)*(\S+)/gm))
    if (isSecretFile(path, call.state)) return said("sftp", shown(path))
  return pipe(call)
}

/** Its addresses name files: `FILE:.env`, `OPEN:…`, `EXEC:"cat .env"`. */
const socat = (call: Call): Verdict | undefined => {
  const texts = call.args.map(first)
  if (
    !texts.some((text) =>
      /^(?:tcp|udp|ssl|openssl|sctp|socks\w*|proxy)[46]?(?:-connect|-sendto)?:/i.test(text)
    )
  )
    return undefined
  const found = secretFile(
    call,
    texts.flatMap(
      (text) => /^(?:FILE|OPEN|CREATE|GOPEN|EXEC|SYSTEM):(.*?)(?:,|$)/i.exec(text)?.[1]?.split(/\s+/) ?? []
    )
  )
  return found === undefined ? pipe(call) : said("socat", shown(found))
}

const sub =
  (command: RegExp, rule: Rule): Rule =>
  (call) =>
    command.test(call.args.slice(0, 3).map(first).join(" ")) ? rule(call) : undefined

const sinks: Readonly<Record<string, Rule>> = {
  curl,
  wget,
  scp: copy(/^-[iPFoclSJD]$/),
  sftp,
  rsync: copy(rsyncValues),
  rclone: (call) => sub(/^(?:copy|sync|move)/, copy(none, 1))(call) ?? sub(/^rcat/, pipe)(call),
  openssl: sub(/^s_client/, pipe),
  gcloud: sub(/^(?:alpha |beta )?storage (?:cp|mv|rsync)/, copy(/^--[\w-]+$/, 2)),
  az: sub(/^storage (?:blob|file|fs)/, anyFile),
  azcopy: sub(/^(?:cp|copy|sync)/, copy(none, 1)),
  s3cmd: sub(/^(?:put|sync)/, copy(none, 1)),
  s5cmd: sub(/^(?:cp|mv|sync|pipe)/, copy(none, 1)),
  mc: sub(/^(?:cp|mv|mirror|pipe)/, anyFile),
  b2: sub(/^(?:upload|file upload|sync)/, anyFile),
  wormhole: sub(/^send/, anyFile),
  magic: sub(/^send/, anyFile),
  croc: anyFile,
  transfer: anyFile,
  ffsend: sub(/^upload/, anyFile),
  wrangler: sub(/^r2 object put/, anyFile),
  heroku: sub(/^config:set/, asked),
  ftp: pipe,
  lftp: named,
  tftp: pipe,
  websocat: pipe,
  rsh: pipe,
  aws: sub(/^s3 (?:cp|mv|sync) /, copy(/^--[\w-]+$/, 2)),
  gsutil: copy(none, 1),
  gh: sub(/^gist create/, named),
  nc: pipe,
  ncat: pipe,
  netcat: pipe,
  socat,
  telnet: pipe,
  ssh: pipe,
  mail: pipe,
  sendmail: pipe,
  mutt: named,
  http: named,
  https: named,
  xh: named,
  dig: asked,
  nslookup: asked,
  host: asked,
  ping: asked
}

export const secrets: Rule = (call) => {
  const socket = call.redirects.find(
    ({ operator, target }) =>
      operator.includes(">") && expand(target, call.state).some((path) => /^\/dev\/(?:tcp|udp)\//.test(path))
  )
  if (socket) {
    const stage = { assigns: [], words: call.args.map(({ word }) => word), redirects: call.redirects }
    const command = [{ kind: "text", text: call.name, quoted: false } as const]
    if (carries([...call.upstream, { ...stage, words: [command, ...stage.words] }], call.state))
      return said("/dev/tcp", "a secret")
  }
  const sink = Object.hasOwn(sinks, call.name) ? sinks[call.name] : undefined
  return sink?.(call)
}
