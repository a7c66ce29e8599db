import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { cellText, xmlText } from './cell-text.ts';
import { chartXml, drawingRelations, drawingTypes, drawingXml } from './chart-xml.ts';
import { escapeText, type SheetOptions, type SheetTable, SheetWriter } from './sheet-writer.ts';
import { storedEntries, ZipContent, zipped } from './zip.ts';

export interface WorkbookProperties {
  readonly title: string;
  /** The subject, for example description and period; null for none. */
  readonly subject: string | null;
  /** The source of the data, shown as comments; null for none. */
  readonly description: string | null;
  /** The company; null for none. */
  readonly company: string | null;
  /** The program or brand that wrote it. */
  readonly creator: string;
  /** The language of its text, BCP 47. */
  readonly language: string;
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

/** Takes the XML of a sheet from exceljs. Rows, which may be a hundred megabytes, are compressed as they come. */
class SheetXml extends EventEmitter {
  readonly rows = new ZipContent();
  /** The end of the sheet after the rows, or all of a part without rows. */
  tail = '';
  #isInRows: boolean;

  constructor(hasRows = true) {
    super();
    this.#isInRows = hasRows;
  }

  write(data: string | Buffer | { toBuffer(): Buffer }): void {
    const xml =
      typeof data === 'string' || Buffer.isBuffer(data) ? Buffer.from(data) : data.toBuffer();
    this.#isInRows &&= !xml.equals(endOfRows);
    if (this.#isInRows) this.rows.write(xml);
    else this.tail += xml.toString('utf8');
  }

  pause(): void {
    // exceljs calls this before it writes
  }

  end(): void {
    this.emit('zipped');
  }
}

/** Keeps the sheets and their relations apart from the zip of exceljs, which would hold them whole. */
class BookWriter extends ExcelJS.stream.xlsx.WorkbookWriter {
  readonly sheets = new Map<string, SheetXml>();

  /** exceljs calls this for each sheet and for its relations. */
  _openStream(path: string): SheetXml {
    const xml = new SheetXml(path.endsWith('.xml'));
    this.sheets.set(path.slice(1), xml);
    return xml;
  }
}

/**
 * A workbook that is written row by row, since a hundred thousand rows of cell objects would take gigabytes; one pass
 * over its parts then adds what exceljs cannot write.
 */
export class WorkbookFile {
  readonly #stream = new PassThrough();
  readonly #book = new BookWriter({
    stream: this.#stream,
    useStyles: true,
    // exceljs takes all rich texts for the same: a workbook has only one, the lede.
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
    const sheet = new SheetWriter(this.#book.addWorksheet(name, options), this.#sheets.length + 1);
    this.#sheets.push(sheet);
    return sheet;
  }

  async bytes(): Promise<Buffer> {
    const [written] = await Promise.all([buffer(this.#stream), this.#book.commit()]);
    const parts = storedEntries(written);
    completeBook(parts, this.#properties);
    const drawn = this.#sheets.filter(({ chart }) => chart !== null);
    const listed = this.#sheets.filter(({ table }) => table !== null);
    for (const [path, { tail }] of this.#book.sheets)
      if (path.endsWith('.rels')) add(parts, path, tail);
    const contents = new Map<string, ZipContent>();
    for (const [index, sheet] of this.#sheets.entries()) {
      const name = `sheet${index + 1}.xml`;
      const path = `xl/worksheets/${name}`;
      const { rows, tail } = this.#book.sheets.get(path) ?? new SheetXml();
      rows.write(Buffer.from(sheet.completed(tail)));
      contents.set(path, rows);
      if (sheet.chart !== null) drawChart(parts, name, sheet.chart, drawn.indexOf(sheet) + 1);
      if (sheet.table !== null) addTable(parts, name, sheet.table, listed.indexOf(sheet) + 1);
    }
    const added = drawingTypes(drawn.length) + tableTypes(listed.length);
    edit(parts, '[Content_Types].xml', (types) => types.replace('</Types>', `${added}</Types>`));
    for (const [name, part] of parts) {
      const content = new ZipContent();
      content.write(part);
      contents.set(name, content);
    }
    return zipped(contents, this.#properties.createdAt ?? zipEpoch);
  }
}

const bodyFontXml =
  '<font><sz val="10"/><color rgb="FF15191F"/><name val="Arial"/><family val="2"/></font>';

type Parts = Map<string, Buffer>;

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
  add(parts, name, change(parts.get(name)?.toString('utf8') ?? ''));
}

function add(parts: Parts, name: string, xml: string): void {
  parts.set(name, Buffer.from(xml));
}

/**
 * Adds a sheet's chart.
 * @param drawing the number of the chart among those of the workbook, from 1
 */
function drawChart(
  parts: Parts,
  file: string,
  { chart, anchor }: NonNullable<SheetWriter['chart']>,
  drawing: number,
): void {
  add(parts, `xl/charts/chart${drawing}.xml`, chartXml(chart));
  add(parts, `xl/drawings/drawing${drawing}.xml`, drawingXml(chart, anchor));
  add(parts, `xl/drawings/_rels/drawing${drawing}.xml.rels`, drawingRelations(drawing));
  relate(parts, file, 'drawing', `../drawings/drawing${drawing}.xml`);
}

function tableTypes(count: number): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml';
  return Array.from(
    { length: count },
    (_, index) => `<Override PartName="/xl/tables/table${index + 1}.xml" ContentType="${type}"/>`,
  ).join('');
}

/** Makes a table of a sheet's heads and rows. The cells have their styles, so it has none. @param id from 1 */
function addTable(parts: Parts, file: string, table: SheetTable, id: number): void {
  const { heads, range, hasFilter } = table;
  const name = xmlText(table.name);
  const columns = heads.map((head, index) => {
    const text = xmlText(escapeText(head)).replaceAll('\t', '_x0009_').replaceAll('\n', '_x000a_');
    return `<tableColumn id="${index + 1}" name="${text}"/>`;
  });
  const filter = hasFilter ? `<autoFilter ref="${range}"/>` : '';
  add(
    parts,
    `xl/tables/table${id}.xml`,
    `${xmlHeader}<table xmlns="${mainSpace}" id="${id}" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">${filter}<tableColumns count="${heads.length}">${columns.join('')}</tableColumns></table>`,
  );
  relate(parts, file, 'table', `../tables/table${id}.xml`);
}

/** Relates a sheet to a part, by its kind as id. */
function relate(parts: Parts, file: string, kind: string, target: string): void {
  const relation = `<Relationship Id="${kind}" Type="${relationType}/${kind}" Target="${target}"/>`;
  const empty = `${xmlHeader}<Relationships xmlns="${relationSpace}"></Relationships>`;
  edit(parts, `xl/worksheets/_rels/${file}.rels`, (xml) =>
    (xml || empty).replace('</Relationships>', () => `${relation}</Relationships>`),
  );
}
