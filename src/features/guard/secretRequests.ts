/** Of `secrets`: what `curl` and `wget` send, and in which part of a request. */
import { type Call, shown } from "./Call.ts"
import { type Argument, expand, first } from "./expand.ts"
import type { Verdict } from "./rule.ts"
import { givenSecret, isLocal, said } from "./secretSent.ts"
import { carriesSecret, isSecretFile } from "./secretSources.ts"

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
  "--variable": "data",
  "--expand-data": "plain",
  "--expand-url": "address",
  "--config": "upload",
  "--url-query": "address"
}
/** Sent as it stands, and no file. */
const curlPlain = /^--(?:user-agent|referer|cookie|request|proxy-header)$/
const curlShort: Readonly<Record<string, Sent["how"]>> = {
  d: "data",
  F: "form",
  T: "upload",
  K: "upload",
  H: "header",
  A: "plain",
  e: "plain",
  b: "plain",
  X: "plain"
}
const curlValued = "AbcCdDeEFhHKmoPQrtTuUwxXyYz"
const curlLongValued =
  /^--(?:output|user|user-agent|request|cert|key|cacert|capath|max-time|connect-timeout|retry|proxy|cookie|cookie-jar|write-out|netrc-file|resolve|referer|range|limit-rate|interface)$/

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

export const curl = (call: Call): Verdict | undefined => {
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

export const wget = (call: Call): Verdict | undefined => {
  let header = false
  for (const arg of call.args) {
    const text = first(arg)
    const isValue = header
    header = text === "--header"
    const file = /^--(?:post|body)-file=(.*)$/.exec(text)?.[1]
    if (file !== undefined && isSecretFile(file, call.state)) return said("wget", shown(file))
    const value = isValue ? text : /^--header=(.*)$/s.exec(text)?.[1]
    if (value !== undefined && authorization.test(value)) {
      const key = keyFileIn(arg, call)
      if (key !== undefined) return { ...said("wget", shown(key)), action: "ask" }
    } else if (carriesSecret(arg.word, call.state)) return said("wget", "a secret")
  }
  return undefined
}
