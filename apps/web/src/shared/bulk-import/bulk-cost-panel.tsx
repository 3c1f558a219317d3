import { Button, Checkbox } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { creditsText } from '../format/count-words.ts';
import { formatCredits } from '../format/counts.ts';
import { type BulkCost, bulkCostOf, type PricedPreview } from './bulk-cost.ts';
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

/** The offer: what is done, what is left out, what it costs at most. */
export function BulkCostPanel<Preview extends PricedPreview>(props: BulkCostPanelProps<Preview>) {
  const { fileName, preview, words, balance, withHeaders, onWithHeadersChange, onBuyCredits } = props;
  // Without a balance nothing can be said to be short yet.
  const cost = bulkCostOf(preview, balance ?? Number.POSITIVE_INFINITY);
  const warning = words.headerWarning(preview, withHeaders);
  return (
    <div className={classes.root}>
      <div>
        <p className={classes.file}>{fileName}</p>
        <p className={classes.detected}>{words.detected(preview)}</p>
      </div>
      <div className={classes.offer}>
        <CostWords cost={cost} words={words} />
        <dl className={classes.figures}>
          <Figure name={words.billable} value={formatCredits(preview.metrics.billable)} />
          <Figure
            name={words.excluded}
            value={formatCredits(cost.excluded)}
            note={exclusionWords(preview.metrics, words.unusable)}
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

/** Which rows are left out, and why; nothing when none are. */
function exclusionWords(
  { non_billable, duplicated }: PricedPreview['metrics'],
  unusable: string,
): string | null {
  const reasons = [
    duplicated > 0 ? `${formatCredits(duplicated)} duplicated` : null,
    non_billable > 0 ? `${formatCredits(non_billable)} ${unusable}` : null,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(', ');
}
