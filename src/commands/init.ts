import { basename } from 'node:path';
import { writeStarterFiles } from '../config/starter-files.ts';
import { exitCodes } from '../core/errors.ts';
import type { Register } from './context.ts';

export const registerInit: Register = (program, invoke) => {
  program
    .command('init')
    .option('--force', 'write over files that exist')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger init
  $ postledger init --config /etc/postledger/jobs.yaml`,
    )
    .action((options) =>
      invoke(async ({ configFile, output }) => {
        const force = options.force === true;
        const files = await writeStarterFiles({ file: configFile, force });
        output.write(
          `${files.join('\n')}

Next:
  1. fill in workspaces and profiles in ${basename(configFile)}
  2. install -m 600 .env.example .env, and put your API key there
  3. postledger check --online
`,
        );
        return exitCodes.done;
      }),
    );
};
