/** The bytes of a request as a batch, within bounds that hold before and after it is unpacked. */
import type { IncomingMessage } from "node:http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { messageOf } from "../../../state/messageOf.ts"
import { Batch } from "../../shipping/Batch.ts"

export class BodyError extends Schema.TaggedError<BodyError>()("BodyError", {
  status: Schema.Literal(400, 413, 415),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Bytes as they come, bytes unpacked, facts, and levels of brackets, of which neither JSON's readers nor the database take any number. */
export const bounds = { packed: 2_000_000, unpacked: 16_000_000, facts: 1000, depth: 200 }

const refused = (status: BodyError["status"], detail: string) => new BodyError({ status, detail })

const tooLarge = refused(413, "the batch is too large")

const failure = (cause: unknown): BodyError =>
  cause instanceof BodyError ? cause : refused(400, messageOf(cause))

const bytesOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of message) {
    length += part.length
    if (length > bounds.packed) throw tooLarge
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const unpack = promisify(gunzip)

const unpacked = async (bytes: Buffer, encoding: string | undefined): Promise<Buffer> => {
  if (encoding === undefined || encoding === "identity") return bytes
  if (encoding !== "gzip") throw refused(415, "only gzip is unpacked here")
  try {
    return await unpack(bytes, { maxOutputLength: bounds.unpacked })
  } catch (cause) {
    throw cause instanceof RangeError ? tooLarge : refused(400, "what came is not gzip")
  }
}

/** Where a text of JSON ends that begins at `from`, its quotation mark. */
const endOfText = (json: string, from: number): number => {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === "\\") at++
    else if (json[at] === '"') return at
  }
  return json.length
}

/** Levels of brackets, without those in texts. No regular expression: a text of some megabytes is more than its stack holds. */
const isDeep = (json: string, most: number): boolean => {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const one = json[at]
    if (one === '"') at = endOfText(json, at)
    else if (one === "[" || one === "{") depth++
    else if (one === "]" || one === "}") depth--
    if (depth > most) return true
  }
  return false
}

/** What is wrong with it, and where, without all that it could have been. */
const problemIn = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const place = first === undefined || first.path.length === 0 ? "" : `${first.path.join(".")}: `
  return `it is no batch: ${place}${(first?.message ?? "").slice(0, 200)}`
}

const read = Schema.decodeUnknownEither(Schema.parseJson(Batch))

export const readBatch = Effect.fn("collector.readBatch")(function* (message: IncomingMessage) {
  const { "content-encoding": encoding, "content-length": announced } = message.headers
  if (Number(announced ?? 0) > bounds.packed) return yield* tooLarge
  const text = yield* Effect.tryPromise({
    try: async () => (await unpacked(await bytesOf(message), encoding)).toString(),
    catch: failure
  })
  if (isDeep(text, bounds.depth)) return yield* refused(400, "it is nested too deeply")
  const batch = read(text)
  if (Either.isLeft(batch)) return yield* refused(400, problemIn(batch.left))
  const { right } = batch
  if (right.facts.length > bounds.facts) return yield* tooLarge
  if (right.upto < right.after) return yield* refused(400, "upto lies before after")
  return right
})
