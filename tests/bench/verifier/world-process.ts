// The mail world in a separate process, so that its work does not count as its clients'.
import { readTruthZone, startMailWorld } from '@assay/mail-world';
import { renderSlowZone, renderZone } from './scenario.ts';

const {
  zone: zoneName = 'ordinary',
  replyDelayMs,
  maxConnectionsPerHost,
} = JSON.parse(process.argv[2] ?? '{}');
const zones = { truth: readTruthZone, slow: renderSlowZone, ordinary: renderZone };
const zone = zones[zoneName as keyof typeof zones]();
const world = await startMailWorld({ zone, replyDelayMs, maxConnectionsPerHost });
const addresses = [...zone.matchAll(/^host (\S+)/gm)].map(([, name = '']) => [name, world.addressOf(name)]);

process.on('message', () => {
  const { total, violationCount, violations } = world.conduct;
  process.send?.({ total, violationCount, violations: violations.slice(0, 5) });
  world.conduct.reset();
});
process.on('disconnect', () => process.exit());
process.send?.({
  dns: world.dns,
  smtpPort: world.smtpPort,
  allowRanges: world.allowRanges,
  addresses: Object.fromEntries(addresses),
  truths: world.truths,
});
