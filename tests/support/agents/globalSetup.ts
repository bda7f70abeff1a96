/** Installs the agents before the first test, while the real home and its package settings are still visible. */
import { agentsCache, installAgents } from "./install.ts"

export const setup = async (): Promise<void> => {
  const cache = agentsCache()
  await installAgents(cache)
  process.env["HOOKTAPE_TEST_AGENTS_CACHE"] = cache
}
