import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { walletQuery } from '../api/wallet-query.ts';
import { Icon } from '../components/icon.tsx';
import { snackbar } from '../components/snackbar.tsx';
import type { ListOrder } from '../lists/list-calls.ts';
import type { GridPaging } from '../navigation/grid-paging.ts';
import { useServices } from '../services/services-context.tsx';
import type { PricedPreview } from './bulk-cost.ts';
import type { BulkWords } from './bulk-words.ts';
import { ConfirmBulkDialog } from './confirm-bulk-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { type PreviewOrder, useBulkImport } from './use-bulk-import.ts';

interface ImportListProps<Preview extends PricedPreview> {
  words: BulkWords<Preview>;
  previewFile: (order: PreviewOrder) => Promise<Preview>;
  createList: CreateCall;
  /** The grids of the area; the new list is the first row of its bulk grid. */
  gridPaging: GridPaging;
}

/** A call that makes a list of a previewed file, as far as it is needed here. */
interface CreateCall {
  readonly isPending: boolean;
  mutateAsync(order: ListOrder): Promise<{ readonly name: string }>;
}

/** The import button and its two dialogs: choose a CSV file, confirm the list. */
export function ImportList<Preview extends PricedPreview>({
  words,
  previewFile,
  createList,
  gridPaging,
}: ImportListProps<Preview>) {
  const navigate = useNavigate();
  const wallet = useQuery(walletQuery(useServices()));
  const { stage, file, upload, outcome, ...bulkImport } = useBulkImport(previewFile);
  const goToTop = gridPaging.useWayToTop('bulk');
  const create = async (order: ListOrder) => {
    try {
      await goToTop();
      const list = await createList.mutateAsync(order);
      snackbar.success(words.started(list.name));
      bulkImport.close();
    } catch {
      // What went wrong has been said as for every call. The offer stays open for another attempt.
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
        isCreating={createList.isPending}
        onConfirm={(order) => void create(order)}
        onBuyCredits={() => void navigate('/billing')}
        onCancel={bulkImport.close}
      />
    </>
  );
}
