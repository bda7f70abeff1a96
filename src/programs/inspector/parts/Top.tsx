/** Title of the view, search, theme, help. */
import { isHelpOpen } from "../core/keys.ts"
import { view } from "../core/router.ts"
import { switchTheme, theme } from "../core/theme.ts"
import { Icon } from "./icons.tsx"
import { Search } from "./Search.tsx"

const titles: Readonly<Record<string, readonly [string, string]>> = {
  live: ["Live", "what was blocked, what waits now"],
  call: ["Call", "one invocation, fact by fact"],
  session: ["Sessions", "turns, tools, what each hook cost"],
  actors: ["Actors", "every machine, in its state"],
  log: ["Log", "every fact, newest first"],
  whatif: ["What-if", "old and new, side by side"],
  hooks: ["Hooks", "health of each hook"],
  chains: ["Chains", "problems, what was tried, what helped"],
  metrics: ["Metrics", "with n, coverage and definition"],
  jobs: ["Jobs", "work after the reply"],
  health: ["Health", "what was inspected"]
}

export const Top = () => {
  const [title, crumb] = titles[view.value] ?? ["Not here", ""]
  return (
    <header class="top">
      <h1>{title}</h1>
      <span class="crumb ell">{crumb}</span>
      <span class="sp" />
      <Search />
      <button
        type="button"
        class="btn only"
        onClick={switchTheme}
        aria-label={theme.value === "dark" ? "Light theme" : "Dark theme"}
      >
        <Icon name="theme" />
      </button>
      <button
        type="button"
        class="btn only"
        aria-label="Keys"
        onClick={() => {
          isHelpOpen.value = true
        }}
      >
        ?
      </button>
    </header>
  )
}
