import { createWriteStream, type WriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import ExcelJS from 'exceljs';
import { sharedMode } from '../../core/atomic-file.ts';
import { cellText } from './cell-text.ts';
import { chartXml } from './chart-xml.ts';
import { ruleFonts } from './conditional-formats.ts';
import { type ChartAnchor, drawingRelations, drawingTypes, drawingXml } from './drawing-xml.ts';
import { Failure } from './failure.ts';
import type { NativeChart } from './native-chart.ts';
import { PartStream } from './part-stream.ts';
import { StreamingSheet } from './streaming-sheet.ts';
import { StringTable } from './string-table.ts';
import { bodyFont, type CellStyle } from './styles.ts';
import { xmlText } from './xml-text.ts';

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

export type SheetOptions = Partial<ExcelJS.AddWorksheetOptions>;

/** What exceljs 4.4.0 keeps to itself and this file builds upon; the version is pinned. */
interface WriterInternals {
  readonly zip: Writable & {
    append(source: unknown, data: { name: string; date?: Date }): unknown;
  };
  readonly styles: {
    _addFont(font: Partial<ExcelJS.Font>): number;
    addDxfStyle(style: CellStyle): number;
  };
  sharedStrings: StringTable;
  created: Date | undefined;
  modified: Date | undefined;
  title: string;
  subject: string | undefined;
  description: string | undefined;
  readonly _definedNames: { add(place: string, name: string): void };
  addSharedStrings(): Promise<void>;
  _openStream(path: string): PartStream;
}

/** The oldest date that a zip can hold. */
const zipEpoch = new Date(Date.UTC(1980, 0, 1));

/** exceljs's streaming writer, whose every entry has the same date, whenever it is written. */
class DatedWriter extends ExcelJS.stream.xlsx.WorkbookWriter {
  /** The first thing that the constructor adds to the zip. */
  override addThemes(): Promise<void> {
    const { zip, created } = this as unknown as WriterInternals;
    const append = zip.append.bind(zip);
    const date = created ?? zipEpoch;
    zip.append = (source, data) => append(source, { ...data, date });
    return super.addThemes();
  }
}

/**
 * A workbook that is written row by row in flat memory. It is exceljs's streaming writer with what
 * that lacks: writes that wait for the disk, strings kept out of memory, links and conditional
 * formats in the order that the schema wants, solid bars, links within the workbook.
 */
export class StreamingWorkbook {
  readonly #output: WriteStream;
  readonly #strings: StringTable;
  readonly #writer: DatedWriter;
  readonly #internals: WriterInternals;
  readonly #failure = new Failure();
  readonly #company: string | null;
  #charts = 0;

  /** @param path of a file that is not there yet; so is `path` with `.strings`, for the time being */
  constructor(path: string, properties: WorkbookProperties) {
    this.#output = createWriteStream(path, { mode: sharedMode, flags: 'wx' });
    this.#output.on('error', this.#failure.report);
    this.#strings = new StringTable(`${path}.strings`, this.#failure.report);
    const options = {
      stream: this.#output,
      useStyles: true,
      created: properties.createdAt ?? zipEpoch,
      creator: 'postledger',
      lastModifiedBy: 'postledger',
    };
    this.#writer = new DatedWriter({ ...options, useSharedStrings: true });
    this.#internals = this.#writer as unknown as WriterInternals;
    this.#company = properties.company;
    this.#setProperties(properties);
    this.#redirect();
  }

  addSheet(name: string, options: SheetOptions): StreamingSheet {
    return new StreamingSheet(this.#writer.addWorksheet(name, options), {
      drained: async (part) => {
        await this.#failure.orDone(Promise.all([part.drained(), this.#strings.drained()]));
      },
      addChart: (chart, anchor) => this.#addChart(chart, anchor),
    });
  }

  /** @param cell for example `'About'!$C$9` @param name of the whole workbook */
  nameCell(cell: string, name: string): void {
    this.#internals._definedNames.add(cell, name);
  }

  /** Writes what comes after the sheets, all of which are closed by now. */
  async finish(): Promise<void> {
    await this.#failure.orDone(this.#writer.commit());
    await finished(this.#output);
  }

  /** Frees what was taken; to be called at the end, after an error too. */
  async close(): Promise<void> {
    this.#output.destroy();
    await finished(this.#output).catch(() => undefined);
    await this.#strings.remove();
  }

  #addChart(chart: NativeChart, anchor: ChartAnchor): number {
    this.#charts += 1;
    const number = this.#charts;
    const { zip } = this.#internals;
    zip.append(chartXml(chart), { name: `xl/charts/chart${number}.xml` });
    zip.append(drawingXml(chart, anchor), { name: `xl/drawings/drawing${number}.xml` });
    zip.append(drawingRelations(number), { name: `xl/drawings/_rels/drawing${number}.xml.rels` });
    return number;
  }

  #setProperties({ title, subject, description, createdAt }: WorkbookProperties): void {
    this.#internals.title = cellText(title);
    if (subject !== null) this.#internals.subject = cellText(subject);
    if (description !== null) this.#internals.description = cellText(description);
    if (createdAt === null) this.#internals.created = this.#internals.modified = undefined;
    // The first font is the workbook's own: of empty cells, and of what widths are measured in.
    this.#internals.styles._addFont(bodyFont);
    for (const font of ruleFonts) this.#internals.styles.addDxfStyle({ font });
    const size = { x: 0, y: 0, width: 24_000, height: 14_000 };
    this.#writer.views = [{ ...size, firstSheet: 0, activeTab: 0, visibility: 'visible' }];
  }

  #redirect(): void {
    const internals = this.#internals;
    internals.zip.on('error', this.#failure.report);
    const append = internals.zip.append.bind(internals.zip);
    internals.zip.append = (source, data) => append(this.#completed(data.name, source), data);
    internals.sharedStrings = this.#strings;
    internals._openStream = (name) => {
      const part = new PartStream();
      internals.zip.append(part.readable, { name });
      return part;
    };
    internals.addSharedStrings = () => {
      if (this.#strings.count > 0) this.#appendStrings();
      return Promise.resolve();
    };
  }

  /** Parts that exceljs writes as one text, with what it does not know of. */
  #completed(part: string, source: unknown): unknown {
    if (typeof source !== 'string') return source;
    if (part === '[Content_Types].xml') {
      return source.replace('</Types>', `${drawingTypes(this.#charts)}</Types>`);
    }
    if (part === 'docProps/app.xml' && this.#company !== null) {
      const company = `<Company>${xmlText(this.#company)}</Company>`;
      return source.replace(/<Company\/>|<Company><\/Company>/u, () => company);
    }
    return source;
  }

  #appendStrings(): void {
    const xml = Readable.from(this.#strings.xml(), { objectMode: false });
    xml.on('error', this.#failure.report);
    this.#internals.zip.append(xml, { name: '/xl/sharedStrings.xml' });
  }
}
