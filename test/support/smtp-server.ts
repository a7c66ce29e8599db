import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerAddress } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  readonly to: string;
  readonly message: string;
}

export interface SmtpBehaviour {
  /** Refuses a recipient with this status; `hang`: never answers. */
  readonly refuse?: (address: string, attempt: number) => number | 'hang' | null;
  /** Answers a message with this status once it is there; `hang up` closes the connection instead. */
  readonly answer?: (address: string) => number | 'hang' | 'hang up' | null;
  readonly hasTls?: boolean;
  /** Refuses larger messages. */
  readonly size?: SizeLimit;
}

export interface SizeLimit {
  readonly bytes: number;
  readonly at: 'EHLO' | 'MAIL' | 'RCPT' | 'DATA';
  /** What is answered, but at EHLO. */
  readonly answer?: string;
}

/** A real SMTP server on loopback that keeps the mails that it accepts. */
export async function startSmtpServer(behaviour: SmtpBehaviour = {}) {
  const { size } = behaviour;
  const refuses = (at: SizeLimit['at'], args: object | boolean) =>
    size?.at === at && Number((args as { SIZE?: string }).SIZE) > size.bytes;
  const received: Received[] = [];
  /** All that clients have sent, as they sent it: the server decodes domains. */
  const sent: string[] = [];
  const attempts = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: behaviour.hasTls === true ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    logger: false,
    ...(size && { size: size.at === 'EHLO' ? size.bytes : 1e9 }),
    hideSize: size?.at !== 'EHLO',
    onMailFrom({ args }, _session, done) {
      done(refuses('MAIL', args) && size ? tooLarge(size) : null);
    },
    onRcptTo({ address }, { envelope }, done) {
      if (size && envelope.mailFrom && refuses('RCPT', envelope.mailFrom.args)) {
        done(tooLarge(size));
        return;
      }
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      const answer = behaviour.refuse?.(address, attempt) ?? null;
      if (answer !== 'hang') done(refusal(answer));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const [recipient] = session.envelope.rcptTo as [SMTPServerAddress];
        const to = recipient.address;
        const answer = behaviour.answer?.(to) ?? null;
        if (answer === 'hang') return;
        if (answer === 'hang up') {
          for (const connection of server.connections) connection.close();
          return;
        }
        const message = Buffer.concat(parts).toString();
        if (size?.at === 'DATA' && message.length > size.bytes) {
          done(tooLarge(size));
          return;
        }
        if (answer === null) received.push({ to, message });
        done(refusal(answer));
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) =>
    socket.on('data', (part: Buffer) => sent.push(part.toString())),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const connection of server.connections) connection.close();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, received, attempts, sent };
}

function tooLarge({ answer = '552 5.3.4 Message size exceeds fixed limit' }: SizeLimit): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

function refusal(status: number | null): Error | null {
  if (status === null) return null;
  return Object.assign(new Error(`refused with ${status}`), { responseCode: status });
}
