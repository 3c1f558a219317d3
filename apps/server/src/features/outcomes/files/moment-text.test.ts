import { describe, expect, it } from 'vitest';
import { slack } from '../outcome.ts';
import { type DayOrder, dayOrderOf, readMoment } from './moment-text.ts';

const read = (text: string, order?: DayOrder) => {
  const moment = readMoment(text, order);
  return typeof moment === 'object' ? [moment.at.toISOString(), moment.slackSeconds] : moment;
};
const exact = ['2026-11-20T09:30:00.000Z', 0];
const minute = ['2026-11-20T09:30:00.000Z', slack.minute];
const anyZone = ['2026-11-20T09:30:00.000Z', slack.day];
const day = ['2026-11-20T12:00:00.000Z', slack.day];

describe('readMoment', () => {
  it.each([
    ['2026-11-20T09:30:00Z', exact],
    ['2026-11-20T10:30:00.123+01:00', exact],
    ['2026-11-20 09:30:00 UTC', exact],
    ['2026-11-20 09:30:00.5 +0000 UTC', exact],
    ['2026-11-20 04:30:00-05', exact],
    ['1795167000', exact],
    ['1795167000.25', ['2026-11-20T09:30:00.250Z', 0]],
    ['1795167000000', exact],
    ['Fri, 20 Nov 2026 09:30:00 +0000 (UTC)', exact],
    ['20 Nov 2026 10:30:00 +0100', exact],
    ['2026-11-20T09:30Z', minute],
    ['2026-11-20 09:30:00', anyZone],
    ['20.11.2026 09:30', anyZone],
    ['11/20/2026, 9:30 AM', anyZone],
    ['11/20/2026 09:30:00 am', anyZone],
    ['2026-11-20', day],
    ['2026/11/20', day],
    ['20.11.2026', day],
    ['11/20/2026', day],
    ['20/11/2026', day],
    ['20 November 2026', day],
    ['Nov 20, 2026', day],
  ])('reads %s', (text, moment) => {
    expect(read(text)).toEqual(moment);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '20/20/2026',
    '2026-11-20 25:00',
    '123',
    '20 Foo 2026',
    'x'.repeat(100),
    '5.1.1',
  ])('takes %j for no date', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('asks for another writing where a date may be two days, unless its column shows the order', () => {
    expect(read('03/04/2026')).toBe('ambiguous');
    expect(read('04/04/2026')).toEqual(['2026-04-04T12:00:00.000Z', slack.day]);
    expect(read('03/04/2026', 'day_first')).toEqual(['2026-04-03T12:00:00.000Z', slack.day]);
    expect(read('03/04/2026', 'month_first')).toEqual(['2026-03-04T12:00:00.000Z', slack.day]);
    expect(dayOrderOf(['03/04/2026', '13/04/2026'])).toBe('day_first');
    expect(dayOrderOf(['03/04/2026', '03/14/2026 10:00'])).toBe('month_first');
    expect(dayOrderOf(['13/04/2026', '03/14/2026'])).toBeUndefined();
    expect(dayOrderOf(['03/04/2026', '13.04.2026'])).toBeUndefined();
  });
});
