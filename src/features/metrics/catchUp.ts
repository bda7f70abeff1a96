/** Brings the tables of metrics up to the end of the log, and asks them. */
import { openProjection, type Round, type Steps } from "../../log/projection.ts"
import { metricsProjection } from "./tables.ts"

export const openMetrics = (file: string, round: Round = {}): Steps =>
  openProjection(file, metricsProjection, round)
