/** Keeps the agent from editing what is generated, locked, or secret. Change the globs to yours. */
import { blockingFeedback, defineHook } from "hooktape"

export default defineHook({
  name: "protect-paths",
  on: "tool.before",
  when: {
    tool: "edit",
    path: ["**/.env", "**/.env.*", "**/*.lock", "**/{package-lock.json,pnpm-lock.yaml,go.sum}", "dist/**"]
  },
  run: ({ tool }) =>
    blockingFeedback(`${tool.path ?? "This file"} is not to be edited by hand: change what it is made from.`)
})
