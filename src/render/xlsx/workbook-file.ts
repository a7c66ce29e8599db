import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { cellText, xmlText } from './cell-text.ts';
import { chartXml, drawingRelations, drawingTypes, drawingXml } from './chart-xml.ts';
import { type SheetExtras, type SheetOptions, SheetWriter } from './sheet-writer.ts';
import { storedEntries, zipped } from './zip.ts';

export interface WorkbookProperties {
  readonly title: string;
  /** What it is about, for example report and period; null: nothing more. */
  readonly subject: string | null;
  /** What it was made of, shown as its comments; null: nothing more. */
  readonly description: string | null;
  /** Whose report it is; null: none is named. */
  readonly company: string | null;
  /** Who wrote it. */
  readonly creator: string;
  /** Stamps the document and every entry of the zip, so that equal data give equal bytes; null: unknown. */
  readonly createdAt: Date | null;
}

/** The oldest date that a zip can hold. */
const zipEpoch = new Date(Date.UTC(1980, 0, 1));
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * A workbook that is written row by row, since a hundred thousand rows of cells as objects take gigabytes; then one
 * pass over its parts adds what exceljs cannot write.
 */
export class WorkbookFile {
  readonly #stream = new PassThrough();
  readonly #book = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: this.#stream,
    useStyles: true,
    // It takes all rich texts for the same: a workbook has one, the lede.
    useSharedStrings: true,
    // The pass over the parts compresses them.
    zip: { store: true },
  });
  readonly #sheets: SheetWriter[] = [];
  readonly #properties: WorkbookProperties;

  constructor(properties: WorkbookProperties) {
    this.#properties = properties;
    const { title, subject, description, creator, createdAt } = properties;
    const book = this.#book;
    book.creator = book.lastModifiedBy = cellText(creator);
    book.created = book.modified = createdAt ?? zipEpoch;
    book.title = cellText(title);
    if (subject !== null) book.subject = cellText(subject);
    if (description !== null) book.description = cellText(description);
    const size = { x: 0, y: 0, width: 24_000, height: 14_000 };
    book.views = [{ ...size, firstSheet: 0, activeTab: 0, visibility: 'visible' }];
  }

  addSheet(name: string, options: SheetOptions): SheetWriter {
    const sheet = new SheetWriter(this.#book.addWorksheet(name, options));
    this.#sheets.push(sheet);
    return sheet;
  }

  /** @param cell for example `'About'!$C$9` @param name of the whole workbook */
  nameCell(cell: string, name: string): void {
    this.#book.definedNames.add(cell, name);
  }

  async bytes(): Promise<Buffer> {
    const [written] = await Promise.all([buffer(this.#stream), this.#book.commit()]);
    const parts = new Map([...storedEntries(written)].map(([name, bytes]) => [name, [bytes]]));
    completeBook(parts, this.#properties);
    let drawings = 0;
    for (const [index, { extras }] of this.#sheets.entries()) {
      if (extras.chart !== null) addDrawing(parts, extras.chart, (drawings += 1));
      completeSheet(parts, { number: index + 1, extras, drawing: drawings });
    }
    edit(parts, '[Content_Types].xml', (types) =>
      types.replace('</Types>', `${drawingTypes(drawings)}</Types>`),
    );
    return zipped(parts, this.#properties.createdAt ?? zipEpoch);
  }
}

const bodyFontXml =
  '<font><sz val="10"/><color rgb="FF15191F"/><name val="Arial"/><family val="2"/></font>';

/** The pieces of each part of the workbook, by its name. */
type Parts = Map<string, readonly Buffer[]>;

function completeBook(parts: Parts, { company, createdAt }: WorkbookProperties): void {
  // The first font is that of empty cells, and of what widths are measured in.
  edit(parts, 'xl/styles.xml', (xml) => xml.replace(/<font>.*?<\/font>/u, bodyFontXml));
  edit(parts, 'docProps/app.xml', (xml) =>
    xml.replace(/<Company>.*?<\/Company>/u, () => `<Company>${xmlText(company ?? '')}</Company>`),
  );
  if (createdAt !== null) return;
  edit(parts, 'docProps/core.xml', (xml) =>
    xml.replace(/<dcterms:(created|modified)[^>]*>[^<]*<\/dcterms:\1>/gu, ''),
  );
}

function edit(parts: Parts, name: string, change: (xml: string) => string): void {
  add(parts, name, change(Buffer.concat(parts.get(name) ?? []).toString('utf8')));
}

function add(parts: Parts, name: string, xml: string): void {
  parts.set(name, [Buffer.from(xml)]);
}

function addDrawing(
  parts: Parts,
  { chart, anchor }: NonNullable<SheetExtras['chart']>,
  number: number,
): void {
  add(parts, `xl/charts/chart${number}.xml`, chartXml(chart));
  add(parts, `xl/drawings/drawing${number}.xml`, drawingXml(chart, anchor));
  add(parts, `xl/drawings/_rels/drawing${number}.xml.rels`, drawingRelations(number));
}

function completeSheet(
  parts: Parts,
  { number, extras, drawing }: { number: number; extras: SheetExtras; drawing: number },
): void {
  const name = `xl/worksheets/sheet${number}.xml`;
  const sheet = Buffer.concat(parts.get(name) ?? []);
  // The rows, which may be a hundred megabytes, stay as they are.
  const end = sheet.lastIndexOf('</sheetData>');
  const tail = completeTail(sheet.toString('utf8', end), extras, number);
  parts.set(name, [sheet.subarray(0, end), Buffer.from(tail)]);
  if (extras.chart === null) return;
  const relation = `<Relationship Id="drawing" Type="${relationType}/drawing" Target="../drawings/drawing${drawing}.xml"/>`;
  const relations = `xl/worksheets/_rels/sheet${number}.xml.rels`;
  const empty = `${xmlHeader}<Relationships xmlns="${relationSpace}"></Relationships>`;
  edit(parts, relations, (xml) =>
    (xml || empty).replace('</Relationships>', () => `${relation}</Relationships>`),
  );
}

/** The elements after the rows, in the schema's order. */
function completeTail(tail: string, extras: SheetExtras, sheet: number): string {
  const { rules, positive, links, plainCells, chart } = extras;
  const ids = rules.map((_, index) => `{${hex(sheet, 8)}-0000-4000-8000-${hex(index, 12)}}`);
  const rulesXml = rules.map((rule, index) => rule.xml(index + 1, ids[index] ?? ''));
  const validation =
    positive === null
      ? ''
      : `<dataValidations count="1"><dataValidation type="decimal" operator="greaterThan" allowBlank="1" showErrorMessage="1" errorTitle="A number above 0" error="${xmlText(positive.message)}" sqref="${positive.cell}"><formula1>0</formula1></dataValidation></dataValidations>`;
  const linksXml = links.map(
    ({ cell, location }) => `<hyperlink ref="${cell}" location="${xmlText(location)}"/>`,
  );
  const hyperlinks = links.length === 0 ? '' : `<hyperlinks>${linksXml.join('')}</hyperlinks>`;
  const ignored =
    plainCells === null
      ? ''
      : `<ignoredErrors><ignoredError sqref="${plainCells}" numberStoredAsText="1" formula="1" formulaRange="1"/></ignoredErrors>`;
  const extensions = rules.map((rule, index) => rule.extension(ids[index] ?? '')).join('');
  const extension =
    extensions === ''
      ? ''
      : `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:conditionalFormattings>${extensions}</x14:conditionalFormattings></ext></extLst>`;
  const drawing = chart === null ? '' : '<drawing r:id="drawing"/>';
  return tail
    .replace(/(?=<hyperlinks>|<pageMargins )/u, () => rulesXml.join('') + validation + hyperlinks)
    .replace('</worksheet>', () => `${ignored}${drawing}${extension}</worksheet>`);
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0').toUpperCase();
}
