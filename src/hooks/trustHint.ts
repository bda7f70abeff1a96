/** What the human is told when hook files of a project are left out. Light: the loader says it too. */

/** The end of the reason of what no trust helps. */
export const nameTaken = "has the name of one of your own hooks"

export const trustHint = (
  withheld: readonly { readonly file: string; readonly reason: string }[]
): string | undefined => {
  const taken = withheld.filter(({ reason }) => reason.endsWith(nameTaken)).length
  const count = withheld.length - taken
  const [files, them] =
    count === 1 ? ["1 file of this project is", "it"] : [`${count} files of this project are`, "them"]
  const hooks = taken === 1 ? "1 hook of this project has" : `${taken} hooks of this project have`
  const names = taken === 1 ? "the name of one" : "the names"
  const said = [
    ...(count === 0 ? [] : [`${files} not trusted. Read ${them}, then run "hooktape trust".`]),
    ...(taken === 0 ? [] : [`${hooks} ${names} of your own and ${taken === 1 ? "does" : "do"} not run.`])
  ]
  return said.length === 0 ? undefined : `hooktape: ${said.join(" ")}`
}

/** The beginning of the reason of what no trust helps either. */
export const brokenReason = "does not build"

/** What the human is told when what runs is not what the files say now. */
export const heldHint = (
  held: readonly { readonly file: string; readonly reason: string }[]
): string | undefined => {
  const broken = held.filter(({ reason }) => reason.startsWith(brokenReason))
  const changed = held.filter(({ reason }) => !reason.startsWith(brokenReason))
  const named = ([only, ...more]: readonly { readonly file: string }[]): string =>
    more.length === 0 ? `${only?.file} is` : `${more.length + 1} files are`
  const said = [
    ...(changed.length === 0
      ? []
      : [
          `${named(changed)} not as you trusted ${changed.length === 1 ? "it; its last trusted version runs" : "them; their last trusted versions run"} on. See what changed and decide: "hooktape trust".`
        ]),
    ...(broken.length === 0
      ? []
      : [
          `${named(broken)} broken; ${broken.length === 1 ? "the last version that worked runs" : "the last versions that worked run"} on. Run "hooktape build".`
        ])
  ]
  return said.length === 0 ? undefined : `hooktape: ${said.join(" ")}`
}
