/** What machines and their actors are called. Pure. */

/** All of a kind, and one of them. */
const titles: Readonly<Record<string, readonly [string, string]>> = {
  invocation: ["Invocations", "Invocation"],
  job: ["Jobs", "Job"],
  session: ["Sessions", "Session"],
  host: ["Host", "Host"],
  breaker: ["Breaker", "Breaker"],
  handlers: ["Handler processes", "Handler process"],
  chain: ["Chains", "Chain"]
}

const titlesOf = (machine: string): readonly [string, string] => {
  const words = machine.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^./, (first) => first.toUpperCase())
  return titles[machine] ?? [words, words]
}

export const machineTitle = (machine: string): string => titlesOf(machine)[0]
export const actorTitle = (machine: string): string => titlesOf(machine)[1]
