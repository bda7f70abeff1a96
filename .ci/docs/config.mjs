/** How the generator lays the pages out. */
import { readFileSync } from "node:fs"

const menu = JSON.parse(readFileSync(new URL("menu.json", import.meta.url), "utf8"))

export default {
  title: "hooktape",
  description: "Runs the hooks of AI coding agents as event-sourced state machines",
  lang: "en",
  // The path under which the site lies on its server: DOCS_BASE=/hooktape/ npm run docs
  base: process.env.DOCS_BASE ?? "/",
  // The pages have no HTML of their own: what looks like it is text.
  markdown: { html: false },
  themeConfig: {
    nav: [
      { text: "Start", link: "/" },
      { text: "Your first hook", link: "/docs/tutorial/first-hook" },
      { text: "Options", link: "/docs/reference/options/" },
      { text: "Examples", link: "/examples/" },
      { text: "Command line", link: "/docs/reference/cli" }
    ],
    sidebar: [{ text: "Documentation", items: [{ text: "All pages", link: "/docs/" }] }, ...menu],
    outline: [2, 3],
    search: { provider: "local" }
  }
}
