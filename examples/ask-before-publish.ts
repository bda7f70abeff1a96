/** Has the human asked before anything is published, where the agent can ask; else it is stopped. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "ask-before-publish",
  on: "tool.before",
  onFailure: "block",
  when: { tool: "shell", command: /\b(npm|pnpm|yarn|cargo)\s+publish\b|\bgh\s+release\s+create\b/ },
  run: () => modelContext({ permission: "ask", reason: "What is published cannot be taken back." })
})
