/** What of the environment is recorded with an invocation: names that explain a run and hold no secrets. */

import { projectVariables } from "../agents/about.ts"

export const allowedNames: ReadonlySet<string> = new Set([
  "HOOKTAPE",
  "HOOKTAPE_HOST",
  "HOOKTAPE_FALLBACK",
  "HOOKTAPE_FAIL_LOUD_THRESHOLD",
  "HOOKTAPE_LOG_LEVEL",
  "HOOKTAPE_SESSION_MONITOR",
  "HOOKTAPE_SESSION_MONITOR_DEEP",
  "CLAUDECODE",
  "CLAUDE_EFFORT",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_REMOTE",
  "CODEX_HOME",
  "GEMINI_CWD",
  "GEMINI_SESSION_ID",
  "CURSOR_VERSION",
  ...projectVariables,
  "TRACEPARENT",
  "TERM_PROGRAM",
  "CI"
])

export const allowedEnvironment = (get: (name: string) => string | undefined): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const name of allowedNames) {
    const value = get(name)
    if (value !== undefined) kept[name] = value
  }
  return kept
}
