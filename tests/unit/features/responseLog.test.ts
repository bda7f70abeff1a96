/** What is kept with an answer of the model. */
import { describe, expect, it } from "vitest"
import { describeResponse, responseLog } from "../../../src/features/responseLog/responseLog.ts"

describe("response-log", () => {
  it.each([
    ["Done.", "5 characters"],
    ["x", "1 character"],
    ["Fixed it:\n```ts\nconst a = 1 // why?\n```\n", "40 characters, 1 code block"],
    ["```\na?\n```\nand\n```\nb\n```\nDone.", "30 characters, 2 code blocks"],
    ["I can do A or B. Shall I do **A**?", "34 characters, asks: Shall I do **A**?"],
    ["Why? Because of the cache.", "26 characters"],
    ["Soll ich auch die Tests anpassen?  \n", "36 characters, asks: Soll ich auch die Tests anpassen?"]
  ])("says of %j: %s", (text, said) => expect(describeResponse(text)).toBe(said))

  const run = (text: string, settings: object) => responseLog.run({ text, settings } as never)

  it("keeps as much of the text as it is set to, and no half secret at its end", () => {
    expect(run("Hello there", { longest: 5 })).toMatchObject({ message: "11 characters\n\nHello…" })
    expect(run("Hello", { longest: 0 })).toMatchObject({ message: "5 characters" })
    expect(run("Hello", { longest: "many" })).toMatchObject({ message: "5 characters\n\nHello" })
    const secret = `token ghp_${"a1B2".repeat(9)}`
    const { message } = run(secret, { longest: 20 }) as { message: string }
    expect(message).not.toContain("ghp_a1")
  })
})
