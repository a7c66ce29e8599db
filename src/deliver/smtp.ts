import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type XOAuth2 from 'nodemailer/lib/xoauth2';
import type { MailConfig, MailLogin } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import { parsedJson } from '../core/json.ts';
import { openSocket } from '../core/way-out.ts';
import { byteSize } from '../core/wording.ts';
import { fetchOutside } from './fetch-outside.ts';
import { addressOf, composeMail, domainOf } from './mail-message.ts';
import { deliveryId, type SendOutcome } from './delivery.ts';
import type { OutboxFile } from './outbox.ts';

const connectMs = 30_000;
/** The times of RFC 5321, section 4.5.3.2: for the greeting, and for the answer to the end of the message. */
const greetingMs = 300_000;
const silenceMs = 600_000;
/** The time that a message on its way has left once the process is to stop, and a server to answer QUIT. */
const lastMs = 5_000;
/** The time in which a server that was silent is not tried again. */
const silentForMs = 900_000;
const maxReason = 500;

/** Each server has the time at which it was silent, by the monotonic clock. */
const silentSince = new Map<string, number>();

export interface MailOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** It is awaited with true before the first byte of a message is sent, and with false once it is refused as too large. */
  readonly mark?: (isTransmitting: boolean) => Promise<void>;
  /** It is false if the message is sent again soon, so that a temporary refusal does not cost it its attachments. */
  readonly isLast?: boolean;
}

/**
 * Sends one message. If a server refuses it for its size, it goes without its attachments.
 * @param to the address of its recipient
 * @param forms the message, and the same without attachments if it has any
 */
export async function sendMail(
  mail: MailConfig,
  to: string,
  [whole, withoutFiles]: readonly OutboxFile[],
  { mark = () => Promise.resolve(), isLast = true, ...options }: MailOptions,
): Promise<SendOutcome> {
  const outcome = await sendMessage(mail, to, whole, { mark, ...options });
  const isForNow = outcome.state === 'queued' && !isLast;
  if (outcome.isTooLarge !== true || isForNow) return outcome;
  if (withoutFiles === undefined) return madeAgain(outcome);
  await mark(false);
  const second = await sendMessage(mail, to, withoutFiles, { mark, ...options });
  if (second.state !== 'sent') return madeAgain(second);
  const reason = `${second.reason}; the server refused it with its attachments: ${outcome.reason}`;
  return { state: 'sent', reason, isWithoutFiles: true };
}

/** A message keeps its size, whatever jobs.yaml says by then. */
function madeAgain(outcome: SendOutcome): SendOutcome {
  if (outcome.isTooLarge !== true || outcome.state !== 'failed') return outcome;
  const remedy = 'then postledger deliver discard, and deliver send makes it again';
  return { ...outcome, reason: `${outcome.reason}, ${remedy}` };
}

type MessageOptions = Omit<Required<MailOptions>, 'signal' | 'isLast'> &
  Pick<MailOptions, 'signal'>;

/** Sends a message over its own connection, unless its server was silent a short time ago. */
async function sendMessage(
  mail: MailConfig,
  to: string,
  file: OutboxFile | undefined,
  options: MessageOptions,
): Promise<SendOutcome> {
  const { clock } = options;
  const server = `${mail.host}:${mail.port}`;
  const since = silentSince.get(server);
  if (since !== undefined && clock.monotonicMs() - since < silentForMs) {
    const reason = `${server} did not answer in time a short time ago`;
    return { state: 'queued', reason, ofServer: true, isSilent: true };
  }
  const outcome = await connectAndSend(mail, to, file?.content ?? new Uint8Array(), options);
  if (outcome.isSilent === true) silentSince.set(server, clock.monotonicMs());
  return outcome;
}

async function connectAndSend(
  mail: MailConfig,
  to: string,
  message: Uint8Array,
  { mark, signal }: MessageOptions,
): Promise<SendOutcome> {
  const envelope = { from: addressOf(mail.from), to: addressOf(to) };
  const bytes = message.length;
  let isTransmitting = false;
  let isLoggedIn = false;
  let ownError: unknown = null;
  let hide = (text: string) => text;
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const opened = await openSocket(mail.host, mail.port, connectMs).catch((error: unknown) => ({
    refused: advised(error, { isTransmitting, isLoggedIn, bytes }, hide),
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
    // it would cut the time for the greeting short
    connectionTimeout: 2 * greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
  });
  async function* chunks() {
    await mark(true).catch((error: unknown) => {
      ownError = error;
      throw error;
    });
    isTransmitting = true;
    yield message;
  }
  connection.on('error', () => undefined);
  const stopped = stopAt(signal, () => isTransmitting, connection);
  try {
    await untilDone((done) => connection.connect(done), connection);
    if (mail.login) {
      const credentials = await credentialsOf(mail.login);
      hide = hiderOf(credentials);
      await untilDone((done) => connection.login(credentials, done), connection);
    }
    isLoggedIn = true;
    const info = await untilDone(
      (done) => connection.send({ ...envelope, size: bytes }, Readable.from(chunks()), done),
      connection,
    );
    return { state: 'sent', reason: hide((info as { response: string }).response) };
  } catch (error) {
    if (ownError !== null) throw ownError as Error;
    return advised(error, { isTransmitting, isLoggedIn, bytes }, hide);
  } finally {
    stopped.forget();
    quit(connection);
  }
}

/** Closes the connection when the process is to stop. A message on its way has a moment to arrive. */
function stopAt(
  signal: AbortSignal | undefined,
  isTransmitting: () => boolean,
  connection: SMTPConnection,
) {
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => connection.close(), isTransmitting() ? lastMs : 0);
  };
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const forget = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { forget };
}

/** Ends the session. A server that does not answer keeps no process alive. */
function quit(connection: SMTPConnection): void {
  const timer = setTimeout(() => connection.close(), lastMs).unref();
  connection.once('end', () => clearTimeout(timer));
  connection.quit();
}

/** Sends a message of text alone, which is no delivery. */
export async function sendText(
  mail: MailConfig,
  to: string,
  { subject, text }: { readonly subject: string; readonly text: string },
  clock: Clock,
): Promise<SendOutcome> {
  const date = clock.now();
  const id = deliveryId(date.toISOString(), ['notify', to, subject, date.toISOString()]);
  const words = { subject, text, html: null, attachments: [] };
  const content = await composeMail({ ...words, from: mail.from, to, id, date });
  return sendMail(mail, to, [{ name: 'message.eml', content }], { clock });
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
  /** The size of the message. */
  readonly bytes: number;
}

/** The outcome of an error, with what a person can do. @param hide takes secrets out of a text */
function advised(error: unknown, progress: Progress, hide: (text: string) => string): SendOutcome {
  const outcome = outcomeOf(error, progress);
  const reason = hide(outcome.reason).slice(0, maxReason);
  return { ...outcome, reason: `${reason}; ${adviceFor(error, outcome, progress)}` };
}

/** What nodemailer says of an error. A server that announces its limit at EHLO is not asked, so it has no status. */
interface MailProblem {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function outcomeOf(error: unknown, { isTransmitting, isLoggedIn }: Progress): SendOutcome {
  const reason = errorMessage(error).split('\n', 1)[0] ?? '';
  const { code, responseCode: status = NaN } = error as MailProblem;
  const isSilent = code === 'ETIMEDOUT';
  if (!isLoggedIn) return { state: 'queued', reason, ofServer: true, isSilent };
  const isTooLarge = isAboutSize(error as MailProblem, reason);
  if (status >= 500 || (isTooLarge && !(status >= 400)))
    return { state: 'failed', reason, isTooLarge };
  if (status >= 400) return { state: 'queued', reason, ofServer: false, isTooLarge };
  if (isTransmitting) return { state: 'unknown', reason, isSilent };
  return { state: 'queued', reason, ofServer: true, isSilent };
}

/** The codes of RFC 3463 for a message that is too large, and those that say that something else is the matter. */
const sizeCode = /^[45]\.(?:2\.3|3\.4)$/;
const otherCode = /^[45]\.(?:1\.\d+|2\.[12]|5\.\d+|7\.\d+)$/;
const sizeWords =
  /\bmessage (?:\w+ )?(?:size|length)\b|\btoo (?:large|big)\b|\blarger than\b|\boversized?\b/i;
const otherWords = /mailbox|quota|recipients|\bfull\b|virus|spam|secur|policy|block|\brate\b/i;

/** Returns true if a message was refused for its size: with 552 or 452 (RFC 1870), or as the server says. */
function isAboutSize({ code, responseCode, response }: MailProblem, reason: string): boolean {
  const text = response ?? reason;
  if (responseCode === undefined) return code === 'EMESSAGE' && sizeWords.test(text);
  const enhanced = /^\d{3}[ -](\d\.\d+\.\d+)/.exec(text)?.[1] ?? '';
  if (sizeCode.test(enhanced)) return true;
  if (otherCode.test(enhanced)) return false;
  return sizeWords.test(text) || ([552, 452].includes(responseCode) && !otherWords.test(text));
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

function adviceFor(
  error: unknown,
  { state, reason, isTooLarge }: SendOutcome,
  { bytes }: Progress,
): string {
  if (isTooLarge === true)
    return `set mail.max_mb to what the server takes (the message has ${byteSize(bytes)})`;
  if (state === 'unknown') return 'it may have arrived: ask its recipient';
  if (state === 'failed')
    return 'correct the address, or let the server send as mail.from, then postledger deliver retry';
  const { code = '', responseCode = '' } = error as MailProblem;
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
