import { CREDIT_PACKS, type PackCode } from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { findWaitingImport } from '../../../shared/bulk-import/waiting-import.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useBuyPack } from '../api/buy-pack.ts';
import { packFor, packSizes } from '../pack-sizes.ts';
import { formatCreditPrice } from '../plan-offers.ts';
import card from './card.module.css';
import classes from './pack-card.module.css';

/** Credits that are bought once, beside the plans. */
export function PackCard() {
  const wallet = useQuery(walletQuery(useServices()));
  const [chosen, setChosen] = useState<PackCode | null>(null);
  const [waiting] = useState(findWaitingImport);
  const missing = waiting ? waiting.credits - (wallet.data?.balance ?? waiting.credits) : 0;
  const code = chosen ?? packFor(missing);
  const buyPack = useBuyPack();
  const pack = CREDIT_PACKS.find((one) => one.code === code) ?? CREDIT_PACKS[0];
  if (!pack) return null;
  const price = formatCents(pack.monthlyCostCents);
  return (
    <section className={card.row} aria-label="Credit packs">
      <div className={classes.words}>
        <h2>Buy credits once</h2>
        <p>No subscription, and the credits do not expire.</p>
      </div>
      <div className={classes.choice}>
        <NativeSelect
          label="Pack"
          data={packSizes}
          value={code}
          onChange={(event) => setChosen(event.currentTarget.value as PackCode)}
        />
        <p className={classes.price}>
          <strong>{price}</strong>
          <span>{formatCreditPrice(pack)} per credit</span>
        </p>
        <Button variant="default" onClick={() => buyPack.mutate(code)} loading={buyPack.isPending}>
          Buy credits
        </Button>
      </div>
    </section>
  );
}
