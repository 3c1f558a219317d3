import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useCreateList } from '../api/create-list.ts';
import { gridPath, requestPagingReset } from '../grid-paging.ts';
import { ConfirmBulkDialog } from './confirm-bulk-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { useBulkImport } from './use-bulk-import.ts';

/** The button and the two dialogs between a CSV file and its verification. */
export function ImportEmailList() {
  const navigate = useNavigate();
  const wallet = useQuery(walletQuery(useServices()));
  const { stage, file, upload, outcome, ...bulkImport } = useBulkImport();
  const createList = useCreateList();

  const confirm = async (choice: { uploadId: string; withHeaders: boolean }) => {
    requestPagingReset('bulk');
    // The page that listens for the list's progress stands before the list is made: a short one is complete in no time.
    await navigate(gridPath('bulk'), { flushSync: true });
    try {
      const list = await createList.mutateAsync(choice);
      snackbar.success(`Email verification started for list ${list.name}.`);
      bulkImport.close();
    } catch {
      // What went wrong has been said as for every call; the offer stays open for another attempt.
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
        Import email list
      </Button>
      <ImportDialog
        isOpen={stage === 'choosing' || stage === 'previewing'}
        file={file}
        upload={upload}
        onFile={bulkImport.choose}
        onVerify={() => {
          if (file) void bulkImport.preview(file);
        }}
        onCancel={bulkImport.close}
      />
      <ConfirmBulkDialog
        isOpen={stage === 'confirming'}
        outcome={outcome}
        fileName={file?.name ?? ''}
        balance={wallet.data?.balance}
        isCreating={createList.isPending}
        onConfirm={(choice) => void confirm(choice)}
        onBuyCredits={() => void navigate('/billing')}
        onCancel={bulkImport.close}
      />
    </>
  );
}
