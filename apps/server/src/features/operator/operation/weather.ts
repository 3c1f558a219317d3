import type { OperatorWeather } from '@assay/contract/operator';
import { findStandings } from '../../engine/index.ts';
import type { OperatorParts } from '../actions.ts';
import { findWeather, type WeatherRow } from './weather.store.ts';

const hourMs = 3_600_000;
const daysDefault = 30;

/** How mail providers answer each egress, with the limits in force. */
export async function describeWeather(
  { db, clock }: OperatorParts,
  { days = daysDefault }: { readonly days?: number | undefined },
): Promise<OperatorWeather> {
  const now = clock.now().getTime();
  const stepSeconds = days === 1 ? 3_600 : 86_400;
  const points = await findWeather(db, { since: new Date(now - days * 24 * hourMs), stepSeconds });
  const lastHour = await findWeather(db, { since: new Date(now - hourMs), stepSeconds: 86_400 });
  const standings = await findStandings(db);
  const places = new Map<string, OperatorWeather['places'][number]>();
  const placeOf = (egress: string, provider: string) =>
    places.get(`${egress} ${provider}`) ?? { ...countsOf({ egress, provider, counts: {} }), limit: null };
  for (const row of lastHour) {
    const place = placeOf(row.egress, row.provider);
    // The last hour may be in two days.
    places.set(`${row.egress} ${row.provider}`, { ...place, ...sumOf(place, countsOf(row)) });
  }
  for (const { egress, provider, allowed, recipients, spent, why, until } of standings) {
    const place = placeOf(egress, provider);
    const limit = { allowed, recipients, spent, why, end_date: until?.toISOString() ?? null };
    // A provider may have several regions: the one that is nearest to its limit counts.
    const isTighter = place.limit === null || spent / allowed > place.limit.spent / place.limit.allowed;
    places.set(`${egress} ${provider}`, isTighter ? { ...place, limit } : place);
  }
  return {
    places: [...places.values()].sort((left, right) => right.answered - left.answered),
    points: points.map((row) => ({ date: row.date.toISOString(), ...countsOf(row) })),
  };
}

const countsOf = ({ egress, provider, counts }: Omit<WeatherRow, 'date'>) => ({
  egress,
  provider,
  answered: counts.answered ?? 0,
  deferred: counts.deferred ?? 0,
  blocked: counts.blocked ?? 0,
  timed_out: counts.timed_out ?? 0,
  held_back: counts.held_back ?? 0,
});

type Counts = ReturnType<typeof countsOf>;

const sumOf = (one: Counts, other: Counts): Counts => ({
  ...one,
  answered: one.answered + other.answered,
  deferred: one.deferred + other.deferred,
  blocked: one.blocked + other.blocked,
  timed_out: one.timed_out + other.timed_out,
  held_back: one.held_back + other.held_back,
});
