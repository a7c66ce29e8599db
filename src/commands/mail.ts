import { exitCodes } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { sendText } from '../deliver/smtp.ts';
import type { Register } from './context.ts';
import { requireMail } from './deliver.ts';
import { parseAddress } from './option-values.ts';

export const register: Register = (program, invoke) => {
  program
    .command('mail')
    .command('test')
    .description('send one line to an address, to try the SMTP server of jobs.yaml')
    .argument('<address>', 'who gets it', parseAddress)
    .addHelpText('after', '\nExample:\n  $ postledger mail test ops@example.com')
    .action((address) =>
      invoke(async ({ loadConfig, clock, output }) => {
        const mail = requireMail(await loadConfig());
        const text = {
          subject: 'postledger mail test',
          text: 'postledger can send mail from here.',
        };
        const { state, reason } = await sendText(mail, address, text, clock);
        const words = state === 'sent' ? `sent to ${address}` : 'not sent';
        output.write(`${terminalLine(`${words}: ${reason}`)}\n`);
        return state === 'sent' ? exitCodes.done : exitCodes.failed;
      }),
    );
};
