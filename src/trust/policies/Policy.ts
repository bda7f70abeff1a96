/** A team's policy: hooks and settings in one file, as somebody signed them. Who carries the file does not matter. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify
} from "node:crypto"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parseConfig } from "../../state/config.ts"
import { type Concerning, concerningAll } from "../digest.ts"
import type { Kept } from "../kept.ts"

/** One hook file, in a form that needs none of its sources. */
export interface PolicyHook {
  /** The digest of its code, by which a checkout's file is known to be the same. */
  readonly code: string
  readonly kept: Kept
  readonly compiled: string
}

export interface Policy {
  readonly name: string
  /** As whoever signs it counts. */
  readonly version: string
  /** When it was signed, milliseconds since 1970: one that was signed before does not follow it. */
  readonly made: number
  /** Its hooks run in every project; else where a project has them. */
  readonly everywhere: boolean
  readonly hooks: readonly PolicyHook[]
  /** Of the configuration beside the hooks, what concerns hooks. */
  readonly settings: Concerning
}

export const policyName = /^[a-z][a-z0-9-]{0,39}$/
export const policyVersion = /^[\w.+-]{1,40}$/

const Digest = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))
const Texts = Schema.Record({ key: Schema.String, value: Schema.String })
const Anything = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Body = Schema.Struct({
  name: Schema.String.pipe(Schema.pattern(policyName)),
  version: Schema.String.pipe(Schema.pattern(policyVersion)),
  made: Schema.Number.pipe(Schema.int(), Schema.positive()),
  everywhere: Schema.Boolean,
  settings: Anything,
  hooks: Schema.Array(
    Schema.Struct({
      code: Digest,
      compiled: Schema.String,
      kept: Schema.Struct({
        version: Schema.Literal(1),
        digest: Digest,
        kind: Schema.Literal("hook"),
        owner: Schema.Literal("user", "project"),
        file: Schema.String,
        contents: Texts,
        texts: Texts,
        settings: Anything,
        compiled: Digest,
        effect: Schema.optionalWith(Schema.Literal(true), { exact: true }),
        hooks: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            path: Schema.Array(Schema.Number),
            hook: Schema.String,
            on: Schema.Array(Schema.String),
            fields: Anything,
            metadata: Schema.optionalWith(Anything, { exact: true })
          })
        )
      })
    })
  )
})

const File = Schema.Struct({
  hooktapePolicy: Schema.Literal(1),
  signature: Schema.String,
  /** JSON as a text: what is signed are its bytes. */
  signed: Schema.String
})

/** Of text: the sources of hooks stand in it, and what they are compiled to. */
const longest = 16_000_000

/** What a key signs here can be shown as nothing else. */
const bytesOf = (signed: string): Buffer => Buffer.from(`hooktape policy 1\n${signed}`)

/** `ed25519:` and the key's 32 bytes in base64url. */
const publicText = (key: KeyObject): string => `ed25519:${key.export({ format: "jwk" }).x}`

const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: text.slice("ed25519:".length) },
    format: "jwk"
  })

export interface KeyPair {
  /** PEM, for a file that only its owner reads. */
  readonly privateKey: string
  readonly publicKey: string
}

export const makeKeys = (): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  return {
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    publicKey: publicText(publicKey)
  }
}

/** The public half of a private key; undefined where it is no key of this kind. */
export const publicOf = (privateKey: string): string | undefined => {
  try {
    const key = createPrivateKey(privateKey)
    return key.asymmetricKeyType === "ed25519" ? publicText(createPublicKey(key)) : undefined
  } catch {
    return undefined
  }
}

/** The text of the file. */
export const signPolicy = (policy: Policy, privateKey: string): string => {
  const signed = JSON.stringify(policy)
  const signature = sign(null, bytesOf(signed), createPrivateKey(privateKey)).toString("base64url")
  return `${JSON.stringify({ hooktapePolicy: 1, signature, signed })}\n`
}

const decoded = <A, I>(schema: Schema.Schema<A, I>, text: string): A | undefined => {
  try {
    return Either.getOrUndefined(Schema.decodeUnknownEither(schema)(JSON.parse(text)))
  } catch {
    return undefined
  }
}

const isSigned = (signed: string, signature: string, key: string): boolean => {
  try {
    return verify(null, bytesOf(signed), publicKeyOf(key), Buffer.from(signature, "base64url"))
  } catch {
    return false
  }
}

/** What the file holds if this key signed it, else why it counts for nothing. Nothing of it is read before the signature is. */
export const openPolicy = (text: string, key: string): Either.Either<Policy, string> => {
  if (text.length > longest) return Either.left("is larger than any policy")
  const file = decoded(File, text)
  if (file === undefined) return Either.left("is no policy")
  if (!isSigned(file.signed, file.signature, key))
    return Either.left("is not signed by the key that your configuration names")
  const body = decoded(Body, file.signed)
  if (body === undefined)
    return Either.left("was signed by another version of hooktape, which this one cannot read")
  const settings = parseConfig(body.name, JSON.stringify(body.settings))
  if (Either.isLeft(settings))
    return Either.left(`has settings that this version cannot read: ${settings.left[0]?.reason}`)
  return Either.right({
    ...body,
    hooks: body.hooks as unknown as Policy["hooks"],
    settings: concerningAll(settings.right)
  })
}
