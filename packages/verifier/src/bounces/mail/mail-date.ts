import { headerOf, readHeaders } from './mail.ts';

const headBytesMax = 128_000;

/** When a mail was written, or else when it arrived; undefined if it says neither. */
export function readMailDate(bytes: Uint8Array): Date | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytesMax));
  const { headers } = readHeaders(start.toString('latin1').replace(/\r\n?/g, '\n').trimStart());
  const arrival = headerOf(headers, 'received');
  return readDate(headerOf(headers, 'date')) ?? readDate(arrival.slice(arrival.lastIndexOf(';') + 1));
}

/** As RFC 5322 writes it, also without a weekday and with the name of the zone behind it in brackets. */
function readDate(text: string): Date | undefined {
  const at = new Date(text.replace(/\([^()]{0,40}\)/g, '').trim());
  return Number.isNaN(at.getTime()) ? undefined : at;
}
