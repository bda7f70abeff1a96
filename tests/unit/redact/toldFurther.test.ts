/** Secrets told some words behind what they are, licence keys, codes, bytes and settings that say little, beside what looks alike. */
import { describe, expect, it } from "vitest"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { toldFurther, toldFurtherLookAlikes } from "../../support/labelled/toldFurther.ts"

const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

const stdout = (text: string): string => JSON.stringify({ tool_response: { stdout: text } })

const kinds = [...new Set(toldFurther.map(([kind]) => kind))]

describe.each(kinds)("%s", (kind) => {
  const ofKind = toldFurther.filter(([one]) => one === kind)

  it("are said in their samples", () => {
    expect(ofKind.length).toBeGreaterThan(7)
    expect(ofKind.filter(([, text, secret]) => !text.includes(secret))).toEqual([])
  })

  it.each<[string, (text: string) => string]>([
    ["as text", redactText],
    ["in a payload", (text) => redactJsonText(stdout(text))],
    ["behind a line of a payload", (text) => redactJsonText(stdout(`done\n${text}\nok\n`))],
    ["in a payload that is looked through as text", (text) => redactText(`x ${stdout(text)}`)]
  ])("are all taken out, %s", (_, redacted) => {
    const kept = ofKind.filter(([, text, secret]) => says(redacted(text), secret))
    expect(kept.map(([, text]) => text)).toEqual([])
  })
})

it("leaves what looks alike", () => {
  const changed = toldFurtherLookAlikes.filter(
    (text) => redactText(text) !== text || redactJsonText(stdout(text)) !== stdout(text)
  )
  expect(changed.map((text) => redactText(text))).toEqual([])
})

/** A word that the first look does not stop at is looked for in vain. */
const words =
  "password passwd passphrase passcode Passwort passord Kennwort contraseña senha wachtwoord lösenord losenord adgangskode kodeord salasana heslo hasło haslo parola şifre пароль pwd pw"

it.each(words.split(" "))("stops at %s in a sentence", (word) => {
  const told = `The ${word} of the old farm is Kuhstall+77b now, use it.`
  expect(JSON.stringify(redactText(told))).not.toContain("Kuhstall")
})
