import { sendAnswer } from './wire.mjs';

/** Changes every member of a list; of a post's details the post. */
function each(change) {
  return ({ socket, good, truth, request }) => {
    const { value } = good;
    const changed = Array.isArray(value)
      ? value.map((record, index) => change(structuredClone(record), { index, truth, request }))
      : { post: change(structuredClone(value.post), { index: 0, truth, request }) };
    sendAnswer(socket, { value: changed });
  };
}

/** Of a list alone; details are as they are. */
function list(change) {
  return (exchange) => {
    const { socket, good } = exchange;
    if (!Array.isArray(good.value)) return sendAnswer(socket, good);
    return sendAnswer(socket, { value: change(structuredClone(good.value), exchange) });
  };
}

/** As text, for what no JavaScript value has. */
function text(change) {
  return ({ socket, good }) => sendAnswer(socket, { body: change(JSON.stringify(good.value)) });
}

const counts = ['likeCount', 'commentCount', 'shareCount', 'clickCount', 'impressionCount'];

function withCounts(value) {
  return list((records) =>
    records.map((record) => ({
      ...record,
      ...Object.fromEntries(counts.map((name) => [name, value])),
    })),
  );
}

/** Every third member suffers; its siblings must load. */
function thirds(change) {
  return list((records, exchange) =>
    records.map((record, index) => (index % 3 === 1 ? change(record, exchange) : record)),
  );
}

const rewritten = (name, literal) =>
  text((json) => json.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${literal}`));

/** Puts bytes into the first texts of an answer. */
function withBytes(bytes) {
  return ({ socket, good }) => {
    const [first, ...rest] = JSON.stringify(good.value).split('https://');
    const parts = rest.map((part) => Buffer.from(part));
    const mark = Buffer.from([...Buffer.from('https://'), ...bytes]);
    const body = parts.reduce((all, part) => Buffer.concat([all, mark, part]), Buffer.from(first));
    sendAnswer(socket, { body });
  };
}

const deepValue = (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const megabyte = 1 << 20;

/** What members of an answer are like. */
export const recordModes = {
  /** The tables are those of the truth at once. */
  harmless: {
    'duplicated-members': list((records) => [...records, ...records]),
    reversed: list((records) => records.reverse()),
    'answers-for-all-days': list((_, { truth, request }) =>
      truth.recordsOf(request.profileId, '0000-01-01', '9999-12-31'),
    ),
    'unknown-fields': each((record) => ({
      ...record,
      reach: 5,
      'odd key "\n': [{ a: null }],
      __v: 1,
    })),
    'keys-that-differ-in-case': each((record) => ({
      ...record,
      LikeCount: -7,
      ID: 'no',
      Title: 'no',
    })),
    'whole-numbers-as-doubles': text((json) => json.replace(/("likeCount":\d+)/g, '$1.0')),
    exponents: text((json) => json.replace(/"shareCount":3/g, '"shareCount":0.3e1')),
    'repeated-keys-last-right': text((json) =>
      json.replace(/"likeCount":(\d+)/g, '"likeCount":-1,"likeCount":"x","likeCount":$1'),
    ),
    'times-with-offsets': list((records) =>
      records.map((record) => ({
        ...record,
        publishedAt: record.publishedAt.replace('Z', '+00:00'),
      })),
    ),
  },
  /** Kept as it was given, and mended by the next good answer. */
  taken: {
    'ids-in-upper-case': {
      answer: each((record) => ({
        ...record,
        id: record.id.toUpperCase(),
        ...(record.servicePost && {
          servicePost: { ...record.servicePost, id: record.servicePost.id.toUpperCase() },
        }),
      })),
      // ids are compared as they are given: by another one a post is another post
      leavesOthers: true,
    },
    'an-empty-list': list(() => []),
    'half-of-the-list': list((records) => records.slice(0, records.length >> 1)),
    stale: list((_, { truth, request }) =>
      truth.recordsOf(request.profileId, request.from, request.to, 0),
    ),
    'answers-for-another-window': list((_, { truth, request }) =>
      truth.recordsOf(request.profileId, '2025-04-01', '2025-04-30'),
    ),
    'records-of-another-profile': list((_, { truth, request }) => {
      const other = truth.profiles.find(({ id }) => id !== request.profileId);
      return truth.recordsOf(other.id, request.from, request.to);
    }),
    'posts-move-to-another-window': list((records) =>
      records.map((record) => ({ ...record, publishedAt: '2025-04-02T00:00:00.000Z' })),
    ),
    'optional-nulls': list((records) =>
      records.map(({ id, url, type }) => ({
        id,
        url,
        type,
        ...Object.fromEntries(counts.map((name) => [name, null])),
        commentary: null,
        publishedAt: null,
        engagement: null,
        emv: null,
        servicePost: null,
      })),
    ),
    'optional-missing': list((records) => records.map(({ id, url, type }) => ({ id, url, type }))),
    'enum-drift': each((record) => ({ ...record, type: 'Hologram', status: 'Quantum' })),
    'negative-counts': withCounts(-1),
    'counts-up-to-2-to-the-53': withCounts(Number.MAX_SAFE_INTEGER),
    'the-largest-count': {
      answer: text((json) => json.replace(/"likeCount":\d+/g, '"likeCount":9223372036854775807')),
      // more than a number of JavaScript holds
      isModelled: false,
    },
    'minus-zero': text((json) => json.replace(/"(likeCount|emv)":[\d.]+/g, '"$1":-0')),
    'engagement-beyond-1': list((records) =>
      records.map((record) => ({ ...record, engagement: 17.25 })),
    ),
    'tiny-and-huge-doubles': list((records) =>
      records.map((record) => ({ ...record, engagement: 5e-324, emv: 1.7e308 })),
    ),
    'no-links': list((records) => records.map((record) => ({ ...record, servicePost: null }))),
    'links-without-labels': list((records) =>
      records.map((record) => ({
        ...record,
        servicePost: record.servicePost && { id: record.servicePost.id, title: 'Bare' },
      })),
    ),
    'terminal-escapes': each((record) => ({
      ...record,
      ...(record.url && { commentary: '\u001b]0;title\u0007\u001b[2J', title: '\u001b[31mred' }),
    })),
    'nul-in-texts': each((record) => ({ ...record, commentary: 'a\0b' })),
    'lone-surrogates': text((json) =>
      json.replaceAll('Plain words.', '\\ud83d and \\udc00').replace(/Title /g, '\\ud800 '),
    ),
    'bytes-that-are-no-utf-8': withBytes([0x54, 0xff, 0xc0]),
    'surrogates-in-utf-8': withBytes([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]),
    'texts-of-a-megabyte': list((records) =>
      records.map((record, index) =>
        index === 0 ? { ...record, commentary: 'long '.repeat(megabyte / 5) } : record,
      ),
    ),
    'nested-300-deep': { answer: rewritten('shareCount', `3,"extra":${deepValue(300)}`) },
    'nested-100000-deep': { answer: rewritten('shareCount', `3,"extra":${deepValue(100_000)}`) },
    'a-record-of-17-mib': list((records) =>
      records.map((record, index) =>
        index === 0 ? { ...record, blob: 'x'.repeat(17 * megabyte) } : record,
      ),
    ),
    'fifty-thousand-unknown-fields': list((records) =>
      records.map((record, index) =>
        index === 0
          ? {
              ...record,
              ...Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, n])),
            }
          : record,
      ),
    ),
    'prototype-keys': text((json) =>
      json.replace(/\{"id"/g, '{"__proto__":{"id":"x"},"constructor":1,"toString":null,"id"'),
    ),
  },
  /** Siblings load, and rejected_records has why. */
  rejected: {
    'required-nulls': thirds((record) => ({ ...record, url: null })),
    'required-missing': thirds(({ type, ...record }) => (type, record)),
    'empty-ids': thirds((record) => ({ ...record, id: '' })),
    'ids-that-are-numbers': thirds((record) => ({ ...record, id: 17 })),
    'counts-as-texts': thirds((record) => ({ ...record, likeCount: '12' })),
    'counts-as-objects': thirds((record) => ({ ...record, likeCount: { value: 12 } })),
    'fractions-in-counts': thirds((record) => ({ ...record, likeCount: 1.7 })),
    'counts-of-2-to-the-63': text((json) =>
      json.replace(/"likeCount":\d+/, '"likeCount":9223372036854775808'),
    ),
    'counts-of-1e400': text((json) => json.replace(/"likeCount":\d+/, '"likeCount":1e400')),
    'doubles-of-1e400': text((json) => json.replace(/"emv":[\d.]+/, '"emv":1e400')),
    'counts-as-booleans': thirds((record) => ({ ...record, shareCount: true })),
    'unreadable-times': thirds((record) => ({ ...record, publishedAt: 'last Tuesday' })),
    'times-as-numbers': thirds((record) => ({ ...record, publishedAt: 1_748_000_000 })),
    'impossible-days': thirds((record) => ({ ...record, publishedAt: '2025-02-30T25:61:00Z' })),
    'years-beyond-9999': thirds((record) => ({
      ...record,
      publishedAt: '+012025-02-03T00:00:00Z',
    })),
    'commentary-as-a-list': thirds((record) => ({ ...record, commentary: ['a', 'b'] })),
    'members-that-are-no-objects': list((records) => [
      null,
      7,
      'text',
      [],
      true,
      ...records,
      [records],
    ]),
    'links-without-ids': thirds((record) => ({
      ...record,
      servicePost: { title: 'x', labels: [] },
    })),
    'links-as-texts': thirds((record) => ({ ...record, servicePost: 'https://app.example.com/1' })),
    'labels-as-texts': thirds((record) => ({
      ...record,
      servicePost: { id: record.id, title: 'x', labels: ['Launch'] },
    })),
    'campaigns-without-ids': thirds((record) => ({
      ...record,
      servicePost: { id: record.id, title: 'x', labels: [], campaign: { name: 'Spring' } },
    })),
  },
};
