import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { cellText, xmlText } from './cell-text.ts';
import { chartXml, drawingRelations, drawingTypes, drawingXml } from './chart-xml.ts';
import {
  escapeText,
  type PlacedChart,
  type SheetOptions,
  type SheetTable,
  type SheetTones,
  SheetWriter,
} from './sheet-writer.ts';

export interface WorkbookProperties {
  readonly title: string;
  /** The subject, for example description and period; null for none. */
  readonly subject: string | null;
  /** The source of the data, shown as comments; null for none. */
  readonly description: string | null;
  readonly company: string | null;
  readonly creator: string;
  readonly language: string;
  readonly tones: SheetTones;
  /** The date of the document and of every zip entry, so that equal data give equal bytes; null when unknown. */
  readonly createdAt: Date | null;
}

/** The oldest date that a zip can hold. */
const zipEpoch = new Date(Date.UTC(1980, 0, 1));
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const mainSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const endOfRows = Buffer.from('</sheetData>');
const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Takes the XML of a sheet, or of its relations, from exceljs. */
class PartXml extends EventEmitter {
  readonly chunks: Buffer[] = [];

  write(data: string | Buffer | { toBuffer(): Buffer }): void {
    const isPlain = typeof data === 'string' || Buffer.isBuffer(data);
    this.chunks.push(isPlain ? Buffer.from(data) : data.toBuffer());
  }

  pause(): void {
    // exceljs calls this before it writes
  }

  end(): void {
    this.emit('zipped');
  }
}

/** Joins chunks of a row each, since the archive goes through its streams once for each. */
function* inBlocks(chunks: readonly Buffer[]): Generator<Buffer> {
  const rows = 1000;
  for (let at = 0; at < chunks.length; at += rows) yield Buffer.concat(chunks.slice(at, at + rows));
}

interface Archive {
  append(content: string | Readable, entry: { readonly name: string; readonly date?: Date }): void;
  finalize(): Promise<void>;
}

/**
 * Keeps the parts of the workbook, which exceljs would zip at once, until they are complete. Unpacking the finished file
 * and packing it again would take half as long as writing it. These members of exceljs are not public.
 */
class BookWriter extends ExcelJS.stream.xlsx.WorkbookWriter {
  readonly sheets = new Map<string, PartXml>();
  readonly parts: Parts = new Map();
  readonly archive: Archive;
  declare zip: { append(xml: string, entry: { readonly name: string }): void };

  constructor(stream: PassThrough) {
    // A higher level takes twice the time for a tenth of the size.
    // exceljs takes all rich texts for the same: a workbook has only one, the lede.
    super({ stream, useStyles: true, useSharedStrings: true, zip: { zlib: { level: 3 } } });
    this.archive = this.zip as unknown as Archive;
    this.zip = {
      append: (xml, { name }) => void this.parts.set(name.replace(/^\//u, ''), xml),
    };
  }

  /** exceljs calls this for each sheet and for its relations. */
  _openStream(path: string): PartXml {
    const xml = new PartXml();
    this.sheets.set(path.slice(1), xml);
    return xml;
  }

  /** exceljs adds these two in its constructor, before `parts` exists; `_finalize` adds them. */
  override addThemes(): Promise<void> {
    return Promise.resolve();
  }

  override addOfficeRels(): Promise<void> {
    return Promise.resolve();
  }

  async _finalize(): Promise<void> {
    await super.addThemes();
    await super.addOfficeRels();
  }
}

/**
 * A workbook that is written row by row, since a hundred thousand rows of cell objects would take gigabytes; one pass
 * over its parts then adds what exceljs cannot write.
 */
export class WorkbookFile {
  readonly #stream = new PassThrough();
  readonly #book = new BookWriter(this.#stream);
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
    const own = this.#book.addWorksheet(name, options);
    const sheet = new SheetWriter(own, this.#sheets.length + 1, this.#properties.tones);
    this.#sheets.push(sheet);
    return sheet;
  }

  async bytes(): Promise<Buffer> {
    const { parts, sheets, archive } = this.#book;
    await this.#book.commit();
    completeBook(parts, this.#properties);
    const drawn = this.#sheets.filter(({ charts }) => charts.length > 0);
    const [charts, tables] = [{ count: 0 }, { count: 0 }];
    for (const [path, { chunks }] of sheets)
      if (path.endsWith('.rels')) parts.set(path, Buffer.concat(chunks).toString());
    const contents = new Map<string, string | Readable>();
    for (const [index, sheet] of this.#sheets.entries()) {
      const name = `sheet${index + 1}.xml`;
      const path = `xl/worksheets/${name}`;
      const { chunks } = sheets.get(path) ?? new PartXml();
      const end = chunks.findIndex((chunk) => chunk.equals(endOfRows));
      const tail = sheet.completed(Buffer.concat(chunks.slice(end)).toString());
      contents.set(path, Readable.from(inBlocks([...chunks.slice(0, end), Buffer.from(tail)])));
      if (sheet.charts.length > 0)
        drawCharts(parts, name, sheet.charts, drawn.indexOf(sheet) + 1, charts);
      for (const [tableIndex, table] of sheet.tables.entries())
        addTable(parts, name, table, { id: (tables.count += 1), number: tableIndex + 1 });
    }
    const added = drawingTypes(drawn.length, charts.count) + tableTypes(tables.count);
    edit(parts, '[Content_Types].xml', (types) => types.replace('</Types>', `${added}</Types>`));
    const date = this.#properties.createdAt ?? zipEpoch;
    const entries = [...contents, ...parts].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, content] of entries) archive.append(content, { name, date });
    const [bytes] = await Promise.all([buffer(this.#stream), archive.finalize()]);
    return bytes;
  }
}

const bodyFontXml =
  '<font><sz val="10"/><color rgb="FF15191F"/><name val="Arial"/><family val="2"/></font>';

type Parts = Map<string, string>;

function completeBook(parts: Parts, properties: WorkbookProperties): void {
  const { company, language, createdAt } = properties;
  // The first font is the one of empty cells, in which widths are measured.
  edit(parts, 'xl/styles.xml', (xml) => xml.replace(/<font>.*?<\/font>/u, bodyFontXml));
  edit(parts, 'docProps/app.xml', (xml) =>
    xml.replace(/<Company>.*?<\/Company>/u, () => `<Company>${xmlText(company ?? '')}</Company>`),
  );
  edit(parts, 'docProps/core.xml', (xml) =>
    xml.replace(
      '</cp:coreProperties>',
      (end) => `<dc:language>${xmlText(language)}</dc:language>${end}`,
    ),
  );
  if (createdAt !== null) return;
  edit(parts, 'docProps/core.xml', (xml) =>
    xml.replace(/<dcterms:(created|modified)[^>]*>[^<]*<\/dcterms:\1>/gu, ''),
  );
}

function edit(parts: Parts, name: string, change: (xml: string) => string): void {
  parts.set(name, change(parts.get(name) ?? ''));
}

/**
 * Adds the charts of a sheet as one drawing.
 * @param drawing the number of the drawing among those of the workbook, from 1
 * @param added how many charts the workbook has before them, and then with them
 */
function drawCharts(
  parts: Parts,
  file: string,
  charts: readonly PlacedChart[],
  drawing: number,
  added: { count: number },
): void {
  const numbers = charts.map(({ chart }) => {
    added.count += 1;
    parts.set(`xl/charts/chart${added.count}.xml`, chartXml(chart));
    return added.count;
  });
  parts.set(`xl/drawings/drawing${drawing}.xml`, drawingXml(charts));
  parts.set(`xl/drawings/_rels/drawing${drawing}.xml.rels`, drawingRelations(numbers));
  relate(parts, file, { id: 'drawing', kind: 'drawing' }, `../drawings/drawing${drawing}.xml`);
}

function tableTypes(count: number): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml';
  return Array.from(
    { length: count },
    (_, index) => `<Override PartName="/xl/tables/table${index + 1}.xml" ContentType="${type}"/>`,
  ).join('');
}

/**
 * Makes a table of heads and rows of a sheet. The cells have their styles, so it has none. Its id
 * counts from 1 in the workbook, its number from 1 in the sheet.
 */
function addTable(
  parts: Parts,
  file: string,
  table: SheetTable,
  { id, number }: { readonly id: number; readonly number: number },
): void {
  const { heads, range, hasFilter } = table;
  const name = xmlText(table.name);
  const columns = heads.map((head, index) => {
    const text = xmlText(escapeText(head)).replaceAll('\t', '_x0009_').replaceAll('\n', '_x000a_');
    return `<tableColumn id="${index + 1}" name="${text}"/>`;
  });
  const filter = hasFilter ? `<autoFilter ref="${range}"/>` : '';
  parts.set(
    `xl/tables/table${id}.xml`,
    `${xmlHeader}<table xmlns="${mainSpace}" id="${id}" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">${filter}<tableColumns count="${heads.length}">${columns.join('')}</tableColumns></table>`,
  );
  relate(parts, file, { id: `table${number}`, kind: 'table' }, `../tables/table${id}.xml`);
}

function relate(
  parts: Parts,
  file: string,
  { id, kind }: { readonly id: string; readonly kind: 'drawing' | 'table' },
  target: string,
): void {
  const relation = `<Relationship Id="${id}" Type="${relationType}/${kind}" Target="${target}"/>`;
  const empty = `${xmlHeader}<Relationships xmlns="${relationSpace}"></Relationships>`;
  edit(parts, `xl/worksheets/_rels/${file}.rels`, (xml) =>
    (xml || empty).replace('</Relationships>', () => `${relation}</Relationships>`),
  );
}
