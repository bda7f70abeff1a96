/** On which stream an agent's session stands, as its transcript tells it. Apart from the schemas of what stands there: bundles bring no schema library. */
export const observedPrefix = "transcript/"
export const observedStream = (agent: string, session: string): string =>
  `${observedPrefix}${agent}/${session}`
