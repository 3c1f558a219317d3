import type { Wallet } from '@assay/contract';
import { DayBars, DayBarsSkeleton } from '../../../shared/charts/day-bars.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { usePaymentMethod } from '../api/get-payment-method.ts';
import { useSpending } from '../api/get-spending.ts';
import { cardWords, formatExpiry } from '../card-words.ts';
import { lastingWords } from '../lasting-words.ts';
import card from './card.module.css';
import { Fact, FactSkeleton, Facts } from './facts.tsx';
import { FrozenNotice } from './frozen-notice.tsx';

/** The exact balance, and the credits that are in no balance for now. */
export function BalanceCard({ wallet: { balance, held, frozen } }: { wallet: Wallet }) {
  return (
    <section className={card.stack} aria-label="Your credits">
      <Facts>
        <Fact name="Balance" aside="credits you can spend">
          {formatCredits(balance)}
        </Fact>
        <Fact name="On hold" aside="for running work">
          {formatCredits(held)}
        </Fact>
        <LastsUntil />
        <PaymentMethodFact />
        {frozen === 0 ? null : (
          <Fact name="Frozen" aside="disputed payment">
            {formatCredits(frozen)}
          </Fact>
        )}
      </Facts>
      {frozen === 0 ? null : <FrozenNotice />}
      <SpendingChart />
    </section>
  );
}

/** As high as the card that follows. */
export function BalanceCardSkeleton() {
  return (
    <div className={card.stack}>
      <Facts>
        <FactSkeleton name="Balance" width="4rem" asideWidth="8rem" />
        <FactSkeleton name="On hold" width="2rem" asideWidth="6rem" />
        <LastsUntilSkeleton />
        <PaymentMethodSkeleton />
      </Facts>
      <DayBarsSkeleton />
    </div>
  );
}

function LastsUntil() {
  const { data, isPending } = useSpending();
  if (isPending) return <LastsUntilSkeleton />;
  if (!data) return null;
  const { name, value, aside } = lastingWords(data);
  return (
    <Fact name={name} aside={aside}>
      {value}
    </Fact>
  );
}

const LastsUntilSkeleton = () => <FactSkeleton name="Lasts until" width="8rem" asideWidth="12rem" />;
const PaymentMethodSkeleton = () => <FactSkeleton name="Saved card" width="4rem" asideWidth="8rem" />;

function PaymentMethodFact() {
  const { data, isPending } = usePaymentMethod();
  if (isPending) return <PaymentMethodSkeleton />;
  if (!data) return null;
  return (
    <Fact
      name="Saved card"
      aside={data.card ? `expires ${formatExpiry(data.card)}` : 'packs are paid without saving one'}
    >
      {data.card ? cardWords(data.card) : 'None'}
    </Fact>
  );
}

function SpendingChart() {
  const { data, isPending } = useSpending();
  if (isPending) return <DayBarsSkeleton />;
  return data ? <DayBars days={data.days} verb="spent" /> : null;
}
