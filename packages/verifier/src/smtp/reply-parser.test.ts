import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplyParser } from './reply-parser.ts';

interface Parsed {
  replies: [number, string][];
  isSmtp: boolean;
  hasPartialReply: boolean;
}

function parse(...chunks: (string | Buffer)[]): Parsed {
  const replies: [number, string][] = [];
  const parser = new ReplyParser((code, text) => replies.push([code, text]));
  const isSmtp = chunks.every((chunk) => parser.feed(Buffer.from(chunk).toString('latin1')));
  return { replies, isSmtp, hasPartialReply: parser.hasPartialReply };
}

describe('ReplyParser', () => {
  it.each<[string, string, [number, string][]]>([
    ['one line', '250 2.1.5 OK\r\n', [[250, '2.1.5 OK']]],
    ['a bare code', '250\r\n', [[250, '']]],
    ['a code and a space', '250 \r\n', [[250, '']]],
    ['a bare line feed', '250 OK\n', [[250, 'OK']]],
    ['several lines', '250-mx\r\n250-PIPELINING\r\n250 8BITMIME\r\n', [[250, 'mx\nPIPELINING\n8BITMIME']]],
    [
      'several replies at once',
      '250 a\r\n550 b\r\n',
      [
        [250, 'a'],
        [550, 'b'],
      ],
    ],
    ['lines whose codes differ, by the last', '550-5.1.1 no\r\n554 never\r\n', [[554, '5.1.1 no\nnever']]],
    ['UTF-8', '220 grüß\r\n', [[220, 'grüß']]],
    ['control characters as spaces', '250 a\u001b[2Jb\u0000c\r\n', [[250, 'a [2Jb c']]],
  ])('reads %s', (_, bytes, replies) => {
    expect(parse(bytes)).toEqual({ replies, isSmtp: true, hasPartialReply: false });
  });

  it('reads Latin-1 where the bytes are no UTF-8', () => {
    expect(parse(Buffer.from('220 gr\xfc\xdf\r\n', 'latin1')).replies).toEqual([[220, 'grüß']]);
  });

  it('waits for the end of a reply', () => {
    expect(parse('250-mx\r\n')).toEqual({ replies: [], isSmtp: true, hasPartialReply: true });
    expect(parse('25')).toEqual({ replies: [], isSmtp: true, hasPartialReply: true });
  });

  it('keeps the head of an over-long line and hands it out only when its end has come', () => {
    const parsed = parse(`220 ${'x'.repeat(10_000)}`, `${'y'.repeat(10_000)}`, '\r\n250 OK\r\n');
    expect(parsed.replies.map(([code, text]) => [code, text.length])).toEqual([
      [220, 2_044],
      [250, 2],
    ]);
  });

  it('keeps the first lines of a reply that goes on and on, and still finds its end', () => {
    const parsed = parse('250-more\r\n'.repeat(1_000), '250 end\r\n');
    expect(parsed.replies).toHaveLength(1);
    expect(parsed.replies[0]?.[1].split('\n')).toHaveLength(33);
  });

  it('gives up on a reply without an end', () => {
    expect(parse(...Array.from({ length: 200 }, () => '250-more\r\n'.repeat(1_000))).isSmtp).toBe(false);
    expect(parse(...Array.from({ length: 200 }, () => 'x'.repeat(10_000))).isSmtp).toBe(false);
  });

  it.each([
    'HTTP/1.1 400 Bad Request\r\n',
    '\r\n',
    '25 OK\r\n',
    '2500 OK\r\n',
    '150 hm\r\n',
    '250-OK\r\n550 5.1.1 User unknown\r\n',
    '550-5.1.1 User unknown\r\n250 OK\r\n',
    '650 hm\r\n',
    '-ERR\n',
  ])('does not take %j for SMTP', (bytes) => {
    expect(parse(bytes).isSmtp).toBe(false);
  });

  it('reads the same replies however the bytes are cut, in 20,000 ways', () => {
    const line = fc.tuple(
      fc.integer({ min: 200, max: 599 }),
      fc.constantFrom(' ', '-'),
      fc.string({ unit: fc.constantFrom('a', ' ', '5.1.1', 'ü', '-', '<x@y.z>'), maxLength: 12 }),
      fc.constantFrom('\r\n', '\n'),
    );
    const stream = fc
      .array(line, { maxLength: 8 })
      .map((lines) => lines.map((parts) => parts.join('')).join(''));
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(stream, cuts, (text, sizes) => {
        const bytes = Buffer.from(text);
        const chunks: Buffer[] = [];
        for (let from = 0, turn = 0; from < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] as number;
          chunks.push(bytes.subarray(from, from + size));
          from += size;
        }
        expect(parse(...chunks)).toEqual(parse(bytes));
      }),
      { numRuns: 20_000 },
    );
  });

  it('survives 100,000 arbitrary inputs', () => {
    const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
    const nearSmtp = fc
      .array(
        fc.constantFrom('250', '550', '-', ' ', '\r', '\n', '\r\n', '4', 'x', '\0', '\xff', '250-a\r\n'),
        { maxLength: 20 },
      )
      .map((parts) => Buffer.from(parts.join(''), 'latin1'));
    const check = (chunk: Buffer) => {
      for (const [code, text] of parse(chunk).replies) {
        expect(code).toBeGreaterThanOrEqual(200);
        expect(code).toBeLessThan(600);
        expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
      }
    };
    fc.assert(fc.property(noise, check), { numRuns: 40_000 });
    fc.assert(fc.property(nearSmtp, check), { numRuns: 60_000 });
  });
});
