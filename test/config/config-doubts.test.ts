import { describe, expect, it } from 'vitest';
import { cutTextDoubts } from '../../src/config/config-doubts.ts';
import { inJob, loadJobs, problemsOf, top } from '../support/jobs-file.ts';

async function doubtsOf(text: string, env = '') {
  const config = await loadJobs({ text, env });
  const doubts = await cutTextDoubts(config);
  return doubts.map((doubt) => doubt.replaceAll(`${config.folder}/`, ''));
}

const inReport = (keys: string) =>
  inJob(
    `reports:\n  - report: emv\n    period: all\n    ${keys}\ndeliver: [{ s3: { bucket: reports } }]`,
  );

describe('a text that a # most likely cut off', () => {
  it.each([
    [top('brand:\n  name: Acme # 1'), '2: brand.name', 'Acme'],
    [top('brand:\n  name: Acme #1 of 3'), '2: brand.name', 'Acme'],
    [top('brand:\n  name: Nord (No. # 4)'), '2: brand.name', 'Nord (No.'],
    [
      inReport('filters:\n      label:\n        - Launch #summer'),
      '16: jobs.daily.reports[0].filters.label[0]',
      'Launch',
    ],
    [inReport('out: ./out/report #{from}'), '14: jobs.daily.reports[0].out', './out/report'],
  ])('is named with its line', async (text, location, kept) => {
    expect(await doubtsOf(text)).toEqual([
      `jobs.yaml:${location}: ends at the # of its line, as ${JSON.stringify(kept)}; put it in quotes, together with the # where that belongs to it`,
    ]);
  });

  it.each([
    top('timezone: UTC # 1 for all'),
    top('timezone: UTC #server'),
    top('currency: EUR   #euro\nlocale: en-GB # (British)'),
    top('brand:\n  name: Acme # the agency (ours)\n  color: "#0b5fa5" #1'),
    top('brand:\n  name: "Acme" #1'),
    top('brand: #ours\n  name: Acme     #agency'),
    inReport(
      'formats: [csv] #1\n    cpm: 30 #each\n    out: ./out/{report}-{to}   # {report} {job}',
    ),
  ])('is no text with a comment, nor one that could not be longer', async (text) => {
    expect(await doubtsOf(text)).toEqual([]);
  });

  it('is named in .env too, without its value', async () => {
    const env = 'A=abc # my key\nB=abc #def\nC= #def\nD="abc" #def\nE=abc#def\nF=abc # 12\n';
    const doubts = await doubtsOf(inJob('details: false'), env);
    expect(doubts).toEqual(
      ['2: the value of B', '3: the value of C', '6: the value of F'].map(
        (location) =>
          `.env:${location} ends at a #; put it in quotes, together with the # where that belongs to it`,
      ),
    );
  });

  it('is given as the cause where the rest is refused', async () => {
    const mail = 'mail:\n  host: 127.0.0.1\n  tls: off\n  from: Acme #1 <ops@acme.example>';
    expect(await problemsOf(top(mail))).toEqual([
      '4: mail.from: must be a mail address such as ops@example.com or "Nord <reports@nord.example>", got "Acme"; it ends at the # of its line: put it in quotes',
    ]);
  });
});
