import type { AccountId } from '../../../platform/ids.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../../platform/limits/index.ts';

const perNetwork = 2;
const perLink = 5;
/** For all shared links of one customer together. */
const perOwner = 20;
const text = 'Too many downloads of this link are open. Wait until one of them is finished, then try again.';

/** Somebody who opens a shared link. */
interface Follower {
  readonly linkId: string;
  readonly ownerId: AccountId;
  readonly network: string;
}

/**
 * Downloads of shared links have limits of their own, so that they do not use up the downloads of the link's owner. One network
 * may use only a part of a link's downloads, so that other people who have the link can use the rest.
 */
export function createSharedDownloads(): (follower: Follower) => Pick<ConcurrencyLimit, 'take'> {
  const ofNetworks = createConcurrencyLimit(perNetwork, text);
  const ofLinks = createConcurrencyLimit(perLink, text);
  const ofOwners = createConcurrencyLimit(perOwner, text);
  return ({ linkId, ownerId, network }) => ({
    take: () => {
      const leaves: (() => void)[] = [];
      const leave = () => {
        for (const each of leaves) each();
      };
      try {
        leaves.push(ofNetworks.take(`${linkId} ${network}`));
        leaves.push(ofLinks.take(linkId));
        leaves.push(ofOwners.take(ownerId));
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
  });
}
