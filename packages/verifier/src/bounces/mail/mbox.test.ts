import { describe, expect, it, vi } from 'vitest';
import { splitMailbox } from './mbox.ts';

const split = (text: string): string[] => Array.from(splitMailbox(Buffer.from(text)), String);
const separator = 'From MAILER-DAEMON Mon Nov 16 09:00:00 2026\n';

describe('splitMailbox', () => {
  it('gives each mail of an mbox, in any line ends', () => {
    const [first, second] = [`${separator}Subject: a\n\nA\n\n`, `${separator}Subject: b\n\nB\n`];
    expect(split(first + second)).toEqual([first, second]);
    const [crlfFirst, crlfSecond] = [first.replaceAll('\n', '\r\n'), second.replaceAll('\n', '\r\n')];
    expect(split(crlfFirst + crlfSecond)).toEqual([crlfFirst, crlfSecond]);
  });

  it.each([
    ['a mail that is no mbox', `Subject: a\n\n${separator}`],
    ['a sentence that begins with From', `${separator}Subject: a\n\nFrom what I see, it failed.\n`],
    ['a line without an empty one before it', `${separator}Subject: a\n\nText\n${separator}`],
  ])('leaves %s whole', (_, text) => expect(split(text)).toEqual([text]));

  it('looks for the end of a mail when it is asked for', () => {
    const bytes = Buffer.from(`${separator}\n`.repeat(1_000));
    const search = vi.spyOn(bytes, 'indexOf');
    const mails = splitMailbox(bytes);
    expect(mails.next().value).toHaveLength(separator.length + 1);
    expect(search).toHaveBeenCalledOnce();
  });
});
