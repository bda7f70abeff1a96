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
