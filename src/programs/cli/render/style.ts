/** Colours by what they mean, and nothing at all where colours are not wanted. */
import { sequences } from "../../../state/terminalText.ts"

type Paint = (text: string) => string

export interface Style {
  readonly strong: Paint
  readonly faint: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly warn: Paint
  readonly accent: Paint
  readonly quiet: Paint
}

const paint =
  (open: number, close: number): Paint =>
  (text) =>
    text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`

export const coloured: Style = {
  strong: paint(1, 22),
  faint: paint(2, 22),
  good: paint(32, 39),
  bad: paint(31, 39),
  warn: paint(33, 39),
  accent: paint(36, 39),
  quiet: paint(90, 39)
}

const same: Paint = (text) => text

export const plain: Style = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  warn: same,
  accent: same,
  quiet: same
}

export const unstyled = (text: string): string => text.replace(sequences, "")

const wide =
  /[\u26d4\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const mark = /\p{Mark}|\u200d|\ufe0f/u

/** How many columns a text without escape sequences takes. */
export const columnsOf = (text: string): number => {
  let columns = 0
  for (const char of text) columns += mark.test(char) ? 0 : wide.test(char) ? 2 : 1
  return columns
}

/** The text, cut to so many columns. */
export const cut = (text: string, columns: number): string => {
  if (columns <= 0) return ""
  if (columnsOf(text) <= columns) return text
  let kept = ""
  let used = 0
  for (const char of text) {
    const next = columnsOf(char)
    if (used + next > columns - 1) break
    kept += char
    used += next
  }
  return `${kept}…`
}

export const pad = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - columnsOf(unstyled(text))))

export const padStart = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - columnsOf(unstyled(text)))) + text
