import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodingProbe } from './file-encoding.ts';

const judge = (bytes: Buffer, chunkLength = bytes.length || 1) => {
  const probe = new EncodingProbe();
  for (let at = 0; at < bytes.length; at += chunkLength) probe.push(bytes.subarray(at, at + chunkLength));
  return probe.finish();
};
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of an uploaded file', () => {
  const text = 'email;name\njosé@exists.test;José\n';

  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['big-endian UTF-16 with its mark', utf16be(`\ufeff${text}`), 'utf-16be'],
    ['UTF-16 without its mark', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['big-endian UTF-16 without its mark', utf16be(text), 'utf-16be'],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('%s is recognised', (_name, bytes, encoding) => {
    expect(judge(bytes)).toEqual({ kind: 'text', encoding });
  });

  it.each([
    ['PK\u0003\u0004', 'a spreadsheet or zip file'],
    ['%PDF-1.7', 'a PDF'],
    ['a,b\0c\nd,e\n', 'a binary file'],
  ])('%j is not text', (start, looksLike) => {
    expect(judge(Buffer.from(start, 'latin1'))).toEqual({ kind: 'not_text', looksLike });
  });

  it('does not depend on where the stream is cut, even inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        (value, length) => {
          const bytes = Buffer.from(`a${value.replaceAll('\0', '')}`);
          expect(judge(bytes, length)).toEqual(judge(bytes));
        },
      ),
    );
  });

  it('a file that ends inside a UTF-8 character is not UTF-8', () => {
    expect(judge(Buffer.from('jos\u00c3', 'latin1'))).toMatchObject({ encoding: 'windows-1252' });
  });
});
