import ExcelJS from 'exceljs';
import JSZip from 'jszip';
import { cellText } from './cell-text.ts';
import { chartXml } from './chart-xml.ts';
import { drawingRelations, drawingTypes, drawingXml } from './drawing-xml.ts';
import { maxBarLength, type SheetExtras, type SheetOptions, SheetWriter } from './sheet-writer.ts';

export interface WorkbookProperties {
  readonly title: string;
  /** What it is about, for example report and period; null: nothing more. */
  readonly subject: string | null;
  /** What it was made of, shown as its comments; null: nothing more. */
  readonly description: string | null;
  /** Whose report it is; null: nobody's. */
  readonly company: string | null;
  /** Stamps the document and every entry of the zip, so that equal data give equal bytes; null: unknown. */
  readonly createdAt: Date | null;
}

/** The oldest date that a zip can hold. */
const zipEpoch = new Date(Date.UTC(1980, 0, 1));
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A workbook in memory: exceljs's, and one pass over its parts for what that cannot write. */
export class WorkbookFile {
  readonly #book = new ExcelJS.Workbook();
  readonly #sheets: SheetWriter[] = [];
  readonly #createdAt: Date | null;

  constructor({ title, subject, description, company, createdAt }: WorkbookProperties) {
    this.#createdAt = createdAt;
    const book = this.#book;
    book.creator = book.lastModifiedBy = 'postledger';
    book.created = book.modified = createdAt ?? zipEpoch;
    book.title = cellText(title);
    if (subject !== null) book.subject = cellText(subject);
    if (description !== null) book.description = cellText(description);
    if (company !== null) book.company = cellText(company);
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
    // Packed once only, at the end.
    const unpacked = { zip: { compression: 'STORE' } } as Partial<ExcelJS.XlsxWriteOptions>;
    const zip = await JSZip.loadAsync(await this.#book.xlsx.writeBuffer(unpacked));
    const parts = new Map<string, string>();
    for (const [name, entry] of Object.entries(zip.files)) {
      if (!entry.dir) parts.set(name, await entry.async('string'));
    }
    completeParts(parts, {
      sheets: this.#sheets.map(({ extras }) => extras),
      isDated: this.#createdAt !== null,
    });
    const whole = new JSZip();
    for (const [name, part] of parts) {
      whole.file(name, part, { date: this.#createdAt ?? zipEpoch, createFolders: false });
    }
    return whole.generateAsync({
      type: 'nodebuffer',
      compression: 'DEFLATE',
      compressionOptions: { level: 3 },
    });
  }
}

function completeParts(
  parts: Map<string, string>,
  { sheets, isDated }: { sheets: readonly SheetExtras[]; isDated: boolean },
): void {
  const edit = (name: string, change: (part: string) => string): void => {
    parts.set(name, change(parts.get(name) ?? ''));
  };
  // The first font is that of empty cells, and of what widths are measured in.
  edit('xl/styles.xml', (part) => part.replace(/<font>.*?<\/font>/u, bodyFontXml));
  if (!isDated) {
    edit('docProps/core.xml', (part) =>
      part.replace(/<dcterms:(created|modified)[^>]*>[^<]*<\/dcterms:\1>/gu, ''),
    );
  }
  let drawings = 0;
  sheets.forEach((extras, index) => {
    const sheet = `xl/worksheets/sheet${index + 1}.xml`;
    const relations = `xl/worksheets/_rels/sheet${index + 1}.xml.rels`;
    linkWithin(parts, sheet, relations);
    if (extras.chart !== null) {
      drawings += 1;
      addDrawing(parts, extras.chart, drawings);
      const relation = `<Relationship Id="drawing" Type="${relationType}/drawing" Target="../drawings/drawing${drawings}.xml"/>`;
      const old =
        parts.get(relations) ??
        `${xmlHeader}<Relationships xmlns="${relationSpace}"></Relationships>`;
      parts.set(relations, old.replace('</Relationships>', `${relation}</Relationships>`));
    }
    edit(sheet, (part) => finishedBars(withExtras(part, extras), index + 1));
  });
  edit('[Content_Types].xml', (part) =>
    part.replace('</Types>', `${drawingTypes(drawings)}</Types>`),
  );
}

const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const bodyFontXml =
  '<font><sz val="10"/><color rgb="FF15191F"/><name val="Arial"/><family val="2"/></font>';

function addDrawing(
  parts: Map<string, string>,
  { chart, anchor }: NonNullable<SheetExtras['chart']>,
  number: number,
): void {
  parts.set(`xl/charts/chart${number}.xml`, chartXml(chart));
  parts.set(`xl/drawings/drawing${number}.xml`, drawingXml(chart, anchor));
  parts.set(`xl/drawings/_rels/drawing${number}.xml.rels`, drawingRelations(number));
}

/** exceljs takes every link for one to another file; one within the workbook needs no relationship. */
function linkWithin(parts: Map<string, string>, sheet: string, relations: string): void {
  const xml = parts.get(sheet) ?? '';
  const inside = new Set<string>();
  const linked = xml.replace(
    /(<hyperlink ref="[^"]*") r:id="([^"]*)"( location=)/gu,
    (_, before: string, id: string, after: string) => {
      inside.add(id);
      return before + after;
    },
  );
  if (inside.size === 0) return;
  parts.set(sheet, linked);
  const others = (parts.get(relations) ?? '').replace(
    /<Relationship Id="([^"]*)"[^>]*\/>/gu,
    (relation, id: string) => (inside.has(id) ? '' : relation),
  );
  if (others.includes('<Relationship ')) parts.set(relations, others);
  else parts.delete(relations);
}

function withExtras(xml: string, { chart, plainCells }: SheetExtras): string {
  const ignored =
    plainCells === null
      ? ''
      : `<ignoredErrors><ignoredError sqref="${plainCells}" numberStoredAsText="1" formula="1" formulaRange="1"/></ignoredErrors>`;
  const drawing = chart === null ? '' : '<drawing r:id="drawing"/>';
  const extension = xml.lastIndexOf('<extLst>');
  const end = extension === -1 ? xml.lastIndexOf('</worksheet>') : extension;
  return xml.slice(0, end) + ignored + drawing + xml.slice(end);
}

/**
 * exceljs names bars at random, and writes their length for Excel alone; their number makes equal data equal
 * bytes, and the length keeps other programs' bars off the figures too.
 */
function finishedBars(xml: string, sheet: number): string {
  const ids = [
    ...new Set(xml.match(/\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}(?=<\/x14:id>)/gu)),
  ];
  const hex = (value: number, length: number) =>
    value.toString(16).padStart(length, '0').toUpperCase();
  return ids.reduce(
    (named, id, index) =>
      named.replaceAll(id, `{${hex(sheet, 8)}-0000-4000-8000-${hex(index, 12)}}`),
    xml.replaceAll('<dataBar>', `<dataBar minLength="0" maxLength="${maxBarLength}">`),
  );
}
