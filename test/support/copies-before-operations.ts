/**
 * The beginning of a program that copies the folder of data before every file operation, as a kill at that moment
 * would leave it: `<copies>/<number>/data`, and beside it `acknowledged.json`, what the program put into its array
 * `acknowledged` by then.
 */
export function copyBeforeAll(dataDir: string, copies: string): string {
  return `
    const fs = (await import('node:fs')).default;
    const { syncBuiltinESMExports } = await import('node:module');
    const { cpSync, writeFileSync } = fs;
    const acknowledged = [];
    const handle = await fs.promises.open(process.execPath);
    const handles = Object.getPrototypeOf(handle);
    await handle.close();
    let count = 0;
    for (const [place, names] of [
      [fs.promises, ['open', 'mkdir', 'rename', 'unlink', 'rm', 'link', 'writeFile']],
      [handles, ['write', 'writeFile', 'sync', 'datasync', 'truncate', 'close']],
    ]) {
      for (const name of names) {
        const operate = place[name];
        place[name] = function (...given) {
          count += 1;
          const copy = ${JSON.stringify(copies)} + '/' + count;
          cpSync(${JSON.stringify(dataDir)}, copy + '/data', { recursive: true });
          writeFileSync(copy + '/acknowledged.json', JSON.stringify(acknowledged));
          return operate.apply(this, given);
        };
      }
    }
    syncBuiltinESMExports();`;
}
