import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { costs, planFor, renderPlans, usualLoad, usualLoads, usualMachines } from './scale-model.ts';

describe('the model of scale', () => {
  it('gives one of everything to a small load', () => {
    const plan = planFor({ ...usualLoad, checksPerYear: 1_000_000 });
    expect(plan).toMatchObject({ apiProcesses: 1, workerProcesses: 1, egressAddresses: 1, primaries: 1 });
  });

  it('counts the busiest minute for processors, log and addresses, and the year for rows and disk', () => {
    const calm = planFor({ ...usualLoad, peak: 1 });
    const busy = planFor({ ...usualLoad, peak: 10 });
    expect(busy.databaseCores).toBeCloseTo(calm.databaseCores * 10);
    expect(busy.walMegabytesPerSecond).toBeCloseTo(calm.walMegabytesPerSecond * 10);
    expect(busy.egressAddresses).toBe(Math.ceil((calm.averagePerSecond * 10) / usualLoad.checksPerEgress));
    expect(busy.storedTerabytes).toBe(calm.storedTerabytes);
    expect(busy.rowsPerYear).toBe(calm.rowsPerYear);
  });

  it('takes each kind of check at its own cost', () => {
    const inLists = planFor({ ...usualLoad, singlePart: 0 });
    const single = planFor({ ...usualLoad, singlePart: 1 });
    expect(single.databaseCores / inLists.databaseCores).toBeCloseTo(
      costs.single.databaseCpuSeconds / costs.inLists.databaseCpuSeconds,
    );
  });

  it('asks for as many primaries as the first limit that is reached', () => {
    const small = { ...usualMachines, primaryStoredTerabytes: 1 };
    const kept = planFor(usualLoad, small);
    expect(kept).toMatchObject({ limitedBy: 'disk', primaries: Math.ceil(kept.storedTerabytes) });
    const forgotten = planFor({ ...usualLoad, keptDays: 1, peak: 1_000 }, { ...small, primaryCores: 1 });
    expect(forgotten.limitedBy).toBe('processors');
    expect(forgotten.primaries).toBe(Math.ceil(forgotten.databaseCores));
  });

  it('gives each egress address a worker', () => {
    const plan = planFor({ ...usualLoad, checksPerEgress: 1 });
    expect(plan.workerProcesses).toBe(plan.egressAddresses);
  });

  it('is printed in docs/scale.md as it is calculated', () => {
    const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
    expect(page).toContain(renderPlans(usualLoads));
  });
});
