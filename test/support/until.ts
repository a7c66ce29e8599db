/** Lets I/O go on until something is so; a test that waits in vain ends by its own time-out. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
