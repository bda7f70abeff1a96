/** Projects whose hooks do not build: what runs there is what was built last. */
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

export const brokenBuilds = ({ facts }: Evidence): readonly Finding[] => {
  const failed = new Map<string, string>()
  for (const { data, type } of facts) {
    const { errors = [], project = "?" } = data as { project?: string; errors?: readonly string[] }
    if (type === "HOOKS_BUILT") failed.delete(project)
    if (type === "BUILD_FAILED") failed.set(project, String(errors[0] ?? ""))
  }
  return [...failed].map(([project, error]) => ({
    category: "broken hook",
    severity: "critical",
    reference: project,
    description: `the hooks of ${project} do not build${error === "" ? "" : `: ${error}`}`,
    recommendation: `Repair the file, then: hooktape build --project ${project}`
  }))
}
