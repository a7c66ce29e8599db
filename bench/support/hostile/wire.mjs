const reasons = {
  200: 'OK',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** An answer as it should be, unless headers or the body say otherwise. */
export function sendAnswer(socket, { status = 200, headers = {}, value, body }) {
  const bytes = bodyOf({ value, body });
  const all = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers };
  socket.write(Buffer.concat([head(status, all), bytes]));
}

/** Header fields of null are left out; of an array, sent once each. */
export function head(status, headers, version = 'HTTP/1.1') {
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`));
  return Buffer.from(
    `${version} ${status} ${reasons[status] ?? 'Status'}\r\n${lines.join('')}\r\n`,
    'latin1',
  );
}

export function bodyOf({ value, body }) {
  if (body === undefined) return Buffer.from(JSON.stringify(value));
  return Buffer.isBuffer(body) ? body : Buffer.from(body);
}

export function chunked(bytes, size = 500) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

/** Writes a byte string in so many pieces over so many ms. */
export function drip(socket, bytes, { pieces, ms }) {
  const size = Math.ceil(bytes.length / pieces);
  let at = 0;
  const timer = setInterval(() => {
    if (at >= bytes.length || socket.destroyed) return clearInterval(timer);
    socket.write(bytes.subarray(at, (at += size)));
  }, ms / pieces);
}
