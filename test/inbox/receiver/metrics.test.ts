import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { numberedEvent, openRaw, sendRaw, startTestReceiver } from '../../support/receiver.ts';

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: { readonly name: string; readonly labels: Labels; readonly value: number }[];
}

/** Reads Prometheus' text format, and refuses what its own checker does. */
function parseExposition(text: string): Map<string, Family> {
  expect(text).toMatch(/\n$/);
  const families = new Map<string, Family>();
  let current = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment) current = addComment(families, comment);
    else addSample(families.get(current), current, line);
  }
  return families;
}

function addComment(families: Map<string, Family>, [, kind, name = '', rest = '']: string[]) {
  if (kind === 'HELP') {
    expect(families.has(name), `${name} is there once`).toBe(false);
    families.set(name, { type: '', help: rest, samples: [] });
  } else {
    const family = families.get(name);
    expect(['counter', 'gauge', 'histogram']).toContain(rest);
    if (family?.type !== '') throw new Error(`${name} has no help, or two types`);
    families.set(name, { ...family, type: rest });
  }
  return name;
}

function addSample(family: Family | undefined, familyName: string, line: string) {
  const [, name = '', labelText = '', valueText = ''] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)",?/g;
  const labels = Object.fromEntries(
    [...labelText.matchAll(pattern)].map(([, key = '', value = '']) => [key, value]),
  );
  expect(labelText.replaceAll(pattern, ''), line).toBe('');
  const value = valueText === '+Inf' ? Number.POSITIVE_INFINITY : Number(valueText);
  // prom-client writes `Nan` where the loop was never late, which Prometheus reads in any letter case
  expect(Number.isNaN(value) && !/^nan$/i.test(valueText), line).toBe(false);
  if (!family) throw new Error(`a sample without a family: ${line}`);
  const suffix = name.slice(familyName.length);
  const allowed = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  expect([name.startsWith(familyName), allowed.includes(suffix)], line).toEqual([true, true]);
  const isTwice = family.samples.some(
    (other) => other.name === name && JSON.stringify(other.labels) === JSON.stringify(labels),
  );
  expect(isTwice, line).toBe(false);
  family.samples.push({ name, labels, value });
}

async function scrape(url: string): Promise<Map<string, Family>> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseExposition(await response.text());
}

function valuesOf(family: Family | undefined, label: string): Record<string, number> {
  const samples = family?.samples ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [labels[label] ?? '', value]));
}

describe('the metrics', () => {
  it('are valid, and count what was answered and what became of events', async () => {
    const clock = new ManualClock('2026-01-15T12:00:00Z');
    const { metricsUrl, post, port, url } = await startTestReceiver({
      webhooks: { metricsPort: 0 },
      clock,
    });
    for (const n of [1, 2, 2]) await post(numberedEvent(n));
    await post('{}');
    await sendRaw(port, 'nonsense\r\n\r\n');
    await fetch(new URL('/wp-login.php', url));
    await fetch(url);
    await clock.advance(1_000);
    const families = await scrape(metricsUrl);

    expect([...families.keys()].filter((name) => !name.startsWith('postledger_'))).toEqual([]);
    expect([...families.values()].filter(({ type }) => type === 'counter')).not.toEqual([]);
    for (const [name, { type }] of families) {
      if (type === 'counter') expect(name).toMatch(/_total$/);
    }
    const requests = families.get('postledger_webhook_requests_total');
    expect(valuesOf(requests, 'status')).toEqual({
      ...{ '200': 1, '202': 2, '400': 2 },
      ...{ '404': 1, '405': 1 },
    });
    const events = families.get('postledger_webhook_events_total');
    expect(valuesOf(events, 'outcome')).toEqual({ stored: 2, duplicate: 1, refused: 1 });
    expect(families.get('postledger_webhook_last_event_timestamp_seconds')?.samples).toEqual([
      expect.objectContaining({ value: clock.now().getTime() / 1000 - 1 }),
    ]);
  });

  it('measure how long storing takes and how many events are stored together', async () => {
    const { metricsUrl, post } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(numbers.map((n) => post(numberedEvent(n))));
    const families = await scrape(metricsUrl);
    for (const [name, total, label] of [
      ['postledger_webhook_store_seconds', 'count', 20],
      ['postledger_webhook_group_events', 'sum', 20],
    ] as const) {
      const samples = families.get(name)?.samples ?? [];
      expect(samples.find((sample) => sample.name === `${name}_${total}`)?.value).toBe(label);
      const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
      const counts = buckets.map(({ value }) => value);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(buckets.at(-1)).toMatchObject({
        labels: { le: '+Inf' },
        value: samples.find((sample) => sample.name === `${name}_count`)?.value,
      });
    }
  });

  it('show queue, backlog, disk and process as they are', async () => {
    const { metricsUrl, post } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    await post(numberedEvent(1));
    const families = await scrape(metricsUrl);
    const valueOf = (name: string) => families.get(`postledger_${name}`)?.samples[0]?.value;
    expect({
      queue: [valueOf('webhook_queue_events'), valueOf('webhook_queue_bytes')],
      backlog: [valueOf('inbox_backlog_events'), valueOf('inbox_backlog_segments')],
      failing: valueOf('inbox_failing'),
    }).toEqual({ queue: [0, 0], backlog: [1, 1], failing: 0 });
    expect(valueOf('inbox_backlog_bytes')).toBeGreaterThan(numberedEvent(1).length);
    expect(valueOf('inbox_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('are served on few connections, and their number holds up no sender', async () => {
    const { metricsUrl, post } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    const port = Number(new URL(metricsUrl).port);
    const idle = Array.from({ length: 10 }, () => openRaw(port, ''));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await sendRaw(port, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
    expect((await post(numberedEvent(1))).status).toBe(202);
  });

  it('are not served to the senders, nor anything else on their port', async () => {
    const { metricsUrl, url } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    expect(new URL(metricsUrl).hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
    const elsewhere = await fetch(new URL('/webhooks', metricsUrl), { method: 'POST' });
    expect([elsewhere.status, await elsewhere.json()]).toEqual([
      404,
      { code: 'NOT_FOUND', message: 'Not Found' },
    ]);
    const posted = await fetch(metricsUrl, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
