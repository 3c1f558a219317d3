// node scripts/scale.ts [--checks N] [--singles PERCENT] [--peak FACTOR] [--kept-days DAYS] [--per-egress N]: what a number
// of checks a year needs. docs/scale.md explains the figures.
import { parseArgs } from 'node:util';
import { renderPlans, usualLoad } from './lib/scale-model.ts';

const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: String(usualLoad.checksPerYear) },
    singles: { type: 'string', default: String(usualLoad.singlePart * 100) },
    peak: { type: 'string', default: String(usualLoad.peak) },
    'kept-days': { type: 'string', default: String(usualLoad.keptDays) },
    'per-egress': { type: 'string', default: String(usualLoad.checksPerEgress) },
  },
});

console.log(
  renderPlans([
    {
      checksPerYear: numberOf('checks', { min: 1, max: 1e15 }),
      singlePart: numberOf('singles', { min: 0, max: 100 }) / 100,
      peak: numberOf('peak', { min: 1, max: 1e6 }),
      keptDays: numberOf('kept-days', { min: 1, max: 36_500 }),
      checksPerEgress: numberOf('per-egress', { min: 0.001, max: 1e6 }),
    },
  ]),
);

function numberOf(name: keyof typeof values, { min, max }: { min: number; max: number }): number {
  const value = Number(values[name]);
  if (value >= min && value <= max) return value;
  console.error(`--${name} takes a number from ${min} to ${max}.`);
  process.exit(2);
}
