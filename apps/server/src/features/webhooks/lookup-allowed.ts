import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** A name that leads to no address that we may connect to. */
export class ForbiddenAddress extends Error {}

/** Resolves a name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: ResolveHost = (host) => lookup(host, { all: true });

interface LookupOptions {
  readonly mayDial: (address: string) => boolean;
  /** The system's resolver by default. */
  readonly resolve?: ResolveHost | undefined;
  readonly onAllowed?: (addresses: readonly LookupAddress[]) => void;
}

/** Returns only allowed addresses, so that the checked address is the dialled one. */
export function lookupAllowed({
  mayDial,
  resolve = resolveBySystem,
  onAllowed,
}: LookupOptions): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => isIP(address) && mayDial(address));
        const [first] = allowed;
        onAllowed?.(allowed);
        if (!first) callback(new ForbiddenAddress(), '', 0);
        else if (all) callback(null, [...allowed]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}
