import { exitCodes } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { verifyRawStore, type Verification } from '../status/verify.ts';
import { printResult, type Register } from './context.ts';
import { plural } from '../core/wording.ts';

export const register: Register = (parent, invoke) => {
  parent
    .command('verify')
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
        const verification = await verifyRawStore(await loadConfig({ mayBeErasing: true }));
        printResult(output, options, verification, verificationText);
        return verification.findings.length === 0 ? exitCodes.done : exitCodes.partial;
      }),
    );
};

/** Keeps `archive verify`, the command's earlier name. */
export const archive: { readonly register: Register } = {
  register: (program, invoke) => register(program.command('archive', { hidden: true }), invoke),
};

function verificationText({ runs, responses, events, findings }: Verification): string {
  const counted = `${plural(runs, 'run folder')}, ${plural(responses, 'response')}, ${plural(events, 'event')}`;
  const lines = findings.map(({ kind, problem }) => `${kind}: ${stripTerminalControls(problem)}`);
  const verdict =
    findings.length === 0 ? 'all as they were written' : plural(findings.length, 'finding');
  return [...lines, `${counted}: ${verdict}.`, ''].join('\n');
}
