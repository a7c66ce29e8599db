import { expect, test } from 'vitest';
import { chartPicture } from '../../src/render/chart-picture.ts';
import { pictureStyles } from '../../src/render/html/colors.ts';
import { chartStyles } from '../../src/render/html/page-files.ts';
import { renderMail } from '../../src/render/mail.ts';
import type { Brand } from '../../src/config/config.ts';
import { sampleDocument } from '../support/sample-document.ts';

const brand = (color: string): Brand => ({ name: 'Grün', logo: null, color, productMark: true });

test('the first chart is a picture with three points for each px, in the colour of the brand, with its figures in words', async () => {
  const picture = await chartPicture(sampleDocument({ brand: brand('#7a1f5c') }));
  const png = Buffer.from(picture?.png ?? []);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(3 * (picture?.width ?? 0));
  expect(png.readUInt32BE(20)).toBe(3 * (picture?.height ?? 0));
  expect(png.length).toBeLessThan(100_000);
  expect(picture?.section).toBe('by_month');
  expect(picture?.text).toMatch(/^September brought the most of the year;.*Jan 2025: EMV €13,361/);
  const other = await chartPicture(sampleDocument({ brand: brand('#0a6b4f') }));
  expect(png.equals(other?.png ?? Buffer.of())).toBe(false);
});

test('the styles of a picture have all colours written out, those of the brand too', () => {
  const styles = pictureStyles(chartStyles, '#7a1f5c');
  expect(styles).not.toMatch(/var\(|undefined|@|:has/);
  expect(styles).toContain('.bar{fill:#7a1f5c}');
  expect(styles).toContain('.line.c2{fill:none;stroke:#de5f0b');
});

test('there is no picture where the font lacks a letter that it would have', async () => {
  const pictureWith = (currency: string, period: string) => {
    const { sections, ...document } = sampleDocument();
    const [month] = sections.filter(({ name }) => name === 'by_month');
    if (!month?.chart) throw new Error('no chart by month');
    const rows = month.rows.map(([, ...cells]) => [period, ...cells]);
    const [first, ...columns] = month.columns;
    if (!first) throw new Error('no column of months');
    const words = [{ ...first, format: 'text' as const }, ...columns];
    return chartPicture({ ...document, currency, sections: [{ ...month, columns: words, rows }] });
  };
  expect(await pictureWith('EUR', 'Zürich')).not.toBeNull();
  expect(await pictureWith('EUR', '東京')).toBeNull();
});

test('a mail has the chart inline with its text, which the text version says', () => {
  const chart = { address: 'cid:chart', width: 374, height: 280, section: 'by_month' };
  const text = 'Mai "führt" mit 5 €.';
  const words = { notes: [], body: null, attached: [], leftOut: [], chart: { ...chart, text } };
  const mail = renderMail([sampleDocument()], words);
  expect(mail.html).toContain('<img src="cid:chart" alt="Mai &quot;führt&quot; mit 5 €."');
  expect(mail.text).toContain(`\n${text}\n`);
});
