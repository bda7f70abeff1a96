/** Not a violation: evaluated only where it is reached. */
export const rarely = () => import("../../log/act.ts")
