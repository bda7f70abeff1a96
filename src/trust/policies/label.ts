/** How it is said which version of a team's policy brought a hook: in front of where the hook is found, wherever that is recorded. */

export const labelOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `policy ${name} ${version}`

const labelled = /^(policy [a-z][a-z0-9-]* [\w.+-]+): /

/** Undefined for a hook that no policy brought. */
export const labelIn = (source: string): string | undefined => labelled.exec(source)?.[1]
