import type { Command } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { verifyRawStore, type Verification } from '../load/verify.ts';
import type { Invoke, Register } from './context.ts';
import { plural } from './load-sentence.ts';

/** `verify`, and `archive verify`, as it was called before. */
export const registerVerify: Register = (program, invoke) => {
  addVerify(program, invoke);
};

export const registerArchive: Register = (program, invoke) => {
  addVerify(program.command('archive', { hidden: true }), invoke);
};

function addVerify(parent: Command, invoke: Invoke): void {
  parent
    .command('verify')
    .description('check every file of the raw store against its manifest and the warehouse')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 0 all is well, 3 something is damaged, missing or foreign. Nothing is changed.

Examples:
  $ postledger verify
  $ postledger verify --json | jq '.findings[].path'`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, output }) => {
        const verification = await verifyRawStore(await loadConfig());
        output.write(
          options.json
            ? `${JSON.stringify(verification, null, 2)}\n`
            : verificationText(verification),
        );
        return verification.findings.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
}

function verificationText({ runs, responses, events, findings }: Verification): string {
  const counted = `${plural(runs, 'run folder')}, ${plural(responses, 'response')}, ${plural(events, 'event')}`;
  const lines = findings.map(({ kind, problem }) => `${kind}: ${stripTerminalControls(problem)}`);
  const verdict =
    findings.length === 0 ? 'all as they were written' : plural(findings.length, 'finding');
  return [...lines, `${counted}: ${verdict}.`, ''].join('\n');
}
