/** What is said of an invocation beside its facts: that it took another one's place, or the other one its. */
import type { Recorded } from "../../../../events/Recorded.ts"
import { shortId } from "../../../features/timeline/words.ts"
import { callOf, standsFor } from "../../../history/calls.ts"

/** The invocations of one call begin soon after each other, and a log may hold a million of others. */
const usualMost = 10_000

export const makeCallRemark = (most = usualMost) => {
  const opened = new Map<string, Recorded>()
  const remember = (call: string, fact: Recorded): void => {
    opened.set(call, fact)
    if (opened.size <= most) return
    const [oldest] = opened.keys()
    if (oldest !== undefined) opened.delete(oldest)
  }
  return (fact: Recorded): string => {
    const call = callOf(fact)
    if (call === undefined) return ""
    const before = opened.get(call)
    const standing = before === undefined ? fact : standsFor(before, fact)
    remember(call, standing)
    if (before === undefined) return ""
    return standing === fact
      ? ` · in place of ${shortId(before.stream)}`
      : ` · answered by ${shortId(standing.stream)}`
  }
}
