/** Tools that are told at a glance: what passes there, the guards that read it have no word on, and would not look at the disk for one. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { glance, isPlain } from "../../../src/features/guard/plain.ts"
import { ruleIds } from "../../../src/features/guard/rule.ts"
import { shellGuards } from "../../../src/features/guard/shellGuards.ts"
import { madeOfTools } from "../../support/client/plainTools.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "plain-")))
const home = join(root, "home")
const project = join(home, "work")
const state = join(root, "hooktape")
for (const folder of [join(home, ".claude"), join(project, ".claude"), join(project, ".git"), state])
  mkdirSync(folder, { recursive: true })
for (const folder of [home, project]) writeFileSync(join(folder, ".claude", "settings.json"), "{}")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const environment = { HOME: home, HOOKTAPE_HOME: state }
const place = { project, cwd: project, home, temporary: ["/tmp"], environment }

/** A script of a package is looked at where it is started. */
const isReadForIt = (command: string): boolean =>
  (!glance(command).startsScript && !shellGuards.isCleared(command, place)) ||
  shellGuards.weakenedByShell(command, { cwd: project, project, home, env: environment }) !== undefined

/** Every text in a set of labelled commands, however it is laid out, and those of them that have the name of a rule beside them. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value]
  if (value instanceof Map || value instanceof Set) return textsIn([...value])
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}
const stoppedIn = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return []
  const [command, label] = Array.isArray(value) ? (value as readonly unknown[]) : []
  const isStopped = typeof command === "string" && (ruleIds as readonly unknown[]).includes(label)
  return [...(isStopped ? [command] : []), ...Object.values(value).flatMap(stoppedIn)]
}

const labelled = join(import.meta.dirname, "..", "..", "support", "labelled")
const sets: readonly unknown[] = await Promise.all(
  readdirSync(labelled).map((name): Promise<unknown> => import(join(labelled, name)))
)

describe("a tool that is told at a glance", () => {
  it("is none that one of the guards has a word on, whatever it is given", () => {
    const plain = madeOfTools(40_000, home, state).filter(isPlain)
    expect(plain.length).toBeGreaterThan(10_000)
    expect(plain.filter(isReadForIt)).toEqual([])
  }, 120_000)

  it("is nothing of what is labelled and they have a word on", () => {
    const stopped = sets.flatMap(stoppedIn)
    expect(stopped.length).toBeGreaterThan(1000)
    expect(stopped.filter(isPlain)).toEqual([])
    const plain = sets.flatMap(textsIn).filter((text) => text.includes(" ") && isPlain(text))
    expect(plain.length).toBeGreaterThan(50)
    expect(plain.filter(isReadForIt)).toEqual([])
  })

  it.each([
    "go test -exec sh ./...",
    "go build -o ../x ./...",
    "go test -C .claude ./...",
    "go env -w GOFLAGS=-toolexec=x",
    "go test .claude/x",
    "cd ~/.claude && npx prettier --check settings.json",
    "mix ecto.drop",
    "mix format .claude/settings.json",
    "cargo run",
    "cargo test --config x.toml",
    "pytest -p x",
    "pytest --basetemp=/home/x",
    "pytest -xo cache_dir=/x",
    "python x.py",
    "uv run python -c x",
    "uv run x.py",
    "ruff check --fix .",
    "pylint --output-format=text:x a.py",
    "npx some-package",
    "npx -p evil tsc",
    "npx tsc --outFile x",
    "eslint -c x.js .",
    "eslint -o x .",
    "prettier --write .",
    "bun test --preload x.ts",
    "bun run deploy",
    "deno test https://x.y/z.ts",
    "mvn test deploy",
    "dotnet build /t:Clean",
    "actionlint -shellcheck sh",
    "gh pr merge 1",
    "gh auth status --show-token",
    "docker rm x",
    "kubectl get secrets -A -o yaml",
    "kubectl get pods,secrets -A",
    "npm audit fix",
    "git push --force",
    "git push origin +main",
    "git push origin :main",
    "git push --delete origin x",
    "git fetch --upload-pack=sh origin",
    "git tag -d v1",
    "git stash drop",
    "git reflog expire --all",
    "git config user.name x",
    "git commit --amend",
    "git commit -F x",
    "tree -o x",
    "uniq a b",
    "xxd a b",
    "xxd -r a",
    "printf -v 'a[$(id)]' x",
    "test -v 'a[$(id)]'",
    "date -s 10:00",
    "date 010101012030",
    "hostname x",
    // Secrets of several places.
    "cat ~/.ssh/id_rsa ~/.aws/credentials",
    "cat ~/.ssh/id_*",
    "cd ~/.ssh && cat *",
    "cd ~/.ssh && head a b",
    "strings a.pem b.KEY",
    // What a document says may be an option, or more than text for some shell.
    "git diff \"$(cat <<'EOF'\n--output=x\nEOF\n)\"",
    "cat \"$(cat <<'EOF'\nx\nEOF\n)\"",
    'git commit -m "$(cat <<EOF\nx\nEOF\n)"',
    "git commit -m \"$(cat <<'EOF'\n$(id)\nEOF\n)\"",
    "git commit -m \"$(cat <<'EOF'\nx\nEOF\nid\nEOF\n)\"",
    'git commit -m "a\\"; id"',
    'echo "a\\\nb"',
    // However its name is quoted.
    "git commit -m HOOK''TAPE=0",
    'git commit -m "HOOKTAPE: 0"'
  ])("is not %j", (command) => {
    expect(isPlain(command)).toBe(false)
  })
})
