/** What the human is told when hook files of a project are left out, or run as they last were. Light: the loader says it too. */

import type { WithheldFile, WithheldKind } from "../../state/manifest.ts"

type Kind = WithheldKind | "open"

/** By what is to be done about them. */
export const sorted = (files: readonly WithheldFile[]): Readonly<Record<Kind, readonly WithheldFile[]>> => {
  const of = (wanted: Kind) => files.filter(({ kind = "open" }) => kind === wanted)
  return {
    taken: of("taken"),
    broken: of("broken"),
    gone: of("gone"),
    unstarted: of("unstarted"),
    revoked: of("revoked"),
    policy: of("policy"),
    open: of("open")
  }
}

/** What helps against these, in the order in which it is to be done. */
export const remediesFor = (files: readonly WithheldFile[]): readonly string[] => {
  const { broken, gone, open, policy, revoked, taken, unstarted } = sorted(files)
  return [
    ...(broken.length === 0 ? [] : ['Correct what does not build: "hooktape check" says what is wrong.']),
    ...(open.length === 0 ? [] : ['Read what is not trusted, then run "hooktape trust".']),
    ...(gone.length === 0 ? [] : ['Put back what is gone, or let it go with "hooktape trust".']),
    ...(taken.length === 0 ? [] : ["Give the hook whose name is taken another name."]),
    ...(unstarted.length === 0 ? [] : ['Give back the leave to execute what lost it: "chmod +x".']),
    ...(policy.length === 0 ? [] : ["Ask whoever signs the policy for the file as it was signed."]),
    ...(revoked.length === 0
      ? []
      : [
          'What was revoked stays so, unless "hooktape trust --again DIGEST" says otherwise ("hooktape trust list" has the digest).'
        ])
  ]
}

/** Of one file with its name, of more with their number; of none, nothing. */
const told = (files: readonly WithheldFile[], one: string, more: string): readonly string[] => {
  const [first] = files
  if (first === undefined) return []
  return [files.length === 1 ? `${first.file} ${one}` : `${files.length} files of this project ${more}`]
}

export const trustHint = (withheld: readonly WithheldFile[]): string | undefined => {
  const { broken, gone, open, policy, revoked, taken, unstarted } = sorted(withheld)
  const again = '"hooktape trust list" has the digest for "hooktape trust --again".'
  const said = [
    ...told(
      broken,
      'does not build and does not run. "hooktape check" says why.',
      'do not build and do not run. "hooktape check" says why.'
    ),
    ...told(
      gone,
      'was trusted and is gone. Put it back, or let it go: "hooktape trust".',
      'were trusted and are gone. Put them back, or let them go: "hooktape trust".'
    ),
    ...told(
      unstarted,
      'was trusted and does not run: it is not executable. Run "chmod +x".',
      'were trusted and do not run: they are not executable. Run "chmod +x".'
    ),
    ...policy.map(({ file, reason }) => `${file}: ${reason}; none of its hooks runs.`),
    ...told(revoked, `was revoked and is left out; ${again}`, `were revoked and are left out; ${again}`),
    ...(open.length === 1
      ? ['1 file of this project is not trusted. Read it, then run "hooktape trust".']
      : told(open, "", 'are not trusted. Read them, then run "hooktape trust".')),
    ...(taken.length === 1
      ? ["1 hook of this project has a name that is taken and does not run."]
      : taken.length > 1
        ? [`${taken.length} hooks of this project have names that are taken and do not run.`]
        : [])
  ]
  return said.length === 0 ? undefined : `hooktape: ${said.join(" ")}`
}

/** What the human is told when what runs is not what the files say now. */
export const heldHint = (held: readonly WithheldFile[]): string | undefined => {
  const { broken, gone, open, policy, revoked, taken } = sorted(held)
  const named = ([only, ...more]: readonly WithheldFile[]): string =>
    more.length === 0 ? `${only?.file} is` : `${more.length + 1} files are`
  const changed = [...open, ...taken]
  const said = [
    ...(changed.length === 0
      ? []
      : [
          // The reason names what is another: of a hook's helper its own file would be the wrong one to look at.
          `${changed.length === 1 ? `${changed[0]?.file}: ${changed[0]?.reason}; its last trusted version runs` : `${changed.length} files are not as you trusted them; their last trusted versions run`} on. See what changed and decide: "hooktape trust".`
        ]),
    ...(gone.length === 0
      ? []
      : [
          `${named(gone)} gone; what you trusted last counts on. Put it back, or let it go: "hooktape trust".`
        ]),
    ...policy.map(({ file, reason }) => `${file}: ${reason}.`),
    ...(revoked.length === 0 ? [] : [`${named(revoked)} revoked; the version trusted before counts.`]),
    ...(broken.length === 0
      ? []
      : [
          `${named(broken)} broken; ${broken.length === 1 ? "the last version that worked runs" : "the last versions that worked run"} on. Run "hooktape build".`
        ])
  ]
  return said.length === 0 ? undefined : `hooktape: ${said.join(" ")}`
}
