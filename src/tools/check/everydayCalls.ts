/**
 * What agents do all day, as they ask hooks about it: calls that a project's guards are tried on where nobody has a log, as in continuous
 * integration. None of them deletes, publishes or rewrites what others have.
 */
import type { JsonObject } from "../../../events/intents.ts"

export interface EverydayCall {
  /** As Claude Code calls the tool. */
  readonly tool: string
  readonly input: JsonObject
  /** In a line. */
  readonly subject: string
}

const commands = [
  "ls -la",
  "pwd",
  "cat package.json",
  "head -50 README.md",
  "grep -rn 'deprecated' src | head -20",
  "rg --files -g '*.ts' | wc -l",
  "find . -name '*.py' -not -path './.venv/*'",
  "sed -n '1,80p' src/index.ts",
  "mkdir -p src/components",
  "cp config.example.json config.json",
  "mv src/old.ts src/new.ts",
  "touch src/empty.ts",
  "rm src/unused.ts",
  "rm -rf node_modules && npm ci",
  "rm -rf dist build coverage",
  "chmod +x scripts/run.sh",
  "git status --short",
  "git diff --stat",
  "git log --oneline -10",
  "git checkout -b feature/login",
  "git add src/index.ts && git commit -m 'Add login'",
  "git commit --amend --no-edit",
  "git stash && git stash pop",
  "git fetch origin && git rebase origin/main",
  "git push -u origin feature/login",
  "gh pr create --fill",
  "gh pr view 12 --comments",
  "npm install",
  "npm install --save-dev vitest",
  "npm test",
  "npm run build",
  "npm run lint -- --fix",
  "npx tsc --noEmit",
  "npx prettier --write src",
  "pnpm install --frozen-lockfile",
  "yarn test --watchAll=false",
  "node scripts/report.js > report.txt",
  "python -m pytest -q",
  "python3 -m venv .venv && . .venv/bin/activate",
  "pip install -r requirements.txt",
  "uv run ruff check .",
  "cargo build --release",
  "cargo test",
  "go test ./...",
  "go mod tidy",
  "make test",
  "mvn -q test",
  "./gradlew build",
  "bundle exec rspec",
  "composer install",
  "dotnet test",
  "docker compose up -d",
  "docker build -t app .",
  "docker logs app --tail 50",
  "kubectl get pods",
  "terraform plan",
  "curl -s http://localhost:3000/health",
  "jq '.version' package.json",
  "echo $PATH",
  "export NODE_ENV=test && npm test"
]

const others: readonly (readonly [tool: string, input: JsonObject, subject: string])[] = [
  ["Read", { file_path: "src/index.ts" }, "src/index.ts"],
  ["Read", { file_path: "README.md" }, "README.md"],
  ["Edit", { file_path: "src/index.ts", old_string: "a", new_string: "b" }, "src/index.ts"],
  ["Edit", { file_path: "tests/index.test.ts", old_string: "a", new_string: "b" }, "tests/index.test.ts"],
  ["Edit", { file_path: "package.json", old_string: "1.0.0", new_string: "1.0.1" }, "package.json"],
  ["Write", { file_path: "src/login.ts", content: "export {}\n" }, "src/login.ts"],
  ["Write", { file_path: "docs/login.md", content: "# Login\n" }, "docs/login.md"],
  ["Write", { file_path: "app/main.py", content: "print()\n" }, "app/main.py"],
  ["Glob", { pattern: "**/*.ts" }, "**/*.ts"],
  ["Grep", { pattern: "login", path: "src" }, "login"],
  ["WebFetch", { url: "https://example.org/docs", prompt: "What does it say?" }, "https://example.org/docs"],
  ["Task", { description: "Look", prompt: "Find the tests.", subagent_type: "Explore" }, "Look"]
]

export const everydayCalls: readonly EverydayCall[] = [
  ...commands.map((command) => ({ tool: "Bash", input: { command }, subject: command })),
  ...others.map(([tool, input, subject]) => ({ tool, input, subject: `${tool} ${subject}` }))
]
