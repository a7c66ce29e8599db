import { createWriteStream, type WriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import ExcelJS from 'exceljs';
import { sharedMode } from '../../core/atomic-file.ts';
import { cellText } from './cell-text.ts';
import { ruleFonts } from './conditional-formats.ts';
import { Failure } from './failure.ts';
import { PartStream } from './part-stream.ts';
import { StreamingSheet } from './streaming-sheet.ts';
import { StringTable } from './string-table.ts';
import { bodyFont, type CellStyle } from './styles.ts';

export interface WorkbookProperties {
  readonly title: string;
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
    this.#setProperties(properties);
    this.#redirect();
  }

  addSheet(name: string, options: SheetOptions): StreamingSheet {
    return new StreamingSheet(this.#writer.addWorksheet(name, options), async (part) => {
      await this.#failure.orDone(Promise.all([part.drained(), this.#strings.drained()]));
    });
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

  #setProperties({ title, createdAt }: WorkbookProperties): void {
    this.#internals.title = cellText(title);
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

  #appendStrings(): void {
    const xml = Readable.from(this.#strings.xml(), { objectMode: false });
    xml.on('error', this.#failure.report);
    this.#internals.zip.append(xml, { name: '/xl/sharedStrings.xml' });
  }
}
