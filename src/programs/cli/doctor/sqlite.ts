/** Whether there is an SQLite for the Node that runs: without one hooks answer, and what they record waits. */
import Sqlite from "better-sqlite3"
import { alteredAddons } from "../../../log/sqlite/addon.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { type Check, fail, ok } from "./Check.ts"

const versionHere = (): string => {
  const db = new Sqlite(":memory:")
  try {
    return String(db.prepare("SELECT sqlite_version()").pluck().get())
  } finally {
    db.close()
  }
}

/** `from`: a file of the installed package's `dist`. */
export const checkSqlite = (from: string): Check => {
  const [altered] = alteredAddons(from)
  if (altered !== undefined)
    return fail("sqlite", `${altered} is not the file that came with hooktape`, "Install hooktape anew.")
  try {
    return ok("sqlite", versionHere())
  } catch (cause) {
    return fail(
      "sqlite",
      messageOf(cause),
      "Do that where hooktape is installed. Until then hooks answer, and what they record waits."
    )
  }
}
