/** The descriptors of a process that runs handlers: none that a program would try leads to the host. */
import type { StdioOptions } from "node:child_process"

/** As the native client does it for the entrypoint: src/programs/client/parent.c. */
const lastEmptied = 20
/** Where its way to the host is. */
export const channelDescriptor = 200

type Output = number | "ignore"

/** `nothing`: a descriptor of the null device. What Node opens for itself in the new process comes after those. */
export const descriptorsOf = (
  output: readonly [Output, Output],
  nothing: Output
): Exclude<StdioOptions, string> =>
  Array.from({ length: channelDescriptor + 1 }, (_, at) => {
    if (at === 1 || at === 2) return output[at - 1]
    if (at === channelDescriptor) return "pipe"
    return at > 0 && at <= lastEmptied ? nothing : "ignore"
  })
