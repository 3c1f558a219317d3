import { type ConcurrencyLimit, createConcurrencyLimit } from '../../../platform/limits/index.ts';

const perNetwork = 2;
const perLink = 5;
/** So many downloads of a customer's shared links together, whatever they share. */
const perOwner = 20;
const text = 'Too many downloads of this link are open. Wait until one of them is finished, then try again.';

interface Follower {
  readonly linkId: string;
  readonly ownerId: string;
  readonly network: string;
}

/**
 * Who follows a shared link takes no download of its owner. Each link has places of its own, of which one network takes a few, so
 * that one holder does not keep the others waiting.
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
