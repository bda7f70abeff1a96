/** Of the labelled secrets and look-alikes each one, not so many of a hundred: what is found today is not lost tomorrow. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { freshLookAlikes } from "../../support/labelled/freshLookAlikes.ts"
import { freshSecrets } from "../../support/labelled/freshSecrets.ts"
import { heldOutSecrets } from "../../support/labelled/heldOutSecrets.ts"
import { harmlessLookAlikes } from "../../support/labelled/lookAlikes.ts"
import { type Planted, plantedSecrets } from "../../support/labelled/secrets.ts"
import { harmlessTexts, secretTexts } from "../../support/log/secretCases.ts"

const secrets: readonly Planted[] = [
  ...plantedSecrets(),
  ...freshSecrets(0),
  ...freshSecrets(1),
  ...heldOutSecrets(),
  ...secretTexts.map(([text, secret, kind]): Planted => [kind, text, secret])
]
const lookAlikes = [...harmlessLookAlikes(), ...freshLookAlikes(0), ...freshLookAlikes(1), ...harmlessTexts]

const mark = /‹redacted:[^›]*›/

/** What was left before the first mark and behind the last. */
const around = (redacted: string): readonly [before: string, behind: string] => {
  const pieces = redacted.split(mark)
  return [pieces[0] ?? "", pieces.at(-1) ?? ""]
}

/** No secret stays but one: a list of tokens is mostly a parser's. */
const staying = /^\{"tokens": \{"default": "\w{40}"\}\}$/

describe("of labelled secrets", () => {
  it.each<[string, (text: string) => string]>([
    ["as text", redactText],
    ["in JSON", (text) => redactJsonText(JSON.stringify({ text }))],
    ["in JSON within JSON", (text) => redactJsonText(JSON.stringify([JSON.stringify([text])]))]
  ])("each goes, %s, but for one that is known to stay", (_, redacted) => {
    const kept = secrets.filter(([, text, secret]) => redacted(text).includes(secret))
    expect(
      kept.filter(([, text]) => !staying.test(text)).map(([place, text]) => `${place}: ${text}`)
    ).toEqual([])
    expect(kept).toHaveLength(1)
  })

  it("none takes along what stands before and behind it", () => {
    const taken = secrets.filter(([, text, secret]) => {
      const [before, behind] = around(redactText(text))
      // Where the secret is a whole block, a phrase or several, what is labelled is a part of it.
      const isCounted = !/\n|-----|\\n|abandon ability|eyJ|signkey-branch/.test(text)
      const removed = text.length - before.length - behind.length
      return (
        !text.startsWith(before) ||
        !text.endsWith(behind) ||
        (isCounted && text.split(secret).length === 2 && removed > secret.length + 60)
      )
    })
    expect(taken.map(([place, text]) => `${place}: ${text} => ${redactText(text)}`)).toEqual([])
  })
})

describe("of what only looks like a secret", () => {
  it("each stays", () => {
    const gone = lookAlikes.filter((text) => redactText(text) !== text)
    expect(gone.map((text) => redactText(text))).toEqual([])
  })

  it("each stays in JSON as well", () => {
    const gone = lookAlikes.filter(
      (text) => redactJsonText(JSON.stringify({ text })) !== JSON.stringify({ text })
    )
    expect(gone.map((text) => redactText(text))).toEqual([])
  })
})
