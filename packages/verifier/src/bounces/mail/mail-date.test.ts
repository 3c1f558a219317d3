import { expect, it } from 'vitest';
import { readMailDate } from './mail-date.ts';

const read = (mail: string) => readMailDate(Buffer.from(mail));

it.each([
  ['Date: Fri, 20 Nov 2026 10:30:00 +0100 (CET)\r\n\r\nbody', '2026-11-20T09:30:00.000Z'],
  ['Date: 20 Nov 2026 09:30:00 GMT\n\n', '2026-11-20T09:30:00.000Z'],
  [
    'From x Fri\nDate: nonsense\nReceived: by mx.test; Fri, 20 Nov 2026 09:30:00 +0000\n\n',
    '2026-11-20T09:30:00.000Z',
  ],
  ['Subject: a\n\nDate: Fri, 20 Nov 2026 09:30:00 +0000', undefined],
])('reads when a mail was written: %j', (mail, at) => {
  expect(read(mail)?.toISOString()).toBe(at);
});
