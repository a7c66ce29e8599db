import { sendAnswer } from './service.mjs';

function text(make) {
  return ({ socket, good }) => sendAnswer(socket, { body: make(JSON.stringify(good.value)) });
}

/** An answer that is whole, and not what was asked for. */
function instead(body) {
  return ({ socket }) => sendAnswer(socket, { body });
}

const megabyte = 1 << 20;

/** What stands in the body, as far as no member of it is looked at. */
export const bodyModes = {
  retried: {
    empty: instead(''),
    'cut-after-a-comma': text((json) => json.slice(0, json.lastIndexOf(',') + 1)),
    'cut-in-the-last-byte': text((json) => json.slice(0, -1)),
    nan: text((json) => json.replace(/"(likeCount|status)":[^,]+/, '"$1":NaN')),
    'trailing-comma': text((json) => json.replace(/([\]}])$/, ',$1')),
    'two-documents': text((json) => `${json}\n${json}`),
    'garbage-after': text((json) => `${json}<!-- served by cache-7 -->`),
    'utf-16': text((json) => Buffer.from(`\ufeff${json}`, 'utf16le')),
    'plain-words': instead('Service temporarily unavailable'),
  },
  refused: {
    null: instead('null'),
    'an-empty-object': instead('{}'),
    'an-error-with-200': instead('{"code":"INTERNAL_SERVER_ERROR","message":"Something broke"}'),
    wrapped: text((json) => `{"data":${json},"page":1}`),
    'larger-than-64-mib': text((json) =>
      json.replace(/^./, (first) => first + ' '.repeat(65 * megabyte)),
    ),
  },
  harmless: {
    'byte-order-mark': text((json) => `\ufeff${json}`),
    pretty: ({ socket, good }) =>
      sendAnswer(socket, { body: JSON.stringify(good.value, null, '\t') }),
  },
};
