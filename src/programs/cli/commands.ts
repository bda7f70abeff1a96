/** Every command by its name, in the order of the help. What a command needs is loaded when it is asked for. */
import type { Command } from "./syntax/Command.ts"

export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  init: () => import("./commands/init.ts"),
  trust: () => import("./commands/trust.ts"),
  build: () => import("./commands/build.ts"),
  install: () => import("./commands/install.ts"),
  uninstall: () => import("./commands/uninstall.ts"),
  doctor: () => import("./commands/doctor.ts"),
  import: () => import("./commands/import.ts"),
  run: () => import("./commands/run.ts"),
  test: () => import("./commands/test.ts"),
  explain: () => import("./commands/explain.ts"),
  log: () => import("./commands/log.ts"),
  show: () => import("./commands/show.ts"),
  inspect: () => import("./commands/inspect.ts"),
  replay: () => import("./commands/replay.ts"),
  backtest: () => import("./commands/backtest.ts"),
  note: () => import("./commands/note.ts"),
  notes: () => import("./commands/notes.ts"),
  search: () => import("./commands/search.ts"),
  chains: () => import("./commands/chains.ts"),
  checkpoint: () => import("./commands/checkpoint.ts"),
  checkpoints: () => import("./commands/checkpoints.ts"),
  metrics: () => import("./commands/metrics.ts"),
  hooks: () => import("./commands/hooks.ts"),
  jobs: () => import("./commands/jobs.ts"),
  actors: () => import("./commands/actors.ts"),
  host: () => import("./commands/host.ts"),
  forget: () => import("./commands/forget.ts"),
  docs: () => import("./commands/docs.ts"),
  completions: () => import("./commands/completions.ts")
}
