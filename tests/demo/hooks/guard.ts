/** A blocked command: history that others have is not rewritten. */
import { blockingFeedback, defineHook } from "hooktape"

export default defineHook({
  name: "no-force-push",
  on: "tool.before",
  when: {
    tool: "shell",
    command: /\bgit(\s+--?([cC]\s+)?[^\s-]\S*)*\s+push\b[^;&|\n]*\s(--force(?!-)|-\w*f|\+\S)/
  },
  priority: 50,
  onFailure: "block",
  run: ({ tool }) => blockingFeedback(`Use --force-with-lease instead of: ${tool.command}`)
})
