/** docs/reference/state.md names whatever an installation leaves on disk. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { bash, station } from "../support/entrypoint.ts"
import { unpack } from "../support/goldenState.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/reference/state.md", import.meta.url)), "utf8")

/** The paths in the first column; of a folder all that is in it, of `<id>` and `*` whatever stands there. */
const documented = page
  .split("\n")
  .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path))
  .map((path) => {
    const pattern = path
      .replace(/[.+()[\]^$]/g, "\\$&")
      .replaceAll("*", "[^/]+")
      .replaceAll(/<[a-z]+>/g, "[^/]+")
    return new RegExp(`^${pattern}${path.endsWith("/") ? "" : "$"}`)
  })

const undocumented = (state: string): readonly string[] =>
  readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(state, join(entry.parentPath, entry.name)))
    // SQLite's own, as long as somebody has the log open.
    .filter((path) => !/^log\.sqlite-(?:wal|shm)$/.test(path))
    .filter((path) => !documented.some((pattern) => pattern.test(path)))

it("has the files of an installation that was in use", () => {
  expect(documented.length).toBeGreaterThan(30)
  expect(undocumented(unpack().state)).toEqual([])
})

it("has those of a new one", async () => {
  const place = await station()
  await place.build()
  await place.fire({ input: bash("ls") })
  expect(undocumented(place.state)).toEqual([])
})
