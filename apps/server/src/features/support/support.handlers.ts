import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { findUser } from '../users/index.ts';
import { createCaseChannels, type SupportConfig } from './channels/configured-channels.ts';
import { sendCaseJob } from './support.jobs.ts';
import { countTry, findUndelivered, markAccepted } from './support.store.ts';

export interface SupportHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly support: SupportConfig;
}

export function supportHandlers({ db, clock, support }: SupportHandlerParts): JobHandler[] {
  const channels = new Map(createCaseChannels(support).map((channel) => [channel.name, channel]));

  return [
    handleJob(sendCaseJob, { concurrency: 2 }, async (delivery, { signal }) => {
      const supportCase = await findUndelivered(db, delivery);
      const customer = supportCase && (await findUser(db, delivery.ownerId));
      // The customer deleted their account meanwhile, or an earlier run delivered the case.
      if (!supportCase || !customer) return;

      try {
        const channel = channels.get(delivery.channel);
        if (!channel) throw new Error(`No ${delivery.channel} is configured for support cases.`);
        const phone = supportCase.phone ?? customer.phone;
        await channel.send({ ...supportCase, customer: { ...customer, phone } }, signal);
      } catch (error) {
        await countTry(db, delivery, (error as Error).message);
        throw error;
      }
      await markAccepted(db, delivery, clock.now());
    }),
  ];
}
