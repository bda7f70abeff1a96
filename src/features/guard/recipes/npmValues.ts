/** What npm, and npx, take for options with a value, and for on. */
export const npmValues =
  "prefix registry cache loglevel workspace userconfig globalconfig script-shell tag otp omit include node-options before scope".split(
    " "
  )

/** As npm reads what may be on or off. */
export const isOn = (value: string | undefined): value is string =>
  value !== undefined && !/^(?:false|null|undefined|0|)$/.test(value)
