import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ACTIVITY_AREAS, ACTIVITY_WORDS, activityWords } from './activity-kinds.ts';

it('docs/records.md lists every kind of activity in the same words, and no other', () => {
  const page = readFileSync(new URL('../../../../docs/records.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| ([^|]+) \| [^|]+ \|$/gm);

  expect([...rows].map(([, kind, words]) => [kind, words])).toEqual(Object.entries(ACTIVITY_WORDS));
});

it('every area has a kind', () => {
  const areas = Object.keys(ACTIVITY_WORDS).map((kind) => kind.split('.')[0]);
  expect([...new Set(areas)]).toEqual(ACTIVITY_AREAS);
});

it('shows a kind of a newer server as it is', () => {
  expect(activityWords('api_key.created')).toBe('API key created');
  expect(activityWords('robot.hired')).toBe('robot.hired');
});
