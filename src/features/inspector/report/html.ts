/** Text for a page: nothing that somebody else wrote becomes markup. */
import { printable } from "../../../state/terminalText.ts"

/** Markup, and no text. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | null | readonly Html[]

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => printable(text).replace(/[&<>"']/g, (char) => entities[char] ?? "")

const valueText = (value: Value): string => {
  if (value === null) return ""
  if (value instanceof Html) return value.text
  return typeof value === "object" ? value.map(({ text }) => text).join("") : escaped(String(value))
}

/** What stands between is text unless it is markup already. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.map((part, at) => part + (at < values.length ? valueText(values[at] ?? null) : "")).join(""))

export const none = new Html("")
