import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkSecurityText } from './check-security-text.ts';

const certificates = new URL('../../features/feeds/testing/certificates/', import.meta.url);
const readPem = (name: string) => readFileSync(new URL(`${name}.pem`, certificates), 'utf8');
/** A name of the certificate. */
const domain = 'imap.example.com';
const later = new Date(Date.now() + 86_400_000).toISOString();

async function check(text: string, { status = 200, isAllowed = true } = {}) {
  const asked: string[] = [];
  const server = createServer({ key: readPem('host.key'), cert: readPem('host') }, (request, answer) => {
    asked.push(request.url ?? '');
    answer.writeHead(status, { location: 'https://imap.example.com/elsewhere' }).end(text);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const finding = await checkSecurityText(domain, {
    allowRanges: isAllowed ? [`127.0.0.1/32@${port}`] : [],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    port,
    ca: readPem('authority'),
  });
  return { finding, asked };
}

it('is fine with a contact and a date in the future', async () => {
  const { finding, asked } = await check(
    `# Hello\r\ncontact: mailto:abuse@example.com\r\nExpires: ${later}\r\n`,
  );
  expect(finding).toMatchObject({ check: 'security_txt', status: 'ok' });
  expect(asked).toEqual(['/.well-known/security.txt']);
});

it.each([
  ['has no line Contact', `Expires: ${later}\nContact:\n`, {}],
  ['has no line Expires with a date', 'Contact: mailto:a@example.com\nExpires: soon\n', {}],
  ['has expired', 'Contact: mailto:a@example.com\nExpires: 2020-01-01T00:00:00Z\n', {}],
  ['answers 404', 'nothing here', { status: 404 }],
  ['answers 302', '', { status: 302 }],
  ['longer than 64 kB', 'x'.repeat(70_000), {}],
  ['its address is not public', '', { isAllowed: false }],
])('advises where the file %s', async (words, text, options) => {
  const { finding, asked } = await check(text, options);
  expect(finding).toMatchObject({ status: 'unclear', fix: expect.stringContaining('RFC 9116') });
  expect(finding.detail).toContain(words);
  expect(asked).toHaveLength(options && 'isAllowed' in options ? 0 : 1);
});

it.each(['assay.test', 'localhost'])(
  'is skipped for %s, which is no domain of the internet',
  async (name) => {
    expect(await checkSecurityText(name, { allowRanges: [] })).toMatchObject({ status: 'skipped' });
  },
);
