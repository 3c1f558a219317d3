// The mail world in a separate process, so that its work does not count as its clients'.
import { startMailWorld } from '@assay/mail-world';
import { renderZone } from './scenario.ts';

const { replyDelayMs, maxConnectionsPerHost } = JSON.parse(process.argv[2] ?? '{}');
const zone = renderZone();
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
});
