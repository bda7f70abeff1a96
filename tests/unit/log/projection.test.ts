/** A file that is no log costs whoever asks again and again no descriptor. */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { timelineProjection } from "../../../src/features/timeline/tables.ts"
import { openProjection } from "../../../src/log/projection.ts"

it.skipIf(process.platform !== "linux")(
  "a file that is no log is let go of each time that it is opened",
  () => {
    const file = join(mkdtempSync(join(homedir(), "projection-")), "log.sqlite")
    writeFileSync(file, "no database at all, and long enough to be read as one".repeat(40))
    const open = (): number => readdirSync("/proc/self/fd").length
    const before = open()
    for (let nth = 0; nth < 20; nth++)
      expect(() => openProjection(file, timelineProjection)).toThrow("file is not a database")
    expect(open()).toBeLessThanOrEqual(before)
  }
)
