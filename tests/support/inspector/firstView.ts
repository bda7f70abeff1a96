/** What a browser loads of the inspector's page before it draws the first view. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The document's file and those that it names: style, script, and what that imports at its start. */
export const firstView = (page: string): readonly string[] => {
  const document = readFileSync(join(page, "index.html"), "utf8")
  return ["index.html", ...[...document.matchAll(/(?:href|src)="\/([^"]+)"/g)].map(([, name = ""]) => name)]
}
