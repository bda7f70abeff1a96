/** A text full of secrets costs its length, once: counted in characters that patterns and finders look at, so that no clock decides. */
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import type { FactId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { redactDraft, redactJsonText, redactText } from "../../../src/redact/redact.ts"

/** Made at run time, so that no file holds one. */
const value = ["abc", "DEF", "123", "!"].join("")

const pieces: Readonly<Record<string, string>> = {
  "names with a colon": `password: ${value} `,
  "names with an equals sign": `password=${value} `,
  "lines of settings": `DB_PASSWORD=${value}\n`,
  "names without blanks": `password=${value};`,
  "rows of a table": `| password |\n|---|\n| ${value} |\n`,
  sentences: `the password is ${value} and `,
  "members of JSON": `{"password": "${value}"}, `,
  addresses: `https://bob:${value.slice(0, -1)}@example.com/ `,
  headers: `Authorization: Bearer ${value.slice(0, -1).repeat(2)} `,
  flags: `mysql -u root -p${value} db; `
}

let looked = 0
const { exec } = RegExp.prototype
const { charAt, charCodeAt } = String.prototype

/** How much of a text such a look may have read: a sticky pattern what it matched, any other up to its match or the end. */
const readBy = (pattern: RegExp, from: number, text: string, found: RegExpExecArray | null): number => {
  if (found !== null) return found.index + found[0].length - from
  return pattern.sticky ? 1 : Math.max(1, text.length - from)
}

beforeEach(() => {
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    looked += readBy(this, from, text, found)
    return found
  }
  String.prototype.charCodeAt = function (at) {
    looked++
    return charCodeAt.call(this, at)
  }
  String.prototype.charAt = function (at) {
    looked++
    return charAt.call(this, at)
  }
})

afterEach(() => {
  Object.assign(RegExp.prototype, { exec })
  Object.assign(String.prototype, { charAt, charCodeAt })
})

/** No two are the same text: what was looked through lately would cost nothing. */
let nth = 0
const textOf = (piece: string, length: number): string =>
  `${nth++} ${piece.repeat(Math.ceil(length / piece.length))}`

const nested = (text: string, levels: number): string =>
  levels === 0 ? text : nested(JSON.stringify({ content: text }), levels - 1)

const draftOf = (command: string) =>
  makeDraft(
    { type: "PAYLOAD_TAKEN", payload: { tool_name: "Bash", tool_input: { command } } },
    { id: "0" as FactId, stream: "s", at: 0 }
  )

const work = (look: () => unknown): number => {
  looked = 0
  look()
  return looked
}

const ways: Readonly<Record<string, (text: string) => unknown>> = {
  "as text": redactText,
  "as JSON": (text) => redactJsonText(nested(text, 1)),
  "as JSON in JSON, five deep": (text) => redactJsonText(nested(text, 6)),
  "in a draft": (text) => redactDraft(draftOf(text) as never)
}

const length = 12_000

describe.each(Object.entries(pieces))("a text full of %s", (_, piece) => {
  it.each(Object.entries(ways))("costs twice as much where it is twice as long, %s", (_way, look) => {
    const short = work(() => look(textOf(piece, length)))
    const long = work(() => look(textOf(piece, 2 * length)))
    expect(long / short).toBeLessThan(2.2)
  })

  it("is looked through once, however many ask: a draft costs little more than its text", () => {
    const alone = work(() => redactText(textOf(piece, length)))
    const inDraft = work(() => ways["in a draft"]?.(textOf(piece, length)))
    expect(inDraft / alone).toBeLessThan(1.5)
  })

  it("is looked through once, however deep it stands in JSON", () => {
    const alone = work(() => redactText(textOf(piece, length)))
    const deep = work(() => ways["as JSON in JSON, five deep"]?.(textOf(piece, length)))
    expect(deep / alone).toBeLessThan(2.5)
  })

  it("is not looked through around each of them anew", () => {
    const text = textOf(piece, length)
    const per = work(() => redactText(text)) / text.length
    expect(per).toBeLessThan(175)
  })

  it("costs nothing when the next fact tells it again", () => {
    const text = textOf(piece, length)
    const once = work(() => redactDraft(draftOf(text) as never))
    const again = work(() => redactDraft(draftOf(text) as never))
    expect(again / once).toBeLessThan(0.3)
  })
})
