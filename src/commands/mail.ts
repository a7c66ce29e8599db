import { exitCodes } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { composeMail } from '../deliver/mail-message.ts';
import { deliveryId } from '../deliver/delivery.ts';
import { sendMail } from '../deliver/smtp.ts';
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
        const now = clock.now();
        const text = 'postledger can send mail from here.';
        const message = await composeMail({
          from: mail.from,
          to: address,
          subject: 'postledger mail test',
          html: `<p>${text}</p>`,
          text,
          attachments: [],
          id: deliveryId(now.toISOString(), ['test', address, now.toISOString()]),
          date: now,
        });
        const { state, reason } = await sendMail(mail, address, message, () => Promise.resolve());
        const words = state === 'sent' ? `sent to ${address}` : 'not sent';
        output.write(`${terminalLine(`${words}: ${reason}`)}\n`);
        return state === 'sent' ? exitCodes.done : exitCodes.failed;
      }),
    );
};
