import { registerPrune } from './archive-prune.ts';
import { registerVerify } from './archive-verify.ts';
import type { Register } from './context.ts';

/** What is kept for good, under `data_dir/archive`. */
export const registerArchive: Register = (program, invoke) => {
  const archive = program
    .command('archive')
    .description('what was loaded and is kept for good: verify it, prune it');
  registerVerify(archive, invoke);
  registerPrune(archive, invoke);
};
