// No regular expression of the product may backtrack more than linearly: outside texts reach most of them, and a
// quadratic one lets a stranger block a process. There are no exceptions: rewrite the expression, or use string methods.
import { globSync } from 'node:fs';
import { collectPatterns } from './lib/collect-patterns.ts';
import { ratePattern } from './lib/rate-pattern.ts';

const sources = ['apps/*/{src,bin}/**/*.{ts,tsx}', 'packages/*/{src,bin,scripts}/**/*.ts'];
const files = sources
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
const { found, hidden } = collectPatterns(files);

const complaints = hidden.map(
  ({ place }) => `${place}: cannot be rated, because its parts are not constants`,
);
const placesOf = Map.groupBy(found, ({ source, flags }) => `/${source}/${flags}`);
for (const [pattern, [first, ...others]] of placesOf) {
  if (!first) continue;
  const rating = ratePattern(first.source, first.flags);
  if (rating.isLinear) continue;
  const places = [first, ...others].map(({ place }) => place).join(', ');
  const attack = rating.attack ? `\n  slow with ${rating.attack}` : '';
  complaints.push(`${places}: ${rating.problem}\n  ${pattern}${attack}`);
}

for (const complaint of complaints) console.error(complaint);
console.log(`${placesOf.size} expressions in ${files.length} files, ${complaints.length} not linear`);
process.exitCode = complaints.length === 0 && placesOf.size > 0 ? 0 : 1;
