/** What passes between the host and the thread that works for it. A seat is one lease; several are under way at once. */
import type { FromWorker, ToWorker } from "./messages.ts"

export type ToThread =
  | { readonly type: "for"; readonly seat: number; readonly message: ToWorker }
  /** Nobody waits for it any more: what it started is ended. */
  | { readonly type: "leave"; readonly seat: number }
  /** To be answered at once. */
  | { readonly type: "alive" }
  /** Nobody waits: a moment to give memory back. */
  | { readonly type: "compact" }

export type FromThread =
  | { readonly type: "from"; readonly seat: number; readonly message: FromWorker }
  | { readonly type: "alive" }
  /** Something failed that nobody waited for. */
  | { readonly type: "trouble"; readonly problem: string }
  /** Of the projections; said when they change. */
  | { readonly type: "states"; readonly states: Readonly<Record<string, string>> }
