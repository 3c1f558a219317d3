import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { creditsText } from '../format/count-words.ts';
import { type PricedPreview, totalCostOf } from './bulk-cost.ts';
import { BulkCostPanel, type FilePanelProps } from './bulk-cost-panel.tsx';
import type { BulkWords } from './bulk-words.ts';
import { DialogActions, Price } from './dialog-actions.tsx';
import { nameProblem } from './list-name-field.tsx';
import { RefusedFile } from './refused-file.tsx';
import { SeveralFilesPanel } from './several-files-panel.tsx';
import { Shortage } from './shortage.tsx';
import { type ImportedFile, type ReadingChoice, usableOf } from './use-bulk-import.ts';

interface ConfirmBulkDialogProps<Preview extends PricedPreview> {
  isOpen: boolean;
  words: BulkWords<Preview>;
  files: readonly ImportedFile<Preview>[];
  /** Nothing until it is known. */
  balance: number | undefined;
  isCreating: boolean;
  onWithHeadersChange: (file: ImportedFile<Preview>, withHeaders: boolean) => void;
  onNameChange: (file: ImportedFile<Preview>, name: string) => void;
  onChoose: (file: ImportedFile<Preview>, choice: ReadingChoice) => void;
  onRemove: (file: ImportedFile<Preview>) => void;
  onConfirm: () => void;
  onBuyCredits: () => void;
  onCancel: () => void;
  /** What else can be learned of a file before paying. */
  toolsFor?: (preview: Preview, withHeaders: boolean) => ReactNode;
}

/** Says what files will cost before they cost anything, or why they cannot be used. */
export function ConfirmBulkDialog<Preview extends PricedPreview>(props: ConfirmBulkDialogProps<Preview>) {
  const { isOpen, words, files, balance, isCreating, onConfirm, onBuyCredits, onCancel } = props;
  const close = isCreating ? () => {} : onCancel;
  const usable = usableOf(files);
  const cost = totalCostOf(usable, balance);
  const canConfirm =
    cost.canConfirm &&
    !files.some(({ isRereading }) => isRereading) &&
    usable.every(({ name }) => nameProblem(name) === null);
  return (
    <Modal opened={isOpen} onClose={close} title={words.confirmTitle} size="36rem" withCloseButton={false}>
      <Offer {...props} />
      <DialogActions>
        <Shortage credits={cost.shortCredits} onBuyCredits={onBuyCredits} />
        {cost.canConfirm ? <Price>Up to {creditsText(cost.credits)}</Price> : null}
        <Button variant="subtle" onClick={close} disabled={isCreating}>
          Cancel
        </Button>
        <Button onClick={onConfirm} disabled={!canConfirm} loading={isCreating}>
          Confirm
        </Button>
      </DialogActions>
    </Modal>
  );
}

function Offer<Preview extends PricedPreview>(props: ConfirmBulkDialogProps<Preview>) {
  const { words, files, balance, onRemove } = props;
  const panelOf = (file: ImportedFile<Preview>, preview: Preview): FilePanelProps<Preview> => ({
    fileName: file.file.name,
    preview,
    words,
    withHeaders: file.withHeaders,
    isBusy: file.isRereading,
    name: file.name,
    onWithHeadersChange: (withHeaders) => props.onWithHeadersChange(file, withHeaders),
    onNameChange: (name) => props.onNameChange(file, name),
    onChoose: (choice) => props.onChoose(file, choice),
    tools: props.toolsFor?.(preview, file.withHeaders),
  });
  const [only, ...others] = files;
  if (only === undefined) return null;
  if (others.length > 0)
    return (
      <SeveralFilesPanel
        files={files}
        words={words}
        balance={balance}
        panelOf={panelOf}
        onRemove={onRemove}
      />
    );
  if (only.outcome.kind === 'failed')
    return (
      <RefusedFile
        fileName={only.file.name}
        message={only.outcome.message}
        sampleFile={words.sampleFile}
        choices={only.outcome.choices}
        columns={words.columnsToChoose}
        isBusy={only.isRereading}
        onChoose={(choice) => props.onChoose(only, choice)}
      />
    );
  return <BulkCostPanel {...panelOf(only, only.outcome.preview)} balance={balance} />;
}
