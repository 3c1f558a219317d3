import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { walletQuery } from '../api/wallet-query.ts';
import { Icon } from '../components/icon.tsx';
import { useServices } from '../services/services-context.tsx';
import type { PricedPreview } from './bulk-cost.ts';
import type { BulkWords } from './bulk-words.ts';
import { ConfirmBulkDialog } from './confirm-bulk-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { type PreviewOrder, useBulkImport } from './use-bulk-import.ts';

interface ImportListProps<Preview extends PricedPreview> {
  words: BulkWords<Preview>;
  previewFile: (order: PreviewOrder) => Promise<Preview>;
  isCreating: boolean;
  /** Makes the list; the offer closes when it is there, and stays open for another attempt when it fails. */
  onConfirm: (choice: { readonly uploadId: string; readonly withHeaders: boolean }) => Promise<void>;
}

/** The button and the two dialogs between a CSV file and what is made of it. */
export function ImportList<Preview extends PricedPreview>({
  words,
  previewFile,
  isCreating,
  onConfirm,
}: ImportListProps<Preview>) {
  const navigate = useNavigate();
  const wallet = useQuery(walletQuery(useServices()));
  const { stage, file, upload, outcome, ...bulkImport } = useBulkImport(previewFile);
  const confirm = async (choice: { uploadId: string; withHeaders: boolean }) => {
    try {
      await onConfirm(choice);
      bulkImport.close();
    } catch {
      // What went wrong has been said as for every call.
    }
  };
  return (
    <>
      <Button
        size="md"
        variant="default"
        onClick={bulkImport.open}
        leftSection={<Icon name="upload" size={18} />}
      >
        {words.importTitle}
      </Button>
      <ImportDialog
        isOpen={stage === 'choosing' || stage === 'previewing'}
        words={words}
        file={file}
        upload={upload}
        onFile={bulkImport.choose}
        onAccept={() => {
          if (file) void bulkImport.preview(file);
        }}
        onCancel={bulkImport.close}
      />
      <ConfirmBulkDialog
        isOpen={stage === 'confirming'}
        words={words}
        outcome={outcome}
        fileName={file?.name ?? ''}
        balance={wallet.data?.balance}
        isCreating={isCreating}
        onConfirm={(choice) => void confirm(choice)}
        onBuyCredits={() => void navigate('/billing')}
        onCancel={bulkImport.close}
      />
    </>
  );
}
