/** The redactor case by case: every named pattern goes, look-alikes stay, JSON stays JSON. */
import { describe, expect, it } from "vitest"
import { redact, redactDraft, redactJsonText, redactText } from "../../../src/redact/redact.ts"
import { everyday, secretName } from "../../../src/redact/secretNames.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { harmlessTexts, secretTexts } from "../../support/log/secretCases.ts"

describe("redactText", () => {
  it("knows enough cases", () => {
    expect(secretTexts.length).toBeGreaterThanOrEqual(60)
    expect(harmlessTexts.length).toBeGreaterThanOrEqual(60)
  })

  it.each(secretTexts)("takes the secret out of %j", (text, secret, kind) => {
    expect(text).toContain(secret)
    const after = redactText(text)
    expect(after).not.toContain(secret)
    expect(after).toContain(`‹redacted:${kind}›`)
    expect(redactText(after)).toBe(after)
  })

  it.each(harmlessTexts)("leaves %j alone", (text) => {
    expect(redactText(text)).toBe(text)
  })

  it("keeps what surrounds a secret", () => {
    expect(redactText("git push https://me:pw123@host/r.git # done")).toBe(
      "git push https://me:‹redacted:url-password›@host/r.git # done"
    )
    expect(redactText("curl -H 'Authorization: Bearer abc123def456' https://x")).toBe(
      "curl -H 'Authorization: Bearer ‹redacted:bearer›' https://x"
    )
  })
})

describe("names that come with every call", () => {
  it("are what a look at them says, too: none of a secret", () => {
    // More names than are remembered, so that these are looked at.
    for (let at = 0; at <= 1000; at++) secretName(`n${at}_key`)
    expect(everyday.filter((name) => secretName(name) !== undefined)).toEqual([])
  })
})

describe("redactJsonText", () => {
  it.each(secretTexts)("takes it out of a literal and a nested one: %j", (text, secret) => {
    const inner = JSON.stringify({ command: text })
    for (const value of [{ a: [text] }, { deep: inner }, JSON.parse(inner)]) {
      const after = redactJsonText(JSON.stringify(value))
      expect(() => JSON.parse(after)).not.toThrow()
      expect(JSON.stringify(JSON.parse(after))).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(redactJsonText(after)).toBe(after)
    }
  })

  it.each(harmlessTexts)("leaves %j alone in a literal and a nested one", (text) => {
    for (const value of [{ a: [text] }, { deep: JSON.stringify({ command: text }) }]) {
      const json = JSON.stringify(value)
      expect(redactJsonText(json)).toBe(json)
    }
  })

  it("changes only the literal that holds the secret", () => {
    const before = '{ "a" : 1.0e3,\t"p\\u0061th":"\\/x", "password" : "p\\"w" ,"n":[ 1 , "\\u00e9"] }'
    expect(redactJsonText(before)).toBe(before.replace('"p\\"w"', '"‹redacted:password›"'))
  })

  it("sees through escapes", () => {
    expect(redactJsonText('{"u":"https:\\/\\/u:hunter2@h"}')).toBe(
      '{"u":"https://u:‹redacted:url-password›@h"}'
    )
    expect(redactJsonText('{"pass\\u0077ord":"hunter2"}')).toBe('{"pass\\u0077ord":"‹redacted:password›"}')
  })

  it("takes numbers under a password's name, and no other", () => {
    expect(redactJsonText('{"password":12345678,"token":12345678,"x":1}')).toBe(
      '{"password":"‹redacted:password›","token":12345678,"x":1}'
    )
  })

  it("treats what only looks like JSON as text", () => {
    expect(redactJsonText("[info] password=hunter2]")).toBe("[info] password=‹redacted:password›]")
  })
})

describe("redact", () => {
  it("reaches every depth of a fact and leaves the original as it was", () => {
    const fact = {
      type: "HANDLER_SUCCEEDED",
      intents: [{ type: "USER_HINT", text: "use password=hunter2" }],
      patch: { env: { DB_PASSWORD: "hunter2" }, list: [["AKIAIOSFODNN7EXAMPLE"]] },
      ms: 1
    }
    const before = JSON.stringify(fact)
    expect(redact(fact)).toEqual({
      type: "HANDLER_SUCCEEDED",
      intents: [{ type: "USER_HINT", text: "use password=‹redacted:password›" }],
      patch: { env: { DB_PASSWORD: "‹redacted:password›" }, list: [["‹redacted:aws-access-key›"]] },
      ms: 1
    })
    expect(JSON.stringify(fact)).toBe(before)
  })

  it("looks at what stands around the data of a draft, and at its data", () => {
    const draft = draftOf("invocation/a", { data: { type: "EXITED", note: "fine" } })
    expect(redactDraft(draft)).toEqual(draft)
    const secret = "https://me:hunter2@host/r.git"
    for (const mark of ["session", "project", "agent", "agentEvent", "event", "toolUseId"] as const)
      expect(redactDraft({ ...draft, [mark]: secret })).toMatchObject({
        [mark]: "https://me:‹redacted:url-password›@host/r.git"
      })
    // What stood around the fact before is not looked at again, but only where it was clean.
    const leaking = { ...draft, session: secret }
    for (const again of [leaking, leaking, draft, leaking])
      expect(redactDraft(again).session).toBe(redactDraft({ ...again, stream: "invocation/b" }).session)
    expect(redactDraft(leaking).session).not.toBe(secret)
    const { data } = redactDraft({ ...draft, data: { type: "EXITED", note: secret } })
    expect(data).toEqual({ type: "EXITED", note: "https://me:‹redacted:url-password›@host/r.git" })
  })

  it("hands a clean fact back itself", () => {
    const fact = { type: "EXITED", code: 0, ms: { handling: 1.5 } }
    expect(redact(fact)).toBe(fact)
  })

  it("keeps a __proto__ member a member", () => {
    const fact = JSON.parse('{"__proto__":{"password":"hunter2"}}')
    expect(JSON.stringify(redact(fact))).toBe('{"__proto__":{"password":"‹redacted:password›"}}')
  })

  it("walks ten thousand levels", () => {
    let deep: unknown = "password=hunter2"
    for (let level = 0; level < 10_000; level++) deep = [deep]
    let after: unknown = redact(deep as object)
    while (Array.isArray(after)) after = after[0]
    expect(after).toBe("password=‹redacted:password›")
  })
})
