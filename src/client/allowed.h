/* The variables that may be kept with a call: the list of src/entry/environment.ts. */
static const char *const allowed[] = {
  "HOOKTAPE",
  "HOOKTAPE_HOST",
  "HOOKTAPE_FALLBACK",
  "HOOKTAPE_FAIL_LOUD_THRESHOLD",
  "HOOKTAPE_LOG_LEVEL",
  "CLAUDECODE",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_EFFORT",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_REMOTE",
  "CODEX_HOME",
  "GEMINI_PROJECT_DIR",
  "GEMINI_CWD",
  "GEMINI_SESSION_ID",
  "TERM_PROGRAM",
  "CI",
};
