import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** The certificate and key of a TLS server, as PEM. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface CertificateOptions {
  /** The host of the certificate: a name, or 127.0.0.1. */
  readonly host: string;
  /** The last moment at which it holds; by default it does for years. */
  readonly validUntil?: Date;
}

interface Authority {
  /** The authority's certificate as PEM, for clients that trust it. */
  readonly cert: string;
  readonly issue: (options: CertificateOptions) => Certificate;
}

/** A certificate authority that nobody trusts by default, made for one test. */
export function createAuthority(): Authority {
  const name = 'A test';
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const make = (subject: string, publicKey: KeyObject, extensions: Buffer[], until: Date) =>
    certificate({ subject, issuer: name, publicKey, signer: keys.privateKey, extensions, until });
  const isAuthority = extension('551d13', der(0x30, der(0x01, Buffer.from([0xff]))));
  return {
    cert: make(name, keys.publicKey, [isAuthority], inYears(10)),
    issue: ({ host, validUntil = inYears(5) }) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const forHost = extension('551d11', der(0x30, subjectName(host)));
      return {
        cert: make(host, own.publicKey, [forHost], validUntil),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface Contents {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly until: Date;
}

/** X.509 version 3, see RFC 5280, section 4.1. */
function certificate({ subject, issuer, publicKey, signer, extensions, until }: Contents): string {
  const ecdsaWithSha256 = der(0x30, objectId('2a8648ce3d040302'));
  const serial = der(0x02, Buffer.from([1]));
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    ecdsaWithSha256,
    commonName(issuer),
    der(0x30, utcTime(inYears(-10)), utcTime(until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, signer)]);
  const whole = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function subjectName(host: string): Buffer {
  const parts = host.split('.').map(Number);
  const isAddress = parts.length === 4 && parts.every(Number.isInteger);
  return isAddress ? der(0x87, Buffer.from(parts)) : der(0x82, Buffer.from(host));
}

function commonName(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, objectId('550403'), der(0x0c, Buffer.from(name)))));
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, objectId(id), der(0x04, value));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(time: Date): Buffer {
  const digits = time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

/** A value with its tag and length, see X.690, section 8.1. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const long = [(length >> 8) & 0xff, length & 0xff];
  const lengths = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, ...long];
  return Buffer.concat([Buffer.from([tag, ...lengths]), content]);
}

function inYears(years: number): Date {
  const time = new Date();
  time.setUTCFullYear(time.getUTCFullYear() + years);
  return time;
}
