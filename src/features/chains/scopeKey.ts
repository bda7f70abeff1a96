/** Whose calls belong together, as one text: those of a session, else those of a project. */
export interface Scope {
  readonly session: string | null
  readonly project: string | null
}

export const scopeKey = ({ project, session }: Scope): string =>
  JSON.stringify(session === null ? [null, project] : [session])
