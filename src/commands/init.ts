import { basename } from 'node:path';
import { writeStarterFiles } from '../config/starter-files.ts';
import { exitCodes } from '../core/errors.ts';
import type { Register } from './context.ts';

export const register: Register = (program, invoke) => {
  program
    .command('init')
    .option('--sandbox', 'for made-up posts, from postledger sandbox serve; with its key in .env')
    .option('--force', 'write over files that exist')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger init
  $ postledger init --sandbox
  $ postledger init --config /etc/postledger/jobs.yaml`,
    )
    .action((options) =>
      invoke(async ({ configFile, output }) => {
        const { force = false, sandbox = false } = options;
        const files = await writeStarterFiles({ file: configFile, force, sandbox });
        const steps = sandbox ? sandboxSteps : ownSteps(basename(configFile));
        const lines = steps.map((step, index) => `  ${index + 1}. ${step}`);
        output.write(`${files.join('\n')}\n\nNext:\n${lines.join('\n')}\n`);
        return exitCodes.done;
      }),
    );
};

const sandboxSteps = [
  'postledger sandbox serve   in another terminal',
  'postledger check --online',
  'postledger run             in about two minutes: the sandbox has the service’s limit',
];

function ownSteps(file: string): string[] {
  return [
    `fill in workspaces and profiles in ${file}`,
    'install -m 600 .env.example .env, and put your API key there',
    'postledger check --online',
  ];
}
