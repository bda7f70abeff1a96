/** How a value may stand behind a name that announces it. */
import type { Style } from "./secretNames.ts"

/** A literal, also with what says of what kind it is, or inside the call that makes it: `b"…"`, `new String("…")`, `Some("…")`. */
export const literal = String.raw`(?:(?:new )?[A-Za-z_][\w.:]{0,30}[({]\s?)?(?:[bBrRuUfLN@$]{1,2}(?=\\*["'\x60]))?\\*["'\x60]([^"'\x60\n\\]{4,1024})(?=\\*["'\x60])`
export const quote = String.raw`["'\\]{0,4}`

export interface Form {
  /** With what of these `after` begins, where it begins with few characters. */
  readonly next?: string
  /** What stands between the name and the value, and the value as its only group. */
  readonly after: string
  /** What has to stand before the name. */
  readonly before?: RegExp
  /** The kinds of names that it is read for, where not all of them. */
  readonly kinds?: RegExp
  /** What is none although it stands there. */
  readonly not?: (value: string, name: string) => boolean
  /** What stands there, if it is no such thing, is a secret whatever its name. */
  readonly made?: true
  /** More of them may follow, parted by commas. */
  readonly list?: true
  readonly style: Style
}
