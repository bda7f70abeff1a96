import { createHmac } from "node:crypto"

/** Under the installation's key: what it was made of cannot be guessed from it. Hexadecimal, 64 characters. */
export const digestOf = (key: Buffer, content: string | Uint8Array): string =>
  createHmac("sha256", key).update(content).digest("hex")
