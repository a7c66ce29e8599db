import { sendAnswer } from './service.mjs';

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
    'whole-numbers-as-doubles': text((json) => json.replace(/("likeCount":\d+)/g, '$1.0')),
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
    'enum-drift': each((record) => ({ ...record, type: 'Hologram', status: 'Quantum' })),
    'the-largest-count': {
      answer: text((json) => json.replace(/"likeCount":\d+/g, '"likeCount":9223372036854775807')),
      // more than a number of JavaScript holds
      isModelled: false,
    },
    'engagement-beyond-1': list((records) =>
      records.map((record) => ({ ...record, engagement: 17.25 })),
    ),
    'no-links': list((records) => records.map((record) => ({ ...record, servicePost: null }))),
    'terminal-escapes': each((record) => ({
      ...record,
      ...(record.url && { commentary: '\u001b]0;title\u0007\u001b[2J', title: '\u001b[31mred' }),
    })),
    'nul-in-texts': each((record) => ({ ...record, commentary: 'a\0b' })),
    'bytes-that-are-no-utf-8': withBytes([0x54, 0xff, 0xc0]),
    'texts-of-a-megabyte': list((records) =>
      records.map((record, index) =>
        index === 0 ? { ...record, commentary: 'long '.repeat(megabyte / 5) } : record,
      ),
    ),
    'nested-300-deep': { answer: rewritten('shareCount', `3,"extra":${deepValue(300)}`) },
  },
  /** Siblings load, and rejected_records has why. */
  rejected: {
    'required-nulls': thirds((record) => ({ ...record, url: null })),
    'required-missing': thirds(({ type, ...record }) => (type, record)),
    'counts-as-texts': thirds((record) => ({ ...record, likeCount: '12' })),
    'fractions-in-counts': thirds((record) => ({ ...record, likeCount: 1.7 })),
    'counts-of-2-to-the-63': text((json) =>
      json.replace(/"likeCount":\d+/, '"likeCount":9223372036854775808'),
    ),
    'unreadable-times': thirds((record) => ({ ...record, publishedAt: 'last Tuesday' })),
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
    'labels-as-texts': thirds((record) => ({
      ...record,
      servicePost: { id: record.id, title: 'x', labels: ['Launch'] },
    })),
  },
};
