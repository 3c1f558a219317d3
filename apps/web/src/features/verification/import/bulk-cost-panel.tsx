import type { ListPreview } from '@assay/contract';
import { Button, Checkbox } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { creditsText } from '../count-words.ts';
import { type BulkCost, bulkCostOf } from './bulk-cost.ts';
import classes from './bulk-cost-panel.module.css';
import { detectedWords, headerWarning } from './detected-words.ts';

interface BulkCostPanelProps {
  fileName: string;
  preview: ListPreview;
  /** Nothing until it is known. */
  balance: number | undefined;
  withHeaders: boolean;
  onWithHeadersChange: (withHeaders: boolean) => void;
  onBuyCredits: () => void;
}

/** The offer: what is verified, what is left out, what it costs at most. */
export function BulkCostPanel(props: BulkCostPanelProps) {
  const { fileName, preview, balance, withHeaders, onWithHeadersChange, onBuyCredits } = props;
  // Without a balance nothing can be said to be short yet.
  const cost = bulkCostOf(preview, balance ?? Number.POSITIVE_INFINITY);
  const warning = headerWarning(preview.detected, withHeaders);
  return (
    <div className={classes.root}>
      <div>
        <p className={classes.file}>{fileName}</p>
        <p className={classes.detected}>{detectedWords(preview.detected)}</p>
      </div>
      <div className={classes.offer}>
        <CostWords cost={cost} />
        <dl className={classes.figures}>
          <Figure name="Emails to verify" value={formatCredits(preview.metrics.billable)} />
          <Figure
            name="Excluded emails"
            value={formatCredits(cost.excludedEmails)}
            note={exclusionWords(preview.metrics)}
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

function CostWords({ cost }: { cost: BulkCost }) {
  if (cost.credits === 0) {
    return <p className={classes.cost}>There is no email in this file that can be verified.</p>;
  }
  return (
    <>
      <p className={classes.cost}>
        You will be charged up to <strong>{creditsText(cost.credits)}</strong>.
      </p>
      <p className={classes.unknown}>Unknown emails are not counted.</p>
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

/** Which emails are left out, and why; nothing when none are. */
function exclusionWords({ non_billable, duplicated }: ListPreview['metrics']): string | null {
  const reasons = [
    duplicated > 0 ? `${formatCredits(duplicated)} duplicated` : null,
    non_billable > 0 ? `${formatCredits(non_billable)} not well-formed` : null,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(', ');
}
