/** Lets I/O continue until a condition holds. A test that waits in vain ends by its own timeout. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
