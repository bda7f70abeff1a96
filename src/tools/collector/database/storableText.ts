/** A text as PostgreSQL keeps it, in JSON too: no U+0000, and no half of a surrogate pair, which a cut leaves. */
export const storableText = (text: string, most: number): string =>
  // As UTF-8, which has no half of a pair.
  Buffer.from(text.slice(0, most)).toString().replaceAll("\0", "")
