/** Names and paths as digests under the installation's key: the same each time, and to nobody else. */
import { createHmac } from "node:crypto"

/** Hexadecimal digits: enough to tell the files of one session apart. */
const longest = 12

export const hiding =
  (key: Buffer) =>
  (text: string): string =>
    createHmac("sha256", key).update(text).digest("hex").slice(0, longest)
