import type { Wallet } from '@assay/contract';
import { LineChart } from '../../../shared/charts/line-chart.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatChartDay, formatDate } from '../../../shared/format/dates.ts';
import { usePaymentMethod } from '../api/get-payment-method.ts';
import { useSpending } from '../api/get-spending.ts';
import { cardWords, formatExpiry } from '../card-words.ts';
import classes from './balance-card.module.css';

/** The exact balance, and the credits that are in no balance for now. */
export function BalanceCard({ wallet: { balance, held, frozen } }: { wallet: Wallet }) {
  return (
    <section className={classes.root} aria-label="Your credits">
      <dl className={classes.facts}>
        <div>
          <dt>Balance</dt>
          <dd>{formatCredits(balance)}</dd>
          <dd className={classes.aside}>credits you can spend</dd>
        </div>
        <div>
          <dt>On hold</dt>
          <dd>{formatCredits(held)}</dd>
          <dd className={classes.aside}>for running work</dd>
        </div>
        <LastsUntil />
        <PaymentMethodFact />
        {frozen === 0 ? null : (
          <div>
            <dt>Frozen</dt>
            <dd>{formatCredits(frozen)}</dd>
            <dd className={classes.aside}>disputed payment</dd>
          </div>
        )}
      </dl>
      {frozen === 0 ? null : (
        <p className={classes.notice}>
          <Icon name="warning" />A bank disputes one of your payments, so its unspent credits are frozen. You
          get them back if the payment is confirmed.
        </p>
      )}
      <SpendingChart />
    </section>
  );
}

function LastsUntil() {
  const { data } = useSpending();
  if (!data) return null;
  return (
    <div>
      <dt>Lasts until</dt>
      <dd>{data.lasts_until === null ? '–' : formatDate(data.lasts_until)}</dd>
      <dd className={classes.aside}>
        {data.credits_per_day === 0
          ? 'nothing spent in 7 days'
          : `at ${formatCredits(Math.ceil(data.credits_per_day))} a day, as in the last 7 days`}
      </dd>
    </div>
  );
}

function PaymentMethodFact() {
  const { data } = usePaymentMethod();
  if (!data) return null;
  return (
    <div>
      <dt>Payment method</dt>
      <dd>{data.card ? cardWords(data.card) : 'None'}</dd>
      {data.card ? <dd className={classes.aside}>expires {formatExpiry(data.card)}</dd> : null}
    </div>
  );
}

function SpendingChart() {
  const { data } = useSpending();
  if (!data || data.days.every(({ credits }) => credits === 0)) return null;
  const points = data.days.map(({ date, credits }) => ({
    label: formatChartDay(date, 'UTC'),
    count: credits,
  }));
  return (
    <div className={classes.chart}>
      <p>Credits spent in the last 30 days</p>
      <LineChart
        points={points}
        title="Credits spent in the last 30 days"
        step="day"
        unit={{ one: 'credit', many: 'credits' }}
        tickCount={12}
      />
    </div>
  );
}
