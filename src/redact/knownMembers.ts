/** Objects whose members together say what one of them is: a cookie of a session, a storage account's key, a key of Elasticsearch. */
import { holdsBareSecret } from "./bareSecretFiles.ts"
import type { Member } from "./members.ts"
import { looksRandom, looksSecret, type SecretName } from "./secretNames.ts"

const session =
  /^(?:(?:[\w.-]{0,20}[._-])?(?:sess(?:ion)?[-_]?(?:id|key|token)?|sid|ssid|auth|jwt|csrftoken|remember[-_]?(?:me|token)?)|(?:J|PHP|ASP)SESS(?:ION)?ID|ASP\.NET_SessionId|__(?:Secure|Host)-[\w.-]{1,40}|_\w{1,20}_session|laravel_session|connect\.sid|sessionid)$/i
const ofCookie =
  /^(?:domain|path|http_?only|secure|same_?site|expires|expiry|expirationDate|max-?age|host_?only)$/i
const hex = /^(?=.*\d)(?=.*[a-f])[\da-f]{24,128}$/i
const encoded = /^[\w+/-]{40,200}={0,2}$/
const accountKey = /^(?:[\w+/]{86}==|[\w+/]{43}=)$/

const isBare = (value: string): boolean =>
  value.length < 300 && !/\s/.test(value) && (hex.test(value) || looksRandom(value))

interface Known {
  readonly value: RegExp
  readonly kind: SecretName
  /** Whether the members are those of such an object. */
  readonly is: (valueOf: (key: RegExp) => string | undefined) => boolean
  readonly judge: (value: string) => boolean
}

const known: readonly Known[] = [
  {
    // What a file holds that has a secret alone.
    value: /^(?:text|content|contents|data|body|value)$/i,
    kind: "api-key",
    is: (valueOf) =>
      holdsBareSecret(valueOf(/^(?:file|path|file_?path|filename|file_?name|name|key)$/i) ?? ""),
    judge: (value) => isBare(value.trim())
  },
  {
    // Of all that is called a pass, the one with a user.
    value: /^pass$/i,
    kind: "password",
    is: (valueOf) => valueOf(/^(?:user(?:_?name)?|login|ssid)$/i) !== undefined,
    judge: (value) =>
      looksSecret("password", "password", value, "quoted", undefined) && !/^[~./]|\s/.test(value)
  },
  {
    value: /^value$/i,
    kind: "cookie",
    is: (valueOf) => session.test(valueOf(/^name$/i) ?? "") && valueOf(ofCookie) !== undefined,
    judge: (value) => hex.test(value) || looksRandom(value)
  },
  {
    value: /^(?:value|primaryKey|secondaryKey)$/i,
    kind: "api-key",
    is: (valueOf) => valueOf(/^key_?name$/i) !== undefined,
    judge: (value) => accountKey.test(value)
  },
  {
    value: /^encoded$/,
    kind: "api-key",
    is: (valueOf) =>
      valueOf(/^api_key$/) !== undefined ||
      (valueOf(/^id$/) !== undefined && valueOf(/^name$/) !== undefined),
    judge: (value) => encoded.test(value) && looksRandom(value.replace(/=+$/, ""))
  }
]

/** Receives each member that holds a secret, for what the object is. */
export const secretsOfKnown = <A extends Member>(
  members: readonly A[],
  found: (member: A, kind: SecretName) => void
): void => {
  const valueOf = (key: RegExp): string | undefined => members.find((member) => key.test(member.key))?.value
  for (const { is, judge, kind, value } of known)
    for (const member of members)
      if (member.isText && value.test(member.key) && judge(member.value) && is(valueOf)) found(member, kind)
}
