import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { casesOf, loadJobs, minimalJobs, problemsOf, top } from '../support/jobs-file.ts';

const client = 'clients:\n  fjord: { name: Fjord AS, profiles: [acme/Acme] }';

/** Returns the minimal config with clients, and with reports in its job. */
function withReports(clients: string, ...reports: string[]): string {
  const entries = reports.map((report) => `      - { report: emv, period: all, ${report} }\n`);
  return `${top(clients)}    reports:\n${entries.join('')}`;
}

describe('clients', () => {
  it('of two entries of one report overwrite each other only where a client is in both', async () => {
    const two = client.replace('}', '}\n  pine: { name: Pine GmbH, profiles: [acme/Acme] }');
    const apart = await loadJobs(withReports(two, 'for: [fjord]', 'for: [pine]'));
    expect(apart.warnings).toEqual([]);
    const both = await loadJobs(withReports(two, 'for: [fjord]', 'for: each'));
    expect(both.warnings).toEqual([expect.stringContaining('may overwrite this one')]);
  });

  it('get a report each, with their own settings and otherwise those at the top level', async () => {
    const clients = `locale: en-GB
brand: { name: Nord, logo: ./nord.svg, color: "#112233", product_mark: false }
clients:
  fjord: { name: Fjord AS, profiles: [acme/Acme] }
  pine:
    name: Pine GmbH
    prepared_by: Nord
    profiles: [acme/*]
    to: [cmo@pine.example]
    brand: { logo: ./pine.svg, color: "#0b5fa5", product_mark: true }
    timezone: europe/berlin
    locale: de-DE
    language: de
    currency: EUR
    targets: { emv: 20000, engagement_rate: 0.03 }`;
    const config = await loadJobs(
      withReports(
        clients,
        'for: each, filters: { label: [Hiring], type: [Video] }, set: { least: 5, all: true }',
        'for: [pine], out: "./{client}"',
      ),
    );
    const folder = dirname(config.file);
    const profiles = config.workspaces.get('acme')?.profiles;
    expect(config.clients.get('fjord')).toEqual({
      copy: {},
      key: 'fjord',
      to: [],
      prices: null,
      figures: null,
      targets: {},
      notes: [],
      profiles,
      brand: { name: 'Fjord AS', logo: null, color: '#112233', productMark: false },
      timezone: 'UTC',
      locale: 'en-GB',
      language: 'en',
      currency: 'USD',
    });
    expect(config.clients.get('pine')).toEqual({
      copy: {},
      key: 'pine',
      notes: [],
      profiles,
      brand: {
        name: 'Pine GmbH',
        logo: join(folder, 'pine.svg'),
        color: '#0b5fa5',
        productMark: true,
        preparedBy: 'Nord',
      },
      to: ['cmo@pine.example'],
      prices: null,
      figures: null,
      targets: { emv: 20_000, engagement_rate: 0.03 },
      timezone: 'Europe/Berlin',
      locale: 'de-DE',
      language: 'de',
      currency: 'EUR',
    });
    const reports = config.jobs.get('daily')?.reports ?? [];
    expect(reports.map(({ client: whose, out }) => [whose?.key, out])).toEqual([
      ['fjord', join(folder, 'out/{client}/{report}-{to}')],
      ['pine', join(folder, 'out/{client}/{report}-{to}')],
      ['pine', join(folder, '{client}')],
    ]);
    expect(reports[0]).toMatchObject({
      filters: { labels: ['Hiring'], campaigns: [], types: ['Video'] },
      set: { least: '5', all: 'true' },
    });
    expect(config.warnings).toEqual([]);
  });

  it('have the name of the program in their reports if the brand of all says so, unless theirs says otherwise', async () => {
    const marks = async (general: string, own: string) => {
      const { brand, clients } = await loadJobs(
        top(`brand: { ${general} }\nclients:
  fjord: { name: Fjord AS, profiles: [acme/Acme], brand: { ${own} } }`),
      );
      return [brand?.productMark, clients.get('fjord')?.brand.productMark];
    };
    expect(await marks('', '')).toEqual([true, false]);
    expect(await marks('product_mark: true', '')).toEqual([true, true]);
    expect(await marks('product_mark: true', 'product_mark: false')).toEqual([true, false]);
  });

  it.each(
    casesOf(
      `
report | for: [fjrod]
  14: jobs.daily.reports[0].for[0]: no client "fjrod"; did you mean "fjord"?
report without clients | for: each
  13: jobs.daily.reports[0].for: is each, but there are no clients
report | for: each, out: ./out
  14: jobs.daily.reports[0].out: must have {client}: each client gets its own files
report | out: "./{client}"
  14: jobs.daily.reports[0].out: has {client}, but the report is for no client; add for: each
top | clients:\\n  fjord: { name: F, profiles: [acme/Acne] }
  2: clients.fjord.profiles[0]: the workspace "acme" has no profile "Acne"; did you mean "Acme"?
top | clients:\\n  fjord: { name: F, profiles: [other/*] }
  2: clients.fjord.profiles[0]: no workspace "other"
top | clients:\\n  fjord: { name: F, profiles: [] }
  2: clients.fjord.profiles: must have at least one entry
`,
      {
        report: (keys) => withReports(client, keys),
        'report without clients': (keys) => withReports('locale: en-GB', keys),
      },
    ),
  )('are refused in %s', async (_, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  it('cause a warning if no job reads a profile of their reports', async () => {
    const other = minimalJobs.replace(
      'name: Acme }',
      'name: Acme }\n      - { id: 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12, name: New }',
    );
    const text = `clients:
  fjord: { name: F, profiles: [acme/New] }
${other.replace('acme/*', 'acme/Acme')}    reports: [{ report: emv, period: all, for: each }]
`;
    const { warnings } = await loadJobs(text);
    expect(warnings).toEqual([
      expect.stringContaining(
        'includes the client "fjord", whose profile "New" is not read by any job',
      ),
    ]);
  });
});
