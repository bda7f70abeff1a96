/**
 * The documentation as static pages with a search, in dist/site: `npm run docs`. The pages are those of the repository, laid out as
 * the generator wants them; the menu is docs/README.md, so what stands there is found.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

const here = import.meta.dirname
const root = fileURLToPath(new URL("../../", import.meta.url))
const staged = join(here, "pages")
const site = join(root, "dist", "site")

const read = (path) => readFileSync(path, "utf8")
const files = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).split(sep).join("/"))

const examples = files("examples", ".ts")
const sources = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "examples/README.md",
  ...files("docs", ".md").filter((path) => path !== "docs/requirements.md")
]
/** What is shown as it is, for whoever follows a link to it. */
const plain = { LICENSE: "LICENSE.txt", "docs/reference/inspector-api.json": "inspector-api.json" }

/** Where a file of the repository is found among the pages. */
const placeOf = (path) => {
  if (examples.includes(path)) return path.replace(/\.ts$/, ".md")
  return basename(path) === "README.md" ? join(dirname(path), "index.md") : path
}
const known = new Set([...sources, ...examples])

const linked = (page, target) => {
  if (/^(?:[a-z]+:|#)/.test(target)) return target
  const [path, anchor] = target.split("#")
  const file = relative(root, resolve(root, dirname(page), path))
    .split(sep)
    .join("/")
  const from = dirname(placeOf(page))
  if (plain[file] !== undefined) return `/${plain[file]}`
  if (known.has(file)) {
    const to = relative(from, placeOf(file)).split(sep).join("/")
    return `${to.startsWith(".") ? to : `./${to}`}${anchor === undefined ? "" : `#${anchor}`}`
  }
  // Pictures lie beside their pages; sources, and pages for those who work on hooktape, are found in the package.
  return /\.(?:svg|png)$/.test(file) ? target : undefined
}

/** With its links as they lead here. What stands in code is no link, and the marks of generated parts are for nobody. */
const laidOut = (page, text) => {
  let isCode = false
  const lines = text.split("\n").filter((line) => !/^<!--.*-->$/.test(line))
  return lines
    .map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      if (isCode) return line
      return line.replace(
        /`[^`]*`|(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g,
        (whole, mark, label, target) => {
          if (target === undefined) return whole
          const to = linked(page, target)
          return to === undefined ? label : `${mark}[${label}](${to})`
        }
      )
    })
    .join("\n")
}

const stage = (path, text) => {
  mkdirSync(dirname(join(staged, path)), { recursive: true })
  writeFileSync(join(staged, path), text)
}

const exampleOf = (path) =>
  `# ${basename(path)}\n\n[All examples](./index.md)\n\n\`\`\`\`ts\n${read(join(root, path)).trimEnd()}\n\`\`\`\`\n`

/** The list of pages in docs/README.md: a heading for each part, an item for each page. */
const menu = () => {
  const parts = []
  for (const line of read(join(root, "docs/README.md")).split("\n")) {
    const heading = /^## (.+)$/.exec(line)
    if (heading) parts.push({ text: heading[1], collapsed: heading[1] === "Decisions", items: [] })
    const item = /^- (?:\*\*)?\[([^\]]+)\]\(([^)]+)\)/.exec(line)
    if (item === null || parts.length === 0) continue
    const file = relative(root, resolve(root, "docs", item[2]))
      .split(sep)
      .join("/")
    if (known.has(file)) parts.at(-1).items.push({ text: item[1], link: `/${placeOf(file)}` })
  }
  return parts
}

const npm = process.platform === "win32" ? "npm.cmd" : "npm"
const run = (program, ...args) => {
  const { status } = spawnSync(program, args, { cwd: here, stdio: "inherit" })
  if (status !== 0) throw new Error(`${basename(program)} ${args.join(" ")} ended with ${status}`)
}

const generator = join(here, "node_modules", "vitepress", "bin", "vitepress.js")
if (!existsSync(generator)) run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")

rmSync(staged, { recursive: true, force: true })
for (const path of sources) stage(placeOf(path), laidOut(path, read(join(root, path))))
for (const path of examples) stage(placeOf(path), exampleOf(path))
for (const [path, name] of Object.entries(plain)) stage(join("public", name), read(join(root, path)))
cpSync(join(root, "docs/pictures"), join(staged, "docs/pictures"), { recursive: true })
stage(join(".vitepress", "menu.json"), JSON.stringify(menu(), null, 2))
cpSync(join(here, "config.mjs"), join(staged, ".vitepress", "config.mjs"))
rmSync(site, { recursive: true, force: true })
run(process.execPath, generator, "build", staged, "--outDir", site)
console.log(`${relative(root, site)}: ${files("dist/site", ".html").length} pages`)
