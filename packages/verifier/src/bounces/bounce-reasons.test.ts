import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bounceMeanings } from './bounce-reasons.ts';

it('docs/bounces.md has every reason with its class, subject and action', () => {
  const page = readFileSync(new URL('../../../../docs/bounces.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`.+) \| (\w+), (\w+), (\w+) \|$/gm)];
  const written = rows.flatMap(([, reasons = '', bounceClass, subject, action]) =>
    [...(reasons.split(':')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, reason = '']) => [
      reason,
      { class: bounceClass, subject, action },
    ]),
  );

  expect(Object.fromEntries(written)).toEqual(bounceMeanings);
});
