import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInReports } from '../../src/report/report-catalog.ts';
import { smallReport } from '../report/support/report-folder.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { valueReport } from '../support/value-report.ts';
import { addDays, dayOf } from '../../src/core/calendar.ts';

const reach = Object.fromEntries(
  Object.entries(smallReport).map(([file, text]): [string, string] => [
    `reports/reach/${file}`,
    text,
  ]),
);

async function folder(reports = '[]', top = 'timezone: UTC') {
  const day = addDays(dayOf(new Date(), 'UTC'), -3);
  const analytics = new Map([[uuid(900), [analyticsRecord(1, day)]]]);
  const service = await startPlainService({ analytics });
  return { service, job: await jobFolder({ url: service.url, details: false, reports, top }) };
}

describe('check', () => {
  it('needs no keys with --no-secrets and no warehouse, takes a logo, and warns of a missing browser', async () => {
    const { job } = await folder(
      '[{ report: emv, period: all, formats: [pdf] }]',
      'pdf: { browser: ./none }\nbrand: { logo: ./logo.png }',
    );
    await job.write(reach);
    await writeFile(join(job.folder, 'logo.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    await rm(join(job.folder, '.env'));
    expect((await job.run('check')).code).toBe(2);
    expect((await job.run('check', '--no-secrets', '--online')).code).toBe(2);
    const { code, stdout, stderr } = await job.run('check', '--no-secrets');
    expect(code).toBe(0);
    expect(stderr).toMatch(/PDF needs Chromium, .*; as it is now, reports come without their PDF/);
    expect(stdout).toMatch(
      /jobs\.yaml is valid: 1 workspace, 1 profile, 1 job\.\n1 report, 1 SQL file: all are valid\. They were checked against an empty warehouse: there is no warehouse at .* yet; `postledger run` makes it\.\n$/,
    );
    const all = await job.run('check', '--no-secrets', '--reports');
    expect(all.stdout).toMatch(/\n\d+ reports, \d{3} SQL files: all are valid\. They were/);
  });

  it('refuses a logo that is missing or no picture, with exit code 2, and warns of a colour that cannot be read', async () => {
    const { job } = await folder('[]', 'brand: { color: "#064f2b", logo: ./logo.png }');
    expect(await job.run('check')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/brand\.logo \S+logo\.png cannot be read \(ENOENT/) as string,
    });
    await job.write({ 'logo.png': '<html>404 Not Found</html>' });
    expect(await job.run('check')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/logo\.png is no picture; name an image file/) as string,
    });
    const text = await readFile(join(job.folder, 'jobs.yaml'), 'utf8');
    const warned = async (color: string) => {
      await job.write({ 'jobs.yaml': text.replace(/\{ color: .*/, `{ color: "${color}" }`) });
      return (await job.run('check')).stderr;
    };
    expect(await warned('#ffd400')).toContain('brand.color #ffd400 cannot be read on white');
    expect(await warned('#064f2b')).not.toContain('brand.color');
  });

  it('lists every mistake of every report with file and line, and addresses that cannot be used, with exit code 2, and warns root that Chromium has no sandbox', async () => {
    const { job } = await folder(
      '[{ report: emv, period: all, formats: [pdf] }]\n    ping: ${PING}',
      'pdf: { browser: /bin/true }\nnotify: [{ post: "${CHAT}" }]',
    );
    await job.write({
      ...reach,
      'reports/reach/_lede.sql': 'select nothing\nfrom report_posts',
      'reports/other/report.yaml': smallReport['report.yaml'].replace('[type]', '[kind]'),
      'reports/other/types.sql': smallReport['types.sql'],
    });
    const { code, stderr } = await job.run('check');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'notify[0].post: CHAT is not set; as it is now, nothing is sent there',
    );
    expect(stderr).toContain('jobs.daily.ping: PING is not set');
    const sandbox = 'this is root, for whom Chromium has no sandbox; print PDFs as another user';
    expect(stderr.includes(sandbox)).toBe(process.getuid?.() === 0);
    const own = stderr.replaceAll(`${join(job.folder, 'reports')}/`, '');
    expect(own).toContain(
      'error: other/report.yaml:9: sections.0.key.0: types.sql has no column kind;',
    );
    expect(own).toContain('\nreach/_lede.sql:1:8: Binder Error: Referenced column "nothing"');
  });

  it('--online says once what is wrong with a service or with several profiles, and names a placeholder', async () => {
    const profiles = [900, 901, 902].map((number) => ({ name: `Acme ${number}`, number }));
    const service = await startPlainService({ analytics: new Map([[uuid(900), []]]) });
    const missing = { status: 404, body: '{"code":"NOT_FOUND","message":"Profile not found"}' };
    service.answer(uuid(901), missing);
    service.answer(uuid(902), missing);
    const job = await jobFolder({ url: service.url, profiles });
    const checked = await job.run('check', '--online');
    expect([checked.code, checked.stderr]).toEqual([1, '']);
    expect(checked.stdout.match(/^(?:ok|wrong) .*$/gm)).toEqual([
      'ok     acme/Acme 900',
      expect.stringMatching(
        /^wrong {2}acme\/Acme 901, acme\/Acme 902: Profile not found.*: check /i,
      ),
    ]);
    const page = await jobFolder({ url: 'https://social.example.com:1/api/v1' });
    expect((await page.run('check')).stderr).toContain(
      'workspaces.acme.base_url: https://social.example.com:1/api/v1 is the placeholder that init writes; put',
    );
  });

  it('lists the columns of the named reports as a table and as JSON', async () => {
    const { job } = await folder();
    await job.write({ ...reach, 'reports/broken/report.yaml': 'title: [' });
    const text = await job.run('report', 'check', 'reach');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(
      /types +type +VARCHAR +text +Type\n +impressions +HUGEINT +count +Seen\n/,
    );
    const json = await job.run('report', 'check', 'reach', 'workflow', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject([
      {
        report: 'reach',
        queries: 1,
        warehouse: 'empty',
        faults: [],
        sections: [
          { name: 'types', columns: [{ name: 'type', type: 'VARCHAR' }, {}, { name: 'posts' }] },
        ],
      },
      { report: 'workflow', faults: [] },
    ]);
    const broken = await job.run('report', 'check', 'broken');
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(/reports\/broken\/report\.yaml:1: /);
  });
});

describe('a report of one’s own', () => {
  it('with the name of a built-in one is refused before any request is sent', async () => {
    const { job, service } = await folder('[{ report: emv, period: all, formats: [csv] }]');
    await cp(join(builtInReports, 'emv'), join(job.folder, 'reports/emv'), { recursive: true });
    const taken = `${join(job.folder, 'reports/emv')}: ${join(builtInReports, 'emv')} has this name already; rename yours`;
    for (const command of ['check', 'plan', 'run']) {
      const { code, stderr } = await job.run(command);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toContain(taken);
    }
    expect(service.requests).toEqual([]);
    expect(await readdir(job.folder)).not.toContain('data');
  });

  it('that is broken does not affect a job’s other reports', async () => {
    const { job } = await folder(
      '[{ report: value, period: all, formats: [html] }, { report: reach, period: all, formats: [html] }]',
    );
    await job.write({
      ...reach,
      ...valueReport,
      'reports/reach/report.yaml': 'title: [',
      'reports/draft/a.sql': '',
    });
    const { code, stdout } = await job.run('run');
    expect(code).toBe(3);
    expect(stdout).toMatch(/report value: 1 file in /);
    expect(stdout).toMatch(/report reach failed: .*reports\/reach\/report\.yaml:1: /);
  });
});
