import { expect, it } from 'vitest';
import { createPageViewCounter, createPageViewSink, type PageView } from './page-views.ts';

const now = () => new Date('2026-01-01T00:00:00Z');

it('§7 page-view analytics are off unless the operator names a collector', () => {
  const sent: string[] = [];
  const count = createPageViewCounter(
    createPageViewSink(null, (url) => sent.push(url)),
    now,
  );

  count('/billing');

  expect(sent).toEqual([]);
});

it('§7 a page view is posted to the collector', () => {
  const sent: [string, string][] = [];
  const sink = createPageViewSink('https://views.test/collect', (url, body) => sent.push([url, body]));

  createPageViewCounter(sink, now)('/billing');

  expect(sent).toEqual([
    ['https://views.test/collect', '{"path":"/billing","viewed_at":"2026-01-01T00:00:00.000Z"}'],
  ]);
});

it('counts a page once per visit to it', () => {
  const views: PageView[] = [];
  const count = createPageViewCounter((view) => views.push(view), now);

  for (const path of ['/billing', '/billing', '/account', '/billing']) count(path);

  expect(views.map((view) => view.path)).toEqual(['/billing', '/account', '/billing']);
});
