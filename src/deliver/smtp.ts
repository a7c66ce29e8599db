import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type XOAuth2 from 'nodemailer/lib/xoauth2';
import type { MailConfig, MailLogin } from '../config/config.ts';
import { errorMessage } from '../core/errors.ts';
import { parsedJson } from '../core/json.ts';
import { openSocket } from '../core/way-out.ts';
import { fetchOutside } from './fetch-outside.ts';
import { addressOf, composeMail, domainOf } from './mail-message.ts';
import { deliveryId, type SendOutcome } from './delivery.ts';

const connectMs = 30_000;
const silenceMs = 120_000;
const maxReason = 500;

/**
 * Sends one message over its own connection.
 * @param to the address of its recipient
 * @param onTransmit is awaited before the first byte of the message is sent
 */
export async function sendMail(
  mail: MailConfig,
  to: string,
  message: Uint8Array,
  onTransmit: () => Promise<void> = () => Promise.resolve(),
): Promise<SendOutcome> {
  const envelope = { from: addressOf(mail.from), to: addressOf(to) };
  let isTransmitting = false;
  let isLoggedIn = false;
  let ownError: unknown = null;
  let hide = (text: string) => text;
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const opened = await openSocket(mail.host, mail.port, connectMs).catch((error: unknown) => ({
    refused: advised(error, { isTransmitting, isLoggedIn }, hide),
  }));
  if ('refused' in opened) return opened.refused;
  const connection = new Connection({
    connection: opened,
    host: mail.host,
    port: mail.port,
    // large servers refuse a machine that has no full name
    name: mail.name ?? (hostname().includes('.') ? hostname() : domainOf(mail.from)),
    secure: mail.isEncrypted && mail.port === 465,
    requireTLS: mail.isEncrypted,
    ignoreTLS: !mail.isEncrypted,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
  });
  async function* chunks() {
    await onTransmit().catch((error: unknown) => {
      ownError = error;
      throw error;
    });
    isTransmitting = true;
    yield message;
  }
  connection.on('error', () => undefined);
  try {
    await untilDone((done) => connection.connect(done), connection);
    if (mail.login) {
      const credentials = await credentialsOf(mail.login);
      hide = hiderOf(credentials);
      await untilDone((done) => connection.login(credentials, done), connection);
    }
    isLoggedIn = true;
    const info = await untilDone(
      (done) =>
        connection.send({ ...envelope, size: message.length }, Readable.from(chunks()), done),
      connection,
    );
    return { state: 'sent', reason: hide((info as { response: string }).response) };
  } catch (error) {
    if (ownError !== null) throw ownError as Error;
    return advised(error, { isTransmitting, isLoggedIn }, hide);
  } finally {
    connection.quit();
  }
}

/** Sends a message of text alone, which is no delivery. */
export async function sendText(
  mail: MailConfig,
  to: string,
  { subject, text }: { readonly subject: string; readonly text: string },
  date: Date,
): Promise<SendOutcome> {
  const id = deliveryId(date.toISOString(), ['notify', to, subject, date.toISOString()]);
  const words = { subject, text, html: null, attachments: [] };
  return sendMail(mail, to, await composeMail({ ...words, from: mail.from, to, id, date }));
}

/** Waits for a step of the connection. A connection that fails while no step waits emits events instead. */
function untilDone(
  start: (done: (error?: Error | null, result?: unknown) => void) => void,
  connection: SMTPConnection,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.once('end', () => reject(new Error('the server has closed the connection')));
    start((error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

/** How far a message has come. */
interface Progress {
  readonly isTransmitting: boolean;
  readonly isLoggedIn: boolean;
}

/** The outcome of an error, with what a person can do. @param hide takes secrets out of a text */
function advised(error: unknown, progress: Progress, hide: (text: string) => string): SendOutcome {
  const outcome = outcomeOf(error, progress);
  const reason = hide(outcome.reason).slice(0, maxReason);
  return { ...outcome, reason: `${reason}; ${adviceFor(error, outcome)}` };
}

function outcomeOf(error: unknown, { isTransmitting, isLoggedIn }: Progress): SendOutcome {
  const reason = errorMessage(error).split('\n', 1)[0] ?? '';
  const status =
    error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : NaN;
  if (!isLoggedIn) return { state: 'queued', reason, ofServer: true };
  if (status >= 500) return { state: 'failed', reason };
  if (status >= 400) return { state: 'queued', reason, ofServer: false };
  if (isTransmitting) return { state: 'unknown', reason };
  return { state: 'queued', reason, ofServer: true };
}

/** What a person can do, by what the server or the connection says; the first match counts. */
const adviceByProblem: readonly (readonly [RegExp, string])[] = [
  [
    /certificate|CERT_|altname|self.signed/i,
    'correct mail.host, or name the authority of its certificate in NODE_EXTRA_CA_CERTS',
  ],
  [/EAUTH|returned no token|^53[0458]\b/i, 'check the user and the secret of mail in jobs.yaml'],
  [/ETLS|STARTTLS|SSL|wrong version/i, 'check mail.port: 465 begins with TLS, 587 changes to it'],
  [
    /ECONN|ENOTFOUND|EAI_|EDNS|ETIMEDOUT|EHOST|ENET|ESOCKET|timeout|greeting|closed/i,
    'check mail.host and mail.port, and that a firewall lets this machine reach them',
  ],
];

function adviceFor(error: unknown, { state, reason }: SendOutcome): string {
  if (state === 'unknown') return 'it may have arrived: ask its recipient';
  if (state === 'failed')
    return 'correct the address, or let the server send as mail.from, then postledger deliver retry';
  const { code = '', responseCode = '' } = error as { code?: string; responseCode?: number };
  const text = `${responseCode} ${code} ${reason}`.trim();
  const known = adviceByProblem.find(([pattern]) => pattern.test(text));
  return known?.[1] ?? 'the server takes it later, as with greylisting: try again in 15 minutes';
}

type Credentials =
  | { readonly user: string; readonly pass: string }
  | { readonly user: string; readonly token: string; readonly oauth2: XOAuth2 };

/** Returns a function that hides what a server quotes of the login: the secret, or what was sent of it in Base64. */
function hiderOf(credentials: Credentials): (text: string) => string {
  const { user } = credentials;
  const secret = 'pass' in credentials ? credentials.pass : credentials.token;
  const sent = [
    ...[`\0${user}\0${secret}`, `${user}\0${user}\0${secret}`],
    ...[`user=${user}\x01auth=Bearer ${secret}\x01\x01`, secret],
  ].map((text) => Buffer.from(text).toString('base64'));
  const forms = [...sent, ...sent.map((text) => text.replace(/=+$/, '')), secret];
  return (text) => forms.reduce((hidden, form) => hidden.replaceAll(form, '[password]'), text);
}

async function credentialsOf(login: MailLogin): Promise<Credentials> {
  if ('password' in login) return { user: login.user, pass: login.password.reveal() };
  const { user, tokenUrl, clientId, clientSecret, scope } = login;
  const answer = await fetchOutside(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      ...(scope !== null && { scope }),
    }),
  });
  const body = parsedJson(answer.text) as { access_token?: unknown } | null;
  if (!answer.ok || typeof body?.access_token !== 'string')
    throw new Error(`${tokenUrl} returned no token (HTTP ${answer.status})`);
  const token = body.access_token;
  const { default: Login } = await import('nodemailer/lib/xoauth2');
  return { user, token, oauth2: new Login({ user, accessToken: token }) };
}
