/** Light or dark: as the system has it, until somebody chooses. */
import { signal } from "@preact/signals"

const key = "hooktape-theme"
type Theme = "light" | "dark"

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")

export const theme = signal<Theme>("light")

export const applyTheme = (): void => {
  const chosen = localStorage.getItem(key)
  const show = (next: Theme): void => {
    theme.value = next
    document.documentElement.dataset["theme"] = next
  }
  show(chosen === "light" || chosen === "dark" ? chosen : system())
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (localStorage.getItem(key) === null) show(system())
  })
}

export const switchTheme = (): void => {
  const next = theme.value === "dark" ? "light" : "dark"
  localStorage.setItem(key, next)
  theme.value = next
  document.documentElement.dataset["theme"] = next
}

const read = new Map<string, string>()
let readFor: Theme | undefined

/** A colour of the style sheet, for what is drawn on a canvas. */
export const colour = (name: string): string => {
  if (readFor !== theme.value) read.clear()
  readFor = theme.value
  const known = read.get(name)
  if (known !== undefined) return known
  const probe = document.createElement("i")
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  read.set(name, found)
  return found
}
