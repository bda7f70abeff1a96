/**
 * What runs handlers: a process of the host's, its thread, the child of a backtest. They need nearly the same code, so the package has
 * it once, under the name of the first; the others are files that load it.
 */
import { basename } from "node:path"

const mains: Readonly<Record<string, () => Promise<unknown>>> = {
  "worker.cjs": () => import("./workerMain.ts"),
  "thread.cjs": () => import("./threadMain.ts"),
  "backtest.cjs": () => import("../../tools/backtest/judgeChild.ts")
}

const name = basename(process.argv[1] ?? "")
const main = mains[name]
if (main === undefined) throw new Error(`nothing runs as ${name}`)
void main()
