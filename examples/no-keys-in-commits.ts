/** Stops a commit that would have a private key or a token in it. */
import { blockingFeedback, defineHook } from "hooktape"

const secret = /^\+.*(-----BEGIN [A-Z ]*PRIVATE KEY-----|\bghp_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b)/m

export default defineHook({
  name: "no-keys-in-commits",
  on: "tool.before",
  priority: 50,
  when: { tool: "shell", command: /\bgit\b.*\bcommit\b/ },
  run: async ({ services }) => {
    const { stdout } = await services.run("git", ["diff", "--cached", "--unified=0"], {
      maxOutput: 1_000_000
    })
    return secret.test(stdout)
      ? blockingFeedback("What is staged holds a key or a token. Take it out, then commit.")
      : undefined
  }
})
