/** What a build has to know of a hook that comes with the package. */
import type { Hook } from "../hooks/defineHook.ts"

export interface Shipped {
  /** The module in this folder, without its ending, named after the hook that it exports. */
  readonly module: string
  readonly hook: Hook
  /** Stands guard for the user: a project can neither replace it nor change its settings. */
  readonly isGuard?: true
  /** It changes files, or tells the model more than fixes that are proven and a short briefing: no part of the quiet set. */
  readonly isNotQuiet?: true
  /** The key of the configuration that switches it off together with others. */
  readonly part?: "learning"
  /** The option of others' hooks for whose sake a build has it: nobody chooses it, or has its name. */
  readonly serves?: "deliver"
}
