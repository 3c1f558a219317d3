import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { creditsText } from '../format/count-words.ts';
import { formatCredits } from '../format/counts.ts';
import { exclusionWords } from '../format/exclusion-words.ts';
import { type BulkCost, bulkCostOf, metricsOf, type PricedPreview } from './bulk-cost.ts';
import classes from './bulk-cost-panel.module.css';
import type { BulkWords } from './bulk-words.ts';
import { FirstRows } from './first-rows.tsx';
import { ListNameField } from './list-name-field.tsx';
import type { ReadingChoice } from './use-bulk-import.ts';

export interface FilePanelProps<Preview extends PricedPreview> {
  fileName: string;
  preview: Preview;
  words: BulkWords<Preview>;
  withHeaders: boolean;
  /** Undefined until the customer changes it. */
  name?: string | undefined;
  onNameChange: (name: string) => void;
  /** While the file is read in another way. */
  isBusy?: boolean;
  onWithHeadersChange: (withHeaders: boolean) => void;
  onChoose: (choice: ReadingChoice) => void;
  /** What else can be learned of the file before paying. */
  tools?: ReactNode;
}

interface BulkCostPanelProps<Preview extends PricedPreview> extends FilePanelProps<Preview> {
  /** Nothing until it is known. */
  balance: number | undefined;
}

/** The offer for one file: its first rows, emails to verify, excluded rows, and the most it can cost. */
export function BulkCostPanel<Preview extends PricedPreview>(props: BulkCostPanelProps<Preview>) {
  const { fileName, preview, words, balance, withHeaders, tools } = props;
  return (
    <div className={classes.root}>
      <div>
        {/* The focus begins here, and not at Confirm: one more press of Enter may not spend credits. */}
        <p className={classes.file} tabIndex={-1} data-autofocus dir="auto">
          {fileName}
        </p>
        <p className={classes.detected}>{words.detected(preview)}</p>
      </div>
      <FileNotice preview={preview} words={words} />
      <FileRows {...props} />
      <HeaderBox {...props} />
      <NameField {...props} />
      <CostBox
        cost={bulkCostOf(preview, balance, withHeaders)}
        words={words}
        balance={balance}
        exclusions={exclusionWords(metricsOf(preview, withHeaders), words.unusable)}
      />
      {tools}
    </div>
  );
}

export function FileNotice<Preview extends PricedPreview>({
  preview,
  words,
}: Pick<FilePanelProps<Preview>, 'preview' | 'words'>) {
  const notice = words.notice?.(preview);
  return notice ? (
    <p className={classes.notice}>
      <Icon name="warning" size={18} />
      <span>{notice}</span>
    </p>
  ) : null;
}

export function FileRows<Preview extends PricedPreview>(props: FilePanelProps<Preview>) {
  const { preview, words, withHeaders, isBusy = false, onChoose } = props;
  return (
    <FirstRows
      rows={preview.first_rows}
      withHeaders={withHeaders}
      choice={preview.detected}
      columnsRead={words.columns(preview)}
      isBusy={isBusy}
      onChoose={onChoose}
    />
  );
}

export const NameField = <Preview extends PricedPreview>({
  preview,
  name,
  onNameChange,
}: Pick<FilePanelProps<Preview>, 'preview' | 'name' | 'onNameChange'>) =>
  preview.name === undefined ? null : (
    <ListNameField suggested={preview.name} name={name} onChange={onNameChange} />
  );

export function HeaderBox<Preview extends PricedPreview>(props: FilePanelProps<Preview>) {
  const { preview, words, withHeaders, onWithHeadersChange } = props;
  return (
    <Checkbox
      label="This CSV file includes headers"
      checked={withHeaders}
      onChange={(event) => onWithHeadersChange(event.currentTarget.checked)}
      description={<span aria-live="polite">{words.headerWarning(preview, withHeaders)}</span>}
    />
  );
}

interface CostBoxProps {
  cost: BulkCost;
  words: Pick<BulkWords<never>, 'nothingToDo' | 'notCharged' | 'billable' | 'excluded'>;
  balance: number | undefined;
  /** Why rows are excluded. */
  exclusions?: string | null;
}

export function CostBox({ cost, words, balance, exclusions }: CostBoxProps) {
  return (
    <div className={classes.offer}>
      <CostWords cost={cost} words={words} />
      <dl className={classes.figures}>
        <Figure name={words.billable} value={formatCredits(cost.billable)} />
        <Figure name={words.excluded} value={formatCredits(cost.excluded)} note={exclusions} />
        <Figure name="Your balance" value={balance === undefined ? '…' : formatCredits(balance)} />
        {balance !== undefined && cost.credits > 0 && cost.shortCredits === 0 ? (
          <Figure name="Balance after" value={formatCredits(balance - cost.credits)} note="at least" />
        ) : null}
      </dl>
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

function Figure({ name, value, note }: { name: string; value: string; note?: string | null | undefined }) {
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
