/** How large a run is, and what it counted. */

export const size = (name: string, usual: number): number =>
  Number(process.env[`HOOKTAPE_TEST_${name}`] ?? usual)

export const report = (part: string, figures: object): void => {
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  console.info(`${part}: ${shown.join(", ")}`)
}
