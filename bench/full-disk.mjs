// Runs every command that writes on a disk of its own (a tmpfs) that has too little room, more of it each time, so that
// the failure walks through all that the command does: the raw store, the copy of the warehouse, its transaction, its
// checkpoint, the record of what is published, the files of a report. Each time the command has to
// end with exit code 1 or 3 and say that the disk is full and what to do, the published file has to be
// readable and, where nothing was published, the same bytes; nothing that a command makes for itself may be left;
// and the same command with room has to bring the tables and files that it brings on a disk that was never full.
// Prints a summary as JSON, and ends with exit code 1 when something does not hold.
//   npm run build && node bench/full-disk.mjs [--points 40] [--seed 1] [--commands load,run,…]
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { commandNames, sweep } from './support/full-disk/sweep.mjs';
import { showProgress } from './support/judged.mjs';

const { values: options } = parseArgs({
  options: {
    points: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    commands: { type: 'string', default: commandNames.join(',') },
    mounted: { type: 'boolean', default: false },
  },
});

if (options.mounted) {
  const summary = await sweep({
    points: Number(options.points),
    seed: Number(options.seed),
    names: options.commands.split(','),
    onProgress: showProgress,
  });
  console.log(JSON.stringify(summary, null, 2));
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
} else {
  // disks may be mounted by anybody in a namespace of one's own
  const again = [process.execPath, ...process.argv.slice(1), '--mounted'];
  const { status, error } = spawnSync('unshare', ['-Urm', ...again], { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
