import type { Random } from '../support/random.ts';
import type { RawRequest } from './request.ts';

const json = (body: string, more = ''): string =>
  `Content-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const start = (line: string): string =>
  `${line}\r\nHost: assay.test\r\nAuthorization: {authorization}\r\nConnection: close\r\n`;
const single = 'POST /api/validations/email_validation HTTP/1.1';
const read = 'GET /api/users/me HTTP/1.1';
const emailBody = '{"email_address":"jane@exists.test"}';

/** A description, the bytes, and the expected answer. */
const wrongs: readonly (readonly [what: string, text: string, expects?: RawRequest['expects']])[] = [
  ['two lengths that differ', `${start(single)}Content-Length: 3\r\n${json(emailBody)}`],
  ['a length and chunks', `${start(single)}Transfer-Encoding: chunked\r\n${json('0\r\n\r\n')}`],
  [
    'a chunk of no size',
    `${start(single)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk of a size beyond numbers',
    `${start(single)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`,
  ],
  [
    'chunks with odd extensions',
    `${start(single)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;a="${'b'.repeat(1_000)}"\r\n{}\r\n0\r\n\r\n`,
  ],
  ['an unknown transfer encoding', `${start(single)}Transfer-Encoding: nonsense\r\n${json(emailBody)}`],
  ['a negative length', `${start(single)}Content-Length: -1\r\n\r\n`],
  ['a length beyond numbers', `${start(single)}Content-Length: 99999999999999999999\r\n\r\n`],
  [
    'a length above the limit',
    `${start(single)}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
  ],
  ['no host', `GET /api/users/me HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['two hosts', `${start(read)}Host: other.test\r\n\r\n`],
  ['a host that is none', `GET /docs/reference HTTP/1.1\r\nHost: a b/:\\\r\nConnection: close\r\n\r\n`],
  ['HTTP/1.0', 'GET /api/users/me HTTP/1.0\r\n\r\n'],
  ['HTTP/0.9', 'GET /api/users/me\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: assay.test\r\n\r\n'],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a whole address for its path', `${start('GET http://other.test/api/users/me HTTP/1.1')}\r\n`],
  ['an asterisk for its path', `${start('OPTIONS * HTTP/1.1')}\r\n`],
  ['a path without a slash', `${start('GET api/users/me HTTP/1.1')}\r\n`],
  ['a path with raw bytes', `${start('GET /api/\xff\xfe\x80 HTTP/1.1')}\r\n`],
  ['a method in lower case', `${start('get /api/users/me HTTP/1.1')}\r\n`],
  ['an unknown method', `${start('STEAL /api/users/me HTTP/1.1')}\r\n`],
  ['TRACE', `${start('TRACE /api/users/me HTTP/1.1')}\r\n`],
  ['PROPFIND', `${start('PROPFIND /api/users/me HTTP/1.1')}\r\n`],
  ['CONNECT', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n', 'nothing'],
  ['a header without a colon', `${start(read)}nonsense\r\n\r\n`],
  ['a header with NUL', `${start(read)}X-A: b\0c\r\n\r\n`],
  ['a header on two lines', `${start(read)}X-A: b\r\n c\r\n\r\n`],
  ['a space before the colon', `${start(read)}X-A : b\r\n\r\n`],
  ['a header of 20 kB', `${start(read)}X-A: ${'b'.repeat(20_000)}\r\n\r\n`],
  ['a path of 20 kB', `${start(`GET /api/${'a'.repeat(20_000)} HTTP/1.1`)}\r\n`],
  ['three thousand headers', `${start(read)}${'X: y\r\n'.repeat(3_000)}\r\n`],
  ['two authorizations', `${start(read)}Authorization: Bearer other\r\n\r\n`],
  ['two content types', `${start(single)}Content-Type: text/plain\r\n${json(emailBody)}`],
  [
    'two idempotency keys',
    `${start(single)}Idempotency-Key: a\r\n${json(emailBody, 'Idempotency-Key: b\r\n')}`,
  ],
  ['an idempotency key of bytes', `${start(single)}${json(emailBody, 'Idempotency-Key: \xff\xfe\r\n')}`],
  ['an empty idempotency key', `${start(single)}${json(emailBody, 'Idempotency-Key: \r\n')}`],
  [
    'a long idempotency key',
    `${start(single)}${json(emailBody, `Idempotency-Key: ${'a'.repeat(5_000)}\r\n`)}`,
  ],
  [
    'an api key of bytes',
    `GET /api/billing/me HTTP/1.1\r\nHost: a\r\nX-Api-Key: \xff'"\r\nConnection: close\r\n\r\n`,
  ],
  [
    'a token of dots',
    `GET /api/billing/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'.'.repeat(8_000)}\r\nConnection: close\r\n\r\n`,
  ],
  [
    'an authorization of spaces',
    `GET /api/billing/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer${' '.repeat(8_000)}x y\r\nConnection: close\r\n\r\n`,
  ],
  ['a body that says it is packed', `${start(single)}${json(emailBody, 'Content-Encoding: gzip\r\n')}`],
  ['a body with GET', `${start(read)}${json(emailBody)}`],
  ['a wish to go on first', `${start(single)}${json(emailBody, 'Expect: 100-continue\r\n')}`],
  ['an unknown expectation', `${start(single)}${json(emailBody, 'Expect: nonsense\r\n')}`],
  ['a wish for a WebSocket elsewhere', `${start(read)}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`],
  [
    'a WebSocket without a key',
    `GET /api/realtime HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'handshake',
  ],
  [
    'a WebSocket from another page',
    `GET /api/realtime HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\nOrigin: https://evil.test\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    'handshake',
  ],
  [
    'a WebSocket that talks nonsense',
    `GET /api/realtime HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff`,
    'handshake',
  ],
  [
    'several at once',
    `${`GET /api/users/me HTTP/1.1\r\nHost: a\r\nAuthorization: {authorization}\r\n\r\n`.repeat(5)}${start(read)}\r\n`,
  ],
  [
    'a body that ends too soon',
    `${start(single)}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"email`,
    'nothing',
  ],
  [
    'a file that ends too soon',
    `${start('POST /api/validations/lists_bulk HTTP/1.1')}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n--x\r\nContent-Disposition: form-data; name="list_raw"; filename="a.csv"\r\n\r\nemail\r\njane@ex`,
    'nothing',
  ],
  ['a head that ends too soon', 'GET /api/users/me HTTP/1.1\r\nHost: a\r\nAuthor', 'nothing'],
];

export function rawRequest(random: Random): RawRequest {
  const [first, ...rest] = wrongs as [(typeof wrongs)[number], ...typeof wrongs];
  const [what, text, expects = 'answer'] = random.oneOf([first, ...rest]);
  return { kind: 'raw', what, caller: 'bearer', bytes: Buffer.from(text, 'latin1'), expects };
}
