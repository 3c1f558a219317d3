import type { Wallet } from '@assay/contract';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../shared/components/async-slot.tsx';
import type { AsyncState } from '../../shared/components/async-state.ts';
import { formatCredits } from '../../shared/format/counts.ts';
import classes from './plan-panel.module.css';
import { summarizePlan } from './plan-summary.ts';

interface PlanPanelProps {
  wallet: AsyncState<Wallet>;
  now: Date;
  onRetry: () => void;
}

export function PlanPanel({ wallet, now, onRetry }: PlanPanelProps) {
  return (
    <section className={classes.root} aria-label="Plan and credits">
      <AsyncSlot state={wallet} name="balance" onRetry={onRetry} skeleton={<PlanSkeleton />}>
        {(loaded) => <PlanFigures wallet={loaded} now={now} />}
      </AsyncSlot>
    </section>
  );
}

function PlanFigures({ wallet, now }: { wallet: Wallet; now: Date }) {
  const summary = summarizePlan(wallet, now);
  const monthlyCredits = formatCredits(wallet.subscription.plan.monthly_credits);
  return (
    <>
      <p className={classes.plan}>{summary.planLabel}</p>
      {summary.notice === null ? null : <p className={classes.notice}>{summary.notice}</p>}
      <p className={classes.balance} title={`${formatCredits(wallet.balance)} credits`}>
        <strong>{summary.balance}</strong> <span>credits</span>
      </p>
      <Bar
        percent={summary.balancePercent}
        label="Balance against monthly credits"
        valueText={`${formatCredits(wallet.balance)} of ${monthlyCredits} monthly credits`}
      />
      <p className={classes.until}>
        <span>{summary.until}</span>
        <span>{daysLeftText(summary.daysToRenewal)}</span>
      </p>
      <Bar
        percent={summary.renewalPercent}
        label="Days to renewal"
        valueText={daysLeftText(summary.daysToRenewal)}
        isQuiet
      />
    </>
  );
}

const daysLeftText = (days: number): string => (days === 1 ? '1 day left' : `${days} days left`);

interface BarProps {
  percent: number;
  label: string;
  valueText: string;
  isQuiet?: boolean;
}

function Bar({ percent, label, valueText, isQuiet = false }: BarProps) {
  return (
    <div
      className={classes.bar}
      data-quiet={isQuiet}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={valueText}
    >
      <div className={classes.fill} style={{ width: `${percent}%` }} />
    </div>
  );
}

function PlanSkeleton() {
  return (
    <>
      <p className={classes.plan}>
        <LineSkeleton width="3rem" />
      </p>
      <p className={classes.balance}>
        <strong>
          <LineSkeleton width="6rem" />
        </strong>
      </p>
      <Skeleton height="0.375rem" />
      <p className={classes.until}>
        <LineSkeleton width="8rem" />
      </p>
      <Skeleton height="0.375rem" />
    </>
  );
}
