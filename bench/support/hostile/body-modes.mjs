import { sendAnswer } from './wire.mjs';

function text(make) {
  return ({ socket, good }) => sendAnswer(socket, { body: make(JSON.stringify(good.value)) });
}

/** An answer that is whole, and not what was asked for. */
function instead(body) {
  return ({ socket }) => sendAnswer(socket, { body });
}

const deep = 100_000;
const megabyte = 1 << 20;

/** What stands in the body, as far as no member of it is looked at. */
export const bodyModes = {
  retried: {
    empty: instead(''),
    blank: instead(' \n '),
    'cut-after-a-comma': text((json) => json.slice(0, json.lastIndexOf(',') + 1)),
    'cut-in-a-text': text((json) => json.slice(0, json.indexOf('linkedin.com') + 5)),
    'cut-in-the-last-byte': text((json) => json.slice(0, -1)),
    nan: text((json) => json.replace(/"(likeCount|status)":[^,]+/, '"$1":NaN')),
    infinity: text((json) => json.replace(/"(emv|status)":[^,]+/, '"$1":-Infinity')),
    'trailing-comma': text((json) => json.replace(/([\]}])$/, ',$1')),
    'single-quotes': text((json) => json.replaceAll('"', "'")),
    comment: text((json) => `/* fresh */ ${json}`),
    'two-documents': text((json) => `${json}\n${json}`),
    'garbage-after': text((json) => `${json}<!-- served by cache-7 -->`),
    ndjson: text((json) =>
      json
        .replace(/^\[|\]$/g, '')
        .replaceAll('},{"id"', '}\n{"id"')
        .replace(/^\{"post":/, '{"post"\n'),
    ),
    'utf-16': text((json) => Buffer.from(`\ufeff${json}`, 'utf16le')),
    'utf-32': text((json) =>
      Buffer.from(json, 'utf16le').toString('latin1').replaceAll('\0', '\0\0\0'),
    ),
    'raw-control-character': text((json) => json.replace('"url":"', '"url":"\u0001\n')),
    'plain-words': instead('Service temporarily unavailable'),
    jsonp: text((json) => `callback(${json});`),
    zeros: text((json) => Buffer.alloc(json.length)),
    'cut-character': text((json) =>
      Buffer.concat([Buffer.from(json).subarray(0, 80), Buffer.from([0xf0, 0x9f])]),
    ),
    'deeply-cut': instead('['.repeat(deep)),
  },
  refused: {
    null: instead('null'),
    'an-empty-object': instead('{}'),
    'a-text': instead('"nothing to see"'),
    'a-number': instead('42'),
    true: instead('true'),
    'an-error-with-200': instead('{"code":"INTERNAL_SERVER_ERROR","message":"Something broke"}'),
    wrapped: text((json) => `{"data":${json},"page":1}`),
    'larger-than-64-mib': text((json) =>
      json.replace(/^./, (first) => first + ' '.repeat(65 * megabyte)),
    ),
  },
  harmless: {
    'byte-order-mark': text((json) => `\ufeff${json}`),
    'blanks-around': text((json) => ` \r\n\t${json}\n\n `),
    pretty: ({ socket, good }) =>
      sendAnswer(socket, { body: JSON.stringify(good.value, null, '\t') }),
    'all-escaped': text((json) =>
      json.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
    'ten-mib-of-blanks': text((json) =>
      json.replace(/^./, (first) => first + ' '.repeat(10 * megabyte)),
    ),
  },
};
