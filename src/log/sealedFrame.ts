/**
 * Opens and makes what a client leaves on disk for the next host: `HKS1`, a nonce of 12 bytes, the request encrypted with
 * ChaCha20-Poly1305 under a key of this use, a tag of 16. The file's name, a call's id, is authenticated with it. The client's
 * side is src/programs/client/seal.c.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const magic = Buffer.from("HKS1", "latin1")
const nonceSize = 12
const tagSize = 16
const algorithm = "chacha20-poly1305"

/** The first 32 bytes of the stream of the installation's key under a nonce that names the use; OpenSSL puts the counter before it. */
const useKey = (installation: Buffer): Buffer =>
  createCipheriv(
    "chacha20",
    installation,
    Buffer.concat([Buffer.alloc(4), Buffer.from("hooktapeseal", "latin1")])
  ).update(Buffer.alloc(32))

export const isSealed = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

/** `id`: the call's, which is the file's name. */
export const sealFrame = (installation: Buffer, id: string, frame: Buffer): Buffer => {
  const nonce = randomBytes(nonceSize)
  const cipher = createCipheriv(algorithm, useKey(installation), nonce, { authTagLength: tagSize })
  cipher.setAAD(Buffer.from(id, "latin1"), { plaintextLength: frame.length })
  const text = Buffer.concat([cipher.update(frame), cipher.final()])
  return Buffer.concat([magic, nonce, text, cipher.getAuthTag()])
}

/** What was sealed, or undefined where it is damaged, of another installation or another call. */
export const openFrame = (installation: Buffer, id: string, sealed: Buffer): Buffer | undefined => {
  const begin = magic.length + nonceSize
  if (!isSealed(sealed) || sealed.length < begin + tagSize) return undefined
  const text = sealed.subarray(begin, -tagSize)
  const decipher = createDecipheriv(algorithm, useKey(installation), sealed.subarray(magic.length, begin), {
    authTagLength: tagSize
  })
  decipher.setAAD(Buffer.from(id, "latin1"), { plaintextLength: text.length })
  decipher.setAuthTag(sealed.subarray(-tagSize))
  try {
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}
