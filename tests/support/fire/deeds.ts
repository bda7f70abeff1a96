/** A hook that does to a descriptor what a call asks for: it writes to it, closes it, hands it on or floods it. */

/** What is done; a call names the deed and the descriptor. */
const deeds = {
  writes: 'writeSync(fd, "a line\\n")',
  closes: "closeSync(fd)",
  duplicates: 'spawnSync("/bin/sh", ["-c", "echo a line; echo a line >&2"], { stdio: ["ignore", fd, fd] })',
  floods: 'for (let nth = 0; nth < 40; nth++) writeSync(fd, "x".repeat(65536))'
}

export const does = `import { spawnSync } from "node:child_process"
import { closeSync, writeSync } from "node:fs"
import { defineHook } from "hooktape"
const deeds: any = { ${Object.entries(deeds)
  .map(([name, code]) => `${name}: (fd: number) => { ${code} }`)
  .join(",\n")} }
export default defineHook({ name: "does", on: "tool.before", priority: 1, when: { command: /^deed / }, run: ({ tool }) => {
  const [, deed, fd] = tool.command.split(" ")
  try { deeds[deed](Number(fd)) } catch {}
} })
`

/** Every deed to every descriptor that a process may have been given. */
export const everyDeed = Object.keys(deeds).flatMap((deed) =>
  Array.from({ length: 21 }, (_, fd) => ({ deed, fd, id: `${deed}-${fd}`, command: `deed ${deed} ${fd}` }))
)
