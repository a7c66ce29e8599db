import type { Register } from './context.ts';
import { registerVerify } from './archive-verify.ts';

/** What is kept for good, under `data_dir/archive`. */
export const registerArchive: Register = (program, invoke) => {
  const archive = program
    .command('archive')
    .description('what was loaded and is kept for good: verify it');
  registerVerify(archive, invoke);
};
