/** When a fact came in: how long one waits to be worked out is counted from there. Of those that were there before it is not known. */
export const received = `
ALTER TABLE hooktape.fact ADD COLUMN received timestamptz;
ALTER TABLE hooktape.fact ALTER COLUMN received SET DEFAULT now()`
