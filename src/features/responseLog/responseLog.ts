/** Keeps with each answer of the model what it was like: how long, what it shows, what it asks. After the reply; nobody waits. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { cut } from "../../redact/cut.ts"
import { grouped } from "../timeline/words.ts"

const usual = 2000
const most = 20_000

const count = (number: number, word: string): string =>
  `${grouped(number, ",")} ${word}${number === 1 ? "" : "s"}`

/** The last sentence, where it is a question. */
const questionOf = (prose: string): string | undefined =>
  /[^.!?\n]*\?(?=[\s*_`)"']*$)/.exec(prose)?.[0].trim()

/** One line about an answer. Pure. */
export const describeResponse = (text: string): string => {
  const blocks = text.match(/^ {0,3}```[\s\S]*?^ {0,3}```/gm) ?? []
  const prose = text.replace(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, "").trim()
  const question = questionOf(prose)
  return [
    count(text.length, "character"),
    ...(blocks.length > 0 ? [count(blocks.length, "code block")] : []),
    ...(question === undefined ? [] : [`asks: ${cut(question, 200)}`])
  ].join(", ")
}

export const responseLog = defineHook({
  name: "response-log",
  on: "response.given",
  background: true,
  settings: { longest: usual },
  run: ({ settings, text }) => {
    const wanted = settings["longest"]
    const longest = typeof wanted === "number" && wanted >= 0 ? Math.min(wanted, most) : usual
    const shown = text.length > longest ? `${cut(text, longest)}…` : text
    return diagnostic("info", `${describeResponse(text)}${longest === 0 ? "" : `\n\n${shown}`}`)
  }
})
