import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { StoreRefusal } from './errors.ts';
import { sha256 } from './signature.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** What a request carries, once everything its sender says of it has been checked. */
export function readPayload(body: Buffer, headers: Headers): Buffer {
  const said = headers['x-amz-content-sha256'] ?? '';
  if (said === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    const { payload, trailers } = readChunks(body);
    checkDigests(payload, { ...headers, ...trailers });
    return payload;
  }
  if (said.startsWith('STREAMING-')) {
    throw new StoreRefusal('NotImplemented', `Payloads signed as ${said} are not taken here.`);
  }
  if (said !== 'UNSIGNED-PAYLOAD' && said !== sha256(body)) {
    throw new StoreRefusal('XAmzContentSHA256Mismatch', 'The payload is not the one that was signed.');
  }
  checkDigests(body, headers);
  return body;
}

function checkDigests(payload: Buffer, headers: Headers): void {
  const md5 = headers['content-md5'];
  if (md5 !== undefined && md5 !== createHash('md5').update(payload).digest('base64')) {
    throw new StoreRefusal('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const crc = headers['x-amz-checksum-crc32'];
  if (crc !== undefined && Buffer.from(crc, 'base64').readUInt32BE() !== crc32(payload)) {
    throw new StoreRefusal('BadDigest', 'The CRC32 you specified did not match what we received.');
  }
}

/** The `aws-chunked` encoding: pieces behind their length in hexadecimal, an empty one, then what became known on the way. */
function readChunks(body: Buffer): { payload: Buffer; trailers: Record<string, string> } {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(length)) throw new StoreRefusal('BadDigest', 'The chunks are broken.');
    at = lineEnd + 2;
    if (length === 0) break;
    pieces.push(body.subarray(at, at + length));
    at += length + 2;
  }
  const lines = body.toString('latin1', at).split('\r\n').filter(Boolean);
  return {
    payload: Buffer.concat(pieces),
    trailers: Object.fromEntries(lines.map((line) => line.split(':', 2))),
  };
}
