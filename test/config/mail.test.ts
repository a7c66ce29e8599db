import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definedDeliveries } from '../../src/config/defined-deliveries.ts';
import { casesOf, loadJobs, problemsOf, top } from '../support/jobs-file.ts';

const server = 'mail: { host: smtp.example.com, from: "Nord <reports@nord.example>" }';
const client =
  'clients: { fjord: { name: Fjord AS, profiles: [acme/*], to: [cmo@fjord.example] } }';

/** Returns the minimal config with these lines before it, and with this delivery of a report. */
function delivered(lines: readonly string[], delivery: string, report = ''): string {
  return `${top(lines.join('\n'))}    reports:
      - { report: emv, period: all, ${report}deliver: [{ ${delivery} }] }
`;
}

/** Returns the minimal config with this delivery of all reports of the job. */
function jobDelivered(reports: string, delivery: string): string {
  return `${top([server, client].join('\n'))}    reports: [${reports}]
    deliver: [{ ${delivery} }]
`;
}

/** What a delivery of a table of cases is of, and which top-level keys it has. */
const deliveries = {
  server: (delivery: string) => delivered([server], delivery),
  'without a server': (delivery: string) => delivered([], delivery),
  client: (delivery: string) => delivered([server, client], delivery, 'for: each, '),
  'client without an address': (delivery: string) =>
    delivered([server, client.replace(', to: [cmo@fjord.example]', '')], delivery, 'for: each, '),
  'of the job': (text: string) => {
    const [delivery = '', reports = ''] = text.split(' of ');
    return jobDelivered(reports === 'no reports' ? '' : reports, delivery);
  },
};

describe('mail', () => {
  it('may name its recipients, whose addresses alone decide what was sent', async () => {
    const load = async (to: string) => {
      const { jobs } = await loadJobs(delivered([server], `mail: [${to}]`));
      return [...jobs.values()].flatMap(definedDeliveries);
    };
    const named = await load('zoe@a.example, "Berg, Zoë <zoe@a.example>", x@a.example');
    const subject = 'LinkedIn: {report}, {period}';
    expect(named.map(({ target, recipient }) => [target, recipient])).toMatchObject([
      [{ to: ['Berg, Zoë <zoe@a.example>'], subject }, 'zoe@a.example'],
      [{ to: ['x@a.example'], subject }, 'x@a.example'],
    ]);
    const bare = await load('zoe@a.example, x@a.example');
    expect(bare.map(({ definition }) => definition)).toEqual(
      named.map(({ definition }) => definition),
    );
  });

  it('has a server, and recipients and attachments for each report', async () => {
    const text = delivered(
      [
        'mail: { host: smtp.example.com, port: 465, user: nord, password: "${SMTP_PASSWORD}", from: n@nord.example, max_mb: 2 }',
        client,
      ],
      'mail: client, attach: [xlsx], body: ./note.md, hold: true, if_empty: skip, subject: "{job} {period}"',
      'for: each, ',
    );
    const config = await loadJobs(text, { environment: { SMTP_PASSWORD: 'a-password' } });
    expect(config.mail).toMatchObject({
      host: 'smtp.example.com',
      port: 465,
      isEncrypted: true,
      from: 'n@nord.example',
      maxBytes: 2e6,
      login: { user: 'nord' },
    });
    expect(JSON.stringify(config.mail)).not.toContain('a-password');
    expect(config.jobs.get('daily')?.reports[0]?.deliver).toEqual([
      {
        target: {
          kind: 'mail',
          to: ['cmo@fjord.example'],
          subject: '{job} {period}',
          body: join(dirname(config.file), 'note.md'),
        },
        attach: ['xlsx'],
        name: null,
        comment: null,
        copy: {},
        isHeld: true,
        skipsEmpty: true,
        whenIncomplete: 'hold',
        file: '{client}-{report}-{period}{selection}',
      },
    ]);
  });

  it('has a subject and a body for each client and language', async () => {
    const bodies = async (text: string) =>
      (await loadJobs(text)).jobs.get('daily')?.reports.map(({ deliver: [delivery] }) => {
        const { target } = delivery ?? {};
        return target?.kind === 'mail' ? [target.subject, basename(target.body ?? '')] : null;
      });
    const clients = `language: de
clients: { fjord: { name: Fjord AS, profiles: [acme/*], to: [cmo@fjord.example], language: en }, pine: { name: Pine, profiles: [acme/*] } }`;
    const mail = 'mail: [a@x.example]';
    const ofClient = `${mail}, body: "{client}-{language}-{client}.md"`;
    const subject = '{client}, LinkedIn: {report}, {period}';
    expect(await bodies(delivered([server, clients], ofClient, 'for: each, '))).toEqual([
      [subject, 'fjord-en-fjord.md'],
      [subject, 'pine-de-pine.md'],
    ]);
    const ofNone = delivered([server, clients], `${mail}, body: "note.{language}.md"`);
    expect(await bodies(ofNone)).toEqual([['LinkedIn: {report}, {period}', 'note.de.md']]);
  });

  it.each(
    casesOf(
      `
server | mail: [a@x.example], body: "{client}.md"
  13: jobs.daily.reports[0].deliver[0].body: has {client}, but the report is for no client; add for: each
server | mail: [a@x.example], body: "./{period}.md"
  13: jobs.daily.reports[0].deliver[0].body: must have no placeholders but {client} {language}, got "./{period}.md"
without a server | mail: [a@x.example]
  13: jobs.daily.reports[0].deliver[0].mail: needs an SMTP server; add mail at the top level
top | notify: [{ mail: [ops@x.example] }]
  1: notify[0].mail: needs an SMTP server; add mail at the top level
top | notify: [{ when: [failed] }]
  1: notify[0]: must have either post or mail
top | notify: [{ post: "https://hooks.example.com/secret" }]
  1: notify[0].post: must be \${NAME}, the name of an environment variable; the secret itself must not be in the file
server | mail: client
  13: jobs.daily.reports[0].deliver[0].mail: is client, but the report is for no client; add for: each
client without an address | mail: client
  14: jobs.daily.reports[0].deliver[0].mail: is client, but the client "fjord" has no addresses in to
server | mail: [a@x.example], command: [cp]
  13: jobs.daily.reports[0].deliver[0]: must have one of mail, s3 and command
server | s3: { bucket: b }, subject: Hello
  13: jobs.daily.reports[0].deliver[0]: has a subject or body, which only mail deliveries have
client | s3: { bucket: b, prefix: "{to}/" }
  14: jobs.daily.reports[0].deliver[0].s3.prefix: must have {client}: each client gets its own files
top | s3: { access_key_id: "\${ID}", secret_access_key: hunter2 }
  1: s3.secret_access_key: must be \${NAME}, the name of an environment variable; the secret itself must not be in the file
server | mail: [a@x.example], attach: [pdf]
  13: jobs.daily.reports[0].deliver[0].attach: has "pdf", which is not in formats
of the job | mail: client of no reports
  14: jobs.daily.deliver[0]: has nothing to deliver; add reports to the job
of the job | mail: client of { report: emv, period: all }, { report: video, period: all }
  14: jobs.daily.deliver[0].mail: is client, but no report of the job is for a client; add for: each
of the job | mail: client, attach: [html, pdf] of { report: emv, period: all, for: each, formats: [csv] }, { report: video, period: all, for: each, formats: [html] }
  14: jobs.daily.deliver[0].attach: has "pdf", which is not in formats
of the job | mail: client of { report: emv, period: all, for: each, deliver: [{ mail: client }] }
  14: jobs.daily.deliver[0]: sends emv for the client fjord to cmo@fjord.example as another delivery also does, so it would never be sent; remove one, or give it a name
server | mail: ["a@x.example, b@x.example"]
  13: jobs.daily.reports[0].deliver[0].mail[0]: must be a mail address such as ops@example.com or "Nord <reports@nord.example>", got "a@x.example, b@x.example"
top | mail: { host: smtp.example.com, tls: off, from: a@x.example }
  1: mail.tls: must be required, since the server is not this machine
top | mail: { host: smtp.example.com, user: nord, from: a@x.example }
  1: mail.user: must have either password or oauth2
top | mail: { host: smtp.example.com, user: nord, password: hunter2, from: a@x.example }
  1: mail.password: must be \${NAME}, the name of an environment variable; the secret itself must not be in the file
`,
      deliveries,
    ),
  )('are refused in %s', async (_, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });
});
