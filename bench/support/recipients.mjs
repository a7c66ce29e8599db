import { once } from 'node:events';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { alike, alikeFile } from './alike.mjs';

/** A mail server and a bucket on loopback, which keep what they take. */
export class Recipients {
  #tripwire;
  #smtp;
  #bucket;
  #mails = [];
  #objects = new Map();

  /** @param tripwire is passed at each command of SMTP and each upload */
  static async start(tripwire) {
    const recipients = new Recipients();
    recipients.#tripwire = tripwire;
    recipients.#startMail();
    recipients.#startBucket();
    await Promise.all([
      once(recipients.#smtp.server, 'listening'),
      once(recipients.#bucket, 'listening'),
    ]);
    return recipients;
  }

  get mailPort() {
    return this.#smtp.server.address().port;
  }

  get bucketUrl() {
    return `http://127.0.0.1:${this.#bucket.address().port}`;
  }

  /** What came since the last time: mails as `<to> <text>`, and texts of objects by key. */
  take() {
    const taken = { mails: this.#mails.sort(), objects: this.#objects };
    this.#mails = [];
    this.#objects = new Map();
    return taken;
  }

  close() {
    for (const connection of this.#smtp.connections) connection.close();
    this.#smtp.close();
    this.#bucket.closeAllConnections();
    this.#bucket.close();
  }

  #startMail() {
    const step = (done) => void this.#tripwire.pass('mail', () => done());
    this.#smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onConnect: (_, done) => step(done),
      onMailFrom: (_, __, done) => step(done),
      onRcptTo: (_, __, done) => step(done),
      onData: (stream, { envelope }, done) => {
        const parts = [];
        stream.on('data', (part) => parts.push(part));
        stream.on('end', () => {
          const [{ address }] = envelope.rcptTo;
          void this.#tripwire.pass('mail', () => {
            // a connection that was cut off within the text has no mail
            this.#mails.push(alike(`${address} ${Buffer.concat(parts)}`));
            done();
          });
        });
      },
    });
    this.#smtp.on('error', () => undefined);
    this.#smtp.listen(0, '127.0.0.1');
  }

  #startBucket() {
    this.#bucket = createServer((request, response) => {
      const parts = [];
      request.on('error', () => undefined);
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        void this.#tripwire.pass('upload', async () => {
          const key = new URL(request.url, this.bucketUrl).pathname;
          this.#objects.set(key, await alikeFile(key, Buffer.concat(parts)));
          response.writeHead(200, { 'content-type': 'application/xml' }).end();
        });
      });
    });
    this.#bucket.listen(0, '127.0.0.1');
  }
}
