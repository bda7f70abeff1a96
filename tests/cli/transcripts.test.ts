/** The command line as its users see it. A transcript that changed is looked at, then taken over with `vitest -u`. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { play } from "../support/transcript.ts"

const directory = join(dirname(fileURLToPath(import.meta.url)), "transcripts")
const names = readdirSync(directory).filter((name) => name.endsWith(".txt"))

describe("transcripts", () => {
  it("are there", () => {
    expect(names.length).toBeGreaterThanOrEqual(4)
  })
  it.each(names)("%s", { timeout: 180_000 }, async (name) => {
    const file = join(directory, name)
    await expect(play(readFileSync(file, "utf8"))).toMatchFileSnapshot(file)
  })
})
