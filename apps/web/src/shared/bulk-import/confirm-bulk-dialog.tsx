import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ListOrder } from '../lists/list-calls.ts';
import { bulkCostOf, type PricedPreview } from './bulk-cost.ts';
import { BulkCostPanel } from './bulk-cost-panel.tsx';
import type { BulkWords } from './bulk-words.ts';
import { RefusedFile } from './refused-file.tsx';

/** What the preview of a file came to. */
export type PreviewOutcome<Preview> =
  | { readonly kind: 'valid'; readonly preview: Preview }
  | { readonly kind: 'failed'; readonly message: string };

interface ConfirmBulkDialogProps<Preview extends PricedPreview> {
  isOpen: boolean;
  words: BulkWords<Preview>;
  /** Nothing until there was a preview. */
  outcome: PreviewOutcome<Preview> | undefined;
  fileName: string;
  /** Nothing until it is known. */
  balance: number | undefined;
  isCreating: boolean;
  onConfirm: (order: ListOrder) => void;
  onBuyCredits: () => void;
  onCancel: () => void;
}

/** Says what a file will cost before it costs anything, or why it cannot be used. */
export function ConfirmBulkDialog<Preview extends PricedPreview>({
  isOpen,
  outcome,
  isCreating,
  onCancel,
  ...rest
}: ConfirmBulkDialogProps<Preview>) {
  const close = isCreating ? () => {} : onCancel;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={rest.words.confirmTitle}
      size="30rem"
      withCloseButton={false}
    >
      {outcome?.kind === 'valid' ? (
        <Offer preview={outcome.preview} isCreating={isCreating} onCancel={close} {...rest} />
      ) : null}
      {outcome?.kind === 'failed' ? (
        <>
          <RefusedFile
            fileName={rest.fileName}
            message={outcome.message}
            sampleFile={rest.words.sampleFile}
          />
          <Buttons canConfirm={false} onCancel={close} />
        </>
      ) : null}
    </Modal>
  );
}

type OfferProps<Preview extends PricedPreview> = Omit<
  ConfirmBulkDialogProps<Preview>,
  'isOpen' | 'outcome'
> & {
  preview: Preview;
};

function Offer<Preview extends PricedPreview>(props: OfferProps<Preview>) {
  const { preview, words, fileName, balance, isCreating, onConfirm, onBuyCredits, onCancel } = props;
  const [withHeaders, setWithHeaders] = useState(true);
  const cost = balance === undefined ? undefined : bulkCostOf(preview, balance, withHeaders);
  return (
    <>
      <BulkCostPanel
        fileName={fileName}
        preview={preview}
        words={words}
        balance={balance}
        withHeaders={withHeaders}
        onWithHeadersChange={setWithHeaders}
        onBuyCredits={onBuyCredits}
      />
      <Buttons
        canConfirm={cost?.canConfirm ?? false}
        isBusy={isCreating}
        onConfirm={() => onConfirm({ uploadId: preview.upload_id, withHeaders })}
        onCancel={onCancel}
      />
    </>
  );
}

interface ButtonsProps {
  canConfirm: boolean;
  isBusy?: boolean;
  onConfirm?: () => void;
  onCancel: () => void;
}

function Buttons({ canConfirm, isBusy = false, onConfirm, onCancel }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs" mt="lg">
      <Button variant="subtle" onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
      <Button onClick={onConfirm} disabled={!canConfirm} loading={isBusy}>
        Confirm
      </Button>
    </Group>
  );
}
