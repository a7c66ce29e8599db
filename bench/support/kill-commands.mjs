/** What is killed: how often in comparison, its command, and how many of its words name it. */
export const killed = {
  run: { share: 30, args: ['run', '--no-reports', '--wait', '20'] },
  full: { share: 6, args: ['run', '--full', '--no-reports', '--wait', '20'] },
  load: { share: 14, args: ['load', '--wait', '20'] },
  rebuild: { share: 14, args: ['rebuild', '--wait', '20'] },
  report: { share: 7, args: ['report', 'run', 'emv', '--format', 'csv,html', '--out', 'out'] },
  serve: { share: 16, args: ['webhooks', 'serve'], names: 2 },
  ingest: { share: 5, args: ['webhooks', 'ingest', 'events.ndjson'], names: 2 },
  verify: { share: 4, args: ['verify'] },
};

/** Shares by name, of all that is not left out. @throws Error for a name that is none */
export function sharesWithout(without) {
  for (const name of without)
    if (!(name in killed))
      throw new Error(`--without ${name}: there is only ${Object.keys(killed)}`);
  const names = Object.keys(killed).filter((name) => !without.includes(name));
  return Object.fromEntries(names.map((name) => [name, killed[name].share]));
}

/** A proof that leaves a command out says so on the command line. */
export async function requireCommands(names, postledger) {
  for (const name of names) {
    const words = killed[name].args.slice(0, killed[name].names ?? 1);
    const { stdout } = await postledger.run([...words, '--help']);
    // of a word that it does not know it gives the help of all
    if (!stdout.startsWith(`Usage: postledger ${words.join(' ')} `))
      throw new Error(`there is no postledger ${words.join(' ')}; leave it out: --without ${name}`);
  }
}
