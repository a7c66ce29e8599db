import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusyError, InterruptedError } from '../../../src/core/errors.ts';
import { IngestInputError, IngestStoppedError } from '../../../src/inbox/ingest/ingest-errors.ts';
import { ingestEvents } from '../../../src/inbox/ingest/ingest-events.ts';
import { readSegment } from '../../../src/inbox/spool/read-segment.ts';
import { listSegments } from '../../../src/inbox/spool/segment.ts';
import { SegmentWriter } from '../../../src/inbox/spool/write-segment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { numberedEvent } from '../../support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Part = string | Uint8Array | Error;

async function* partsOf(parts: readonly Part[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield await Promise.resolve(Buffer.from(part));
  }
}

async function openInbox() {
  const dataDir = await temporaryFolder();
  const clock = new ManualClock('2026-11-21T10:00:00.123Z');
  const options = { dataDir, clock, waitMs: 0, signal: new AbortController().signal };
  const ingest = (...parts: Part[]) => ingestEvents(partsOf(parts), options);
  const payloads = async () => {
    const read = await Promise.all((await listSegments(dataDir)).map(readSegment));
    return read.flatMap((found) => found?.events ?? []).map(({ payload }) => payload);
  };
  const setAside = async (report: { quarantine: string | null }) => {
    const text = await readFile(report.quarantine ?? '', 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };
  return { dataDir, clock, options, ingest, payloads, setAside };
}

const nothing = {
  stored: 0,
  duplicates: 0,
  rejections: [],
  rejected: 0,
  quarantine: null,
  cutOff: null,
  inputError: null,
};

describe('taking events in', () => {
  it('stores each once, now, whatever stands between them, and in the input’s order', async () => {
    const { dataDir, ingest, payloads } = await openInbox();
    const [one, two, three] = [1, 2, 3].map(numberedEvent);
    const again = JSON.stringify(JSON.parse(`${one}`), null, 2);
    const report = await ingest(`${one}\n${two}\r\n\n[${three},\n${again}]`, `\n${two}`);
    expect(report).toEqual({ ...nothing, stored: 3, duplicates: 2 });
    expect(await payloads()).toEqual([one, two, three]);
    const [segment] = await listSegments(dataDir);
    expect(segment?.isSealed).toBe(true);
    const lines = await readFile(segment?.path ?? '', 'utf8');
    expect(lines.match(/"received_at":"[^"]*","via":"[^"]*"/g)).toEqual(
      Array(3).fill('"received_at":"2026-11-21T10:00:00.123Z","via":"ingest"'),
    );
  });

  it('stores what is missing when it comes again, also as part of more', async () => {
    const { ingest, payloads } = await openInbox();
    const events = Array.from({ length: 5 }, (_, n) => numberedEvent(n));
    await ingest(events.slice(1, 3).join('\n'));
    expect(await ingest(`[${events.join()}]`)).toEqual({ ...nothing, stored: 3, duplicates: 2 });
    expect((await payloads()).toSorted()).toEqual(events);
  });

  it('keeps what is no event in a file, with its line and the reason, and its neighbours in the inbox', async () => {
    const { dataDir, ingest, payloads, setAside } = await openInbox();
    const [one, two] = [1, 2].map(numberedEvent);
    const latin = Buffer.from(
      '{"type":"caf\xe9","data":{},"createdAt":"2026-01-01T00:00:00Z"}',
      'latin1',
    );
    const report = await ingest(
      `${one}\n{"type":7}\n`,
      latin,
      `\n${two} x\n[${two},null,\n`,
      `"a]`,
    );
    const rejections = [
      {
        line: 2,
        number: 2,
        element: null,
        reason: expect.stringMatching(/^type: .*; data: .*; createdAt: /) as string,
      },
      { line: 3, number: 3, element: null, reason: 'body: is not UTF-8' },
      { line: 4, number: 4, element: null, reason: expect.stringMatching(/^body: /) as string },
      { line: 5, number: 6, element: 2, reason: expect.stringMatching(/^body: /) as string },
      { line: 6, number: 7, element: 3, reason: 'the input ends in the middle of it' },
    ];
    expect(report).toEqual({
      ...nothing,
      stored: 2,
      rejections,
      rejected: 5,
      cutOff: { what: 'array', line: 5 },
      quarantine: expect.stringMatching(
        /\/quarantine\/ingest-20261121T100000\.123Z-[0-9a-f]{8}\.ndjson$/,
      ) as string,
    });
    expect(await payloads()).toEqual([one, two]);
    const texts = [
      { text: '{"type":7}' },
      { base64: latin.toString('base64') },
      { text: `${two} x` },
      { text: 'null' },
      { text: '"a]' },
    ];
    expect(await setAside(report)).toEqual(
      rejections.map((rejection, index) => ({ ...rejection, ...texts[index] })),
    );
    expect(await readdir(join(dataDir, 'quarantine'))).toHaveLength(1);
  });

  it('takes an event of 1 MiB, and sets a longer one aside in pieces', async () => {
    const { ingest, payloads, setAside } = await openInbox();
    const sized = (bytes: number) => {
      const empty = '{"type":"t","createdAt":"2026-01-01T00:00:00Z","data":{"x":""}}';
      return empty.replace('""', `"${'é'.repeat((bytes - empty.length) / 2)}"`);
    };
    const [exact, longer] = [sized(1_048_577 - 2), sized(2_500_001)];
    expect(Buffer.byteLength(exact)).toBe(1_048_575);
    const report = await ingest(`${exact} \n[${longer},`, `${numberedEvent(1)}]`);
    const reason = 'it has more than 1,048,576 bytes, or no end';
    expect(report).toMatchObject({
      stored: 2,
      rejected: 1,
      rejections: [{ line: 2, number: 2, element: 1, reason }],
    });
    expect(await payloads()).toEqual([exact, numberedEvent(1)]);
    const pieces = (await setAside(report)) as {
      text?: string;
      base64?: string;
      continued?: true;
    }[];
    expect(pieces.map(({ continued }) => continued)).toEqual([
      undefined,
      ...Array<true>(pieces.length - 1).fill(true),
    ]);
    const bytes = pieces.map(({ text, base64 = '' }) =>
      Buffer.from(text ?? base64, text === undefined ? 'base64' : 'utf8'),
    );
    expect(Buffer.concat(bytes).toString()).toBe(longer);
  });

  it('tells the first ten thousand rejections, and keeps them all', async () => {
    const { ingest, setAside } = await openInbox();
    const report = await ingest('7\n'.repeat(10_050), numberedEvent(1));
    expect(report).toMatchObject({ stored: 1, rejected: 10_050 });
    expect(report.rejections).toHaveLength(10_000);
    expect(await setAside(report)).toHaveLength(10_050);
  });

  it('stores what came before an input breaks off, and says why it did', async () => {
    const { ingest, payloads } = await openInbox();
    const inputError = new IngestInputError('the disk has failed');
    const report = await ingest(`${numberedEvent(1)}\n{"type"`, inputError);
    expect(report).toMatchObject({ stored: 1, rejected: 1, inputError });
    expect(await payloads()).toEqual([numberedEvent(1)]);
  });

  it('says how much is stored when what is no event cannot be kept', async () => {
    const { dataDir, ingest, payloads } = await openInbox();
    const quarantine = join(dataDir, 'quarantine');
    await writeFile(quarantine, 'in the way');
    const events = Array.from({ length: 2_000 }, (_, n) => numberedEvent(n));
    await expect(ingest(`${events.join('\n')}\n{}`)).rejects.toThrow(
      new IngestStoppedError(
        `stopped with 2,000 stored: ${quarantine} cannot take what is no event (EEXIST: file already exists, mkdir '${quarantine}'); it must be a folder with room that this user may write to; then take the whole input in again, what is stored is known`,
      ),
    );
    expect(await payloads()).toEqual(events);
    await rm(quarantine);
    expect(await ingest(`${events.join('\n')}\n{}`)).toMatchObject({
      ...{ stored: 0, duplicates: 2_000, rejected: 1 },
    });
  });

  it('says how much is stored when the inbox takes no more', async () => {
    const { dataDir, options } = await openInbox();
    const inbox = join(dataDir, 'inbox');
    const parts = async function* () {
      const events = Array.from({ length: 2_000 }, (_, n) => `${numberedEvent(n)}\n`);
      yield Buffer.from(events.join(''));
      await rm(inbox, { recursive: true });
      await writeFile(inbox, 'in the way');
      yield Buffer.from(numberedEvent(2_000));
    };
    const stopped = ingestEvents(parts(), options);
    await expect(stopped).rejects.toThrow(IngestStoppedError);
    await expect(stopped).rejects.toThrow(
      /^stopped with 2,000 stored: .*inbox takes no events \(.*\); make room or repair the disk, and add them again; then take the whole input in again, what is stored is known$/,
    );
  });

  it('stops between chunks when it is asked to, and says how much is stored', async () => {
    const { options, payloads, dataDir } = await openInbox();
    const controller = new AbortController();
    async function* endless() {
      for (let n = 0; ; n += 1) {
        if (n === 5_000) controller.abort();
        yield await Promise.resolve(Buffer.from(`${numberedEvent(n)}\n`));
      }
    }
    const taking = ingestEvents(endless(), { ...options, signal: controller.signal });
    await expect(taking).rejects.toThrow(
      new InterruptedError(
        'stopped before the end of the input: 4000 stored; take it in again, what is stored is known',
      ),
    );
    expect(await payloads()).toHaveLength(4_000);
    await (await SegmentWriter.open(dataDir, options.clock)).close();
  });

  it('stops waiting for another one when it is asked to', async () => {
    const { dataDir, clock, options } = await openInbox();
    await SegmentWriter.open(dataDir, clock);
    const controller = new AbortController();
    const waiting = ingestEvents(partsOf([]), {
      ...options,
      waitMs: 60_000,
      signal: controller.signal,
    });
    controller.abort();
    await expect(waiting).rejects.toThrow(new InterruptedError('stopped while waiting'));
  });

  it('waits for another one, and gives up when its time is over', async () => {
    const { dataDir, clock, ingest, options } = await openInbox();
    const other = await SegmentWriter.open(dataDir, clock);
    await expect(ingest(numberedEvent(1))).rejects.toThrow(BusyError);
    const waiting = ingestEvents(partsOf([numberedEvent(1)]), { ...options, waitMs: 60_000 });
    await other.close();
    await clock.advance(60_000);
    expect(await waiting).toEqual({ ...nothing, stored: 1 });
  });
});
