// The mail world and the embedded identity provider, each in a process of its own, so that the stranger's work does not slow them down:
// node outside-process.ts mail-world, or identity with its options as JSON.
import { startMailWorld } from '@assay/mail-world';
import { type IdentityOptions, startIdentity } from '../../../packages/identity/src/index.ts';
import { hostileZone } from './hostile-zone.ts';

const [kind, options = '{}'] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
if (kind === 'mail-world') {
  const { dns, allowRanges } = await startMailWorld({ zone: hostileZone() });
  process.send?.({ dns, allowRanges });
} else {
  const { issuer } = await startIdentity(JSON.parse(options) as IdentityOptions);
  process.send?.({ issuer });
}
