/** The files of the page. Which there are is read once: a path is looked up among their names and never opened by itself. */
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8"
}

export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
}

const document = "index.html"

/** Throws where the page was not built. Every path without a file is the document's: the page has its views in paths. */
export const readPage = (folder: string): ((path: string) => PageFile | undefined) => {
  const files = new Map(
    readdirSync(folder)
      .filter((name) => extname(name) in types)
      .map((name): [string, PageFile] => [
        `/${name}`,
        { type: types[extname(name)] ?? "", bytes: readFileSync(join(folder, name)) }
      ])
  )
  const whole = files.get(`/${document}`)
  if (whole === undefined) throw new Error(`there is no ${document} in ${folder}`)
  return (path) => files.get(path) ?? (/^\/[^/]*\.\w+$/.test(path) ? undefined : whole)
}
