/** A secret alone in its payload is found wherever in a JSON string it begins: the `n` of an escaped line end is no letter of a name. */
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { maybeSecretJson } from "../../../src/redact/suspicion.ts"
import { seed } from "../../support/arbitrary.ts"
import { freshSecrets } from "../../support/labelled/freshSecrets.ts"
import { heldOutSecrets } from "../../support/labelled/heldOutSecrets.ts"
import { hundredSecrets } from "../../support/labelled/hundredSecrets.ts"
import { namedSecrets } from "../../support/labelled/namesAndCalls.ts"
import { printedSecrets } from "../../support/labelled/printedSecrets.ts"
import { plantedSecrets } from "../../support/labelled/secrets.ts"
import { secretTexts } from "../../support/log/secretCases.ts"

interface Told {
  readonly text: string
  readonly secret: string
}

/** Whether a text says a secret, in its own writing or as JSON escapes it. */
const says = (text: string, secret: string): boolean =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))

/** Made at run time, so that no file holds one. */
const random = ["q7", "Xk2m", "!fj29", "_sdJ"].join("")

/** Whose names or commands are so short, or so much at a word's start, that one letter more makes other words of them. */
const terse: readonly Told[] = [
  "Set-Cookie: sid=@; Path=/; HttpOnly",
  "set-cookie: sid=@",
  "Cookie: sid=@",
  "pass = @",
  "pw: @",
  "pwd=@",
  "psk=@",
  "PAT=@aB3@",
  "auth: @",
  "zip -P @ out.zip f",
  "unzip -P @ out.zip",
  "http -a bob:@ https://example.com",
  "xh -a bob:@ https://example.com",
  "unrar x -p@ a.rar",
  "rar a -hp@ a.rar",
  "7z x -p@ a.7z",
  "az login -u bob -p @",
  "oc login -u bob -p @",
  "net rpc -U bob%@",
  "mysql \\\n-p@ db",
  "chpasswd <<< bob:@",
  "set password @",
  "requirepass @",
  "machine example.com login bob password @",
  "pin is @",
  "Use @ as the password."
].map((text) => ({ text: text.replaceAll("@", random), secret: random }))

/** Those that are found where nothing stands before them: what the law is about is what stands before them. */
const corpus: readonly Told[] = [
  ...secretTexts.map(([text, secret]) => ({ text, secret })),
  ...plantedSecrets().map(([, text, secret]) => ({ text, secret })),
  ...hundredSecrets(3),
  ...namedSecrets(),
  ...[...freshSecrets(0), ...freshSecrets(1), ...heldOutSecrets(), ...printedSecrets()].map(
    ([, text, secret]) => ({
      text,
      secret
    })
  ),
  ...terse
].filter(({ text, secret }) => says(text, secret) && !says(redactText(text), secret))

const payload = (text: string): string =>
  JSON.stringify({ tool_name: "Bash", tool_response: { stdout: text } })

/** Each escaped line end in its longer writing. */
const hexadecimal = (json: string): string =>
  json.replace(/\\(.)/g, (whole, c) => (c === "n" ? "\\u000a" : c === "r" ? "\\u000D" : whole))

/** How a payload of one text may be written; every one of them is the same JSON. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  "as JSON": payload,
  "with line ends in hexadecimal": (text) => hexadecimal(payload(text)),
  "as JSON in JSON": (text) => payload(payload(text)),
  "as a string alone": (text) => JSON.stringify(text)
}

/** What stands right before a secret. */
const befores = ["", "\n", "\r\n", "\t", "ok\r\n\t", "\u001b[0m\n"]

const isKept = ({ text, secret }: Told, before: string, write: (text: string) => string): boolean => {
  const json = write(before + text)
  return !maybeSecretJson(json) || says(redactJsonText(json), secret)
}

describe("a secret alone in its payload", () => {
  it("is one of many", () => {
    expect(terse.filter((told) => !corpus.includes(told))).toEqual([])
    expect(corpus.length).toBeGreaterThan(700)
  })

  describe.each(befores)("behind %j", (before) => {
    it.each(Object.entries(writings))("is redacted, %s", (_, write) => {
      const kept = corpus.filter((told) => isKept(told, before, write))
      expect(kept.map(({ text }) => write(before + text))).toEqual([])
    })
  })

  it("is redacted behind any text that ends with a line", () => {
    const words = FastCheck.array(
      FastCheck.constantFrom("ok", " ", "\n", "\t", "1", ".", "done", "\\", "{", "é"),
      {
        maxLength: 6
      }
    )
    FastCheck.assert(
      FastCheck.property(
        words,
        FastCheck.constantFrom("\n", "\r\n", "\n\t", "\n\n  "),
        FastCheck.constantFrom(...corpus),
        FastCheck.constantFrom(...Object.values(writings)),
        (lead, end, told, write) => {
          expect(isKept(told, lead.join("") + end, write)).toBe(false)
        }
      ),
      { numRuns: 2000, seed }
    )
  })
})
