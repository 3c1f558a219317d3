import { Button, Checkbox } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { creditsText } from '../format/count-words.ts';
import { formatCredits } from '../format/counts.ts';
import { exclusionWords } from '../format/exclusion-words.ts';
import { type BulkCost, bulkCostOf, metricsOf, type PricedPreview } from './bulk-cost.ts';
import classes from './bulk-cost-panel.module.css';
import type { BulkWords } from './bulk-words.ts';

interface BulkCostPanelProps<Preview extends PricedPreview> {
  fileName: string;
  preview: Preview;
  words: BulkWords<Preview>;
  /** Nothing until it is known. */
  balance: number | undefined;
  withHeaders: boolean;
  onWithHeadersChange: (withHeaders: boolean) => void;
  onBuyCredits: () => void;
}

/** The offer: emails to verify, excluded rows, and the most it can cost. */
export function BulkCostPanel<Preview extends PricedPreview>(props: BulkCostPanelProps<Preview>) {
  const { fileName, preview, words, balance, withHeaders, onWithHeadersChange, onBuyCredits } = props;
  // Without a balance nothing can be said to be short yet.
  const cost = bulkCostOf(preview, balance ?? Number.POSITIVE_INFINITY, withHeaders);
  const warning = words.headerWarning(preview, withHeaders);
  const notice = words.notice?.(preview);
  return (
    <div className={classes.root}>
      <div>
        {/* The focus begins here, and not at Confirm: one more press of Enter may not spend credits. */}
        <p className={classes.file} tabIndex={-1} data-autofocus>
          {fileName}
        </p>
        <p className={classes.detected}>{words.detected(preview)}</p>
      </div>
      {notice ? (
        <p className={classes.notice}>
          <Icon name="warning" size={18} />
          <span>{notice}</span>
        </p>
      ) : null}
      <div className={classes.offer}>
        <CostWords cost={cost} words={words} />
        <dl className={classes.figures}>
          <Figure name={words.billable} value={formatCredits(cost.billable)} />
          <Figure
            name={words.excluded}
            value={formatCredits(cost.excluded)}
            note={exclusionWords(metricsOf(preview, withHeaders), words.unusable)}
          />
          <Figure name="Your balance" value={balance === undefined ? '…' : formatCredits(balance)} />
        </dl>
      </div>
      {cost.shortCredits > 0 ? (
        <div className={classes.short} role="alert">
          <Icon name="warning" size={20} />
          <span>You're {creditsText(cost.shortCredits)} short.</span>
          <Button size="compact-md" variant="default" onClick={onBuyCredits}>
            Buy credits
          </Button>
        </div>
      ) : null}
      <Checkbox
        label="This CSV file includes headers"
        checked={withHeaders}
        onChange={(event) => onWithHeadersChange(event.currentTarget.checked)}
        description={<span aria-live="polite">{warning}</span>}
      />
    </div>
  );
}

type CostWordsProps = {
  cost: BulkCost;
  words: Pick<BulkWords<never>, 'nothingToDo' | 'notCharged'>;
};

function CostWords({ cost, words }: CostWordsProps) {
  if (cost.credits === 0) {
    return <p className={classes.cost}>{words.nothingToDo}</p>;
  }
  return (
    <>
      <p className={classes.cost}>
        You will be charged up to <strong>{creditsText(cost.credits)}</strong>.
      </p>
      <p className={classes.unknown}>{words.notCharged}</p>
    </>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string | null }) {
  return (
    <div className={classes.figure}>
      <dt>
        {name}
        {note ? <small>{note}</small> : null}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
