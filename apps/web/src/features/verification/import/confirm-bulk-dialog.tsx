import type { ListPreview } from '@assay/contract';
import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { bulkCostOf } from './bulk-cost.ts';
import { BulkCostPanel } from './bulk-cost-panel.tsx';
import { RefusedFile } from './refused-file.tsx';

/** What the preview of a file came to. */
export type PreviewOutcome =
  | { readonly kind: 'valid'; readonly preview: ListPreview }
  | { readonly kind: 'failed'; readonly message: string };

interface ConfirmBulkDialogProps {
  isOpen: boolean;
  /** Nothing until there was a preview. */
  outcome: PreviewOutcome | undefined;
  fileName: string;
  /** Nothing until it is known. */
  balance: number | undefined;
  isCreating: boolean;
  onConfirm: (choice: { readonly uploadId: string; readonly withHeaders: boolean }) => void;
  onBuyCredits: () => void;
  onCancel: () => void;
}

/** Says what verifying a file will cost before it costs anything, or why the file cannot be verified. */
export function ConfirmBulkDialog({
  isOpen,
  outcome,
  isCreating,
  onCancel,
  ...rest
}: ConfirmBulkDialogProps) {
  const close = isCreating ? () => {} : onCancel;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title="Confirm bulk verification"
      size="30rem"
      withCloseButton={false}
    >
      {outcome?.kind === 'valid' ? (
        <Offer preview={outcome.preview} isCreating={isCreating} onCancel={close} {...rest} />
      ) : null}
      {outcome?.kind === 'failed' ? (
        <>
          <RefusedFile fileName={rest.fileName} message={outcome.message} />
          <Buttons canConfirm={false} onCancel={close} />
        </>
      ) : null}
    </Modal>
  );
}

type OfferProps = Omit<ConfirmBulkDialogProps, 'isOpen' | 'outcome'> & { preview: ListPreview };

function Offer({ preview, fileName, balance, isCreating, onConfirm, onBuyCredits, onCancel }: OfferProps) {
  const [withHeaders, setWithHeaders] = useState(true);
  const cost = balance === undefined ? undefined : bulkCostOf(preview, balance);
  return (
    <>
      <BulkCostPanel
        fileName={fileName}
        preview={preview}
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
      <Button
        onClick={onConfirm}
        disabled={!canConfirm}
        loading={isBusy}
        data-autofocus={canConfirm || undefined}
      >
        Confirm
      </Button>
    </Group>
  );
}
