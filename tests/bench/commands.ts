/** Whole processes as an agent starts them: the client, the entrypoint, and the hooks that people write by hand. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { cli } from "../support/cli.ts"
import type { Candidate } from "./interleave.ts"
import type { Stage } from "./stage.ts"

/** What a hook costs that only keeps its payload for later: a name of its own, written aside, renamed. */
const spoolHook = (folder: string): string => `#!/bin/sh
set -eu
umask 077
name="${folder}/$(date +%s%N).$$"
trap 'rm -f "$name.part"' EXIT
cat >"$name.part"
mv "$name.part" "$name.json"
`

const shell = (line: string): readonly string[] => ["/bin/sh", "-c", line]

export const floors = ["sh -c :", "exec cat >>file", "shell spool hook", "node -e 0"]

/** Of a PreToolUse as most are. */
export const usualPayload = 4096

/** What a candidate of `client` is called beside those with another payload; undefined where one payload says it all. */
export const withPayload = (name: string, bytes: number): string | undefined => {
  const size = `${bytes / 1024} KB`
  if (name === "the same by sh -c") return `client by sh -c, ${size}`
  if (name === "client and host") return `client by exec, ${size}`
  return bytes === usualPayload ? name : undefined
}

export const commands = ({ home, payload, state }: Pick<Stage, "home" | "payload" | "state">) => {
  const hook = join(state, "bin", "hook")
  const entry = join(state, "bin", "entry")
  const script = join(home, "spool-hook")
  writeFileSync(script, spoolHook(home), { mode: 0o755 })
  writeFileSync(join(home, "payload"), payload(4096))
  const eightOf = (program: string) =>
    shell(`cat >/dev/null; for i in 1 2 3 4 5 6 7 8; do ${program} <'${home}/payload' & done; wait`)
  const common: readonly Candidate[] = [
    { name: "/bin/true", command: ["/bin/true"] },
    { name: "sh -c :", command: shell(":") },
    { name: "exec cat >>file", command: shell(`exec cat >>'${home}/kept'`) },
    { name: "shell spool hook", command: shell(`exec '${script}'`) },
    { name: "node -e 0", command: [process.execPath, "-e", "0"] }
  ]
  return {
    common,
    warm: [
      ...common,
      { name: "entrypoint, cache warm", command: [entry, "claude-code", "PreToolUse"] },
      { name: "the same by sh -c", command: shell(`exec '${entry}' claude-code PreToolUse`) }
    ],
    cold: [
      ...common,
      {
        name: "entrypoint, cache cold",
        command: shell(`rm -f '${state}'/build/*/*.cache; exec '${entry}' claude-code PreToolUse`)
      }
    ],
    client: [
      ...common,
      { name: "client and host", command: [hook, "claude-code", "PreToolUse"] },
      { name: "the same by sh -c", command: shell(`exec '${hook}' claude-code PreToolUse`) },
      // No hook answers this event: nothing but the way there and back, and the log.
      { name: "no handler, by sh -c", command: shell(`exec '${hook}' claude-code Notification`) },
      { name: "8 of them in parallel", command: eightOf(`'${hook}' claude-code PreToolUse`) },
      // What starting eight programs costs that do nothing.
      { name: "8 of /bin/true in parallel", command: eightOf("/bin/true") }
    ],
    /** What a person types, with calls on the log. */
    typed: [
      ...common,
      { name: "hooktape --version", command: [process.execPath, cli, "--version"] },
      { name: "hooktape show last", command: [process.execPath, cli, "show", "last"] },
      { name: "hooktape log --limit 5", command: [process.execPath, cli, "log", "--limit", "5"] }
    ],
    /** With no host, an event that no hook answers. */
    spool: [
      ...common,
      { name: "client, left for a host", command: shell(`exec '${hook}' claude-code Notification`) }
    ]
  } as const
}
