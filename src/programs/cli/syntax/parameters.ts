/** What a command takes: its arguments and options, each with the words that help and reference have for it. Data only. */

declare const given: unique symbol

/** `A` is what the handler gets; no value of it is kept here. */
interface Parameter<A> {
  readonly [given]?: A
  /** For `--help`: one sentence or two. */
  readonly help: string
  /** For docs/reference/cli.md, as Markdown, where it says more than the help does. */
  readonly details?: string
  /** A value for the reference's example: the command's own example with this option. */
  readonly sample?: string
  /** The whole example, where that would make no sense. */
  readonly example?: string
}

export interface Argument<A> extends Parameter<A> {
  /** As help writes it: `<ref>`. */
  readonly label: string
  readonly count: "one" | "at most one" | "any" | "at least one"
}

export interface Option<A> extends Parameter<A> {
  readonly kind: "flag" | "text" | "integer" | "number" | "choice"
  /** What stands for its value in the help; a flag has none. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** What the handler gets where the option is left out. */
  readonly otherwise?: string
  readonly isRequired?: boolean
  readonly isRepeated?: boolean
}

type More = Pick<Parameter<unknown>, "details" | "sample" | "example">

export const argument = (label: string, help: string, more: More = {}): Argument<string> => ({
  label,
  count: "one",
  help,
  ...more
})

export const optionalArgument = (
  label: string,
  help: string,
  more: More = {}
): Argument<string | undefined> => ({ label, count: "at most one", help, ...more })

export const anyArguments = (label: string, help: string, more: More = {}): Argument<readonly string[]> => ({
  label,
  count: "any",
  help,
  ...more
})

export const someArguments = (label: string, help: string, more: More = {}): Argument<readonly string[]> => ({
  label,
  count: "at least one",
  help,
  ...more
})

export const flag = (help: string, more: More = {}): Option<boolean> => ({ kind: "flag", help, ...more })

export const text = (value: string, help: string, more: More = {}): Option<string | undefined> => ({
  kind: "text",
  value,
  help,
  ...more
})

/** May be given several times. */
export const texts = (value: string, help: string, more: More = {}): Option<readonly string[]> => ({
  kind: "text",
  value,
  help,
  isRepeated: true,
  ...more
})

export const integer = (value: string, help: string, more: More = {}): Option<number | undefined> => ({
  kind: "integer",
  value,
  help,
  ...more
})

export const number = (value: string, help: string, more: More = {}): Option<number | undefined> => ({
  kind: "number",
  value,
  help,
  ...more
})

export const choice = <const C extends string>(
  value: string,
  choices: readonly C[],
  help: string,
  more: More = {}
): Option<C | undefined> => ({ kind: "choice", value, choices, help, ...more })

export const choiceWithDefault = <const C extends string>(
  value: string,
  choices: readonly C[],
  otherwise: NoInfer<C>,
  help: string,
  more: More = {}
): Option<C> => ({ kind: "choice", value, choices, otherwise, help, ...more })

/** The command cannot do without it. */
export const required = <A>(option: Option<A | undefined>): Option<A> =>
  ({ ...option, isRequired: true }) as Option<A>

export type Arguments = Readonly<Record<string, Argument<unknown>>>
export type Options = Readonly<Record<string, Option<unknown>>>

export type Values<P> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer A> ? A : never
}

/** `dryRun` is written `--dry-run`. */
export const writtenAs = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
