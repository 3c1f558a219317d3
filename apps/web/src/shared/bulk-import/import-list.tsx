import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { walletQuery } from '../api/wallet-query.ts';
import { Icon } from '../components/icon.tsx';
import { lateDialog } from '../components/late-parts.tsx';
import { snackbar } from '../components/snackbar.tsx';
import type { ListOrder } from '../lists/list-calls.ts';
import type { GridPaging } from '../navigation/grid-paging.ts';
import { useServices } from '../services/services-context.tsx';
import type { PricedPreview } from './bulk-cost.ts';
import type { BulkWords } from './bulk-words.ts';
import classes from './import-list.module.css';
import { takeLeftFiles } from './left-files.ts';
import { PageDropCover } from './page-drop-cover.tsx';
import { type PreviewOrder, usableOf, useBulkImport } from './use-bulk-import.ts';
import { usePageDrop } from './use-page-drop.ts';
import { continuesImport, findWaitingImport, keepImport, takeImport } from './waiting-import.ts';

const ConfirmBulkDialog = lateDialog(
  async () => (await import('./confirm-bulk-dialog.tsx')).ConfirmBulkDialog,
) as typeof import('./confirm-bulk-dialog.tsx').ConfirmBulkDialog;

const ImportDialog = lateDialog(async () => (await import('./import-dialog.tsx')).ImportDialog);

interface ImportListProps<Preview extends PricedPreview> {
  words: BulkWords<Preview>;
  previewFile: (order: PreviewOrder) => Promise<Preview>;
  createList: CreateCall;
  /** The grids of the area; the new list is the first row of its bulk grid. */
  gridPaging: GridPaging;
  /** Files that come from elsewhere on the page, such as pasted addresses; each array is previewed once. */
  handedOver?: readonly File[] | undefined;
  toolsFor?: (preview: Preview, withHeaders: boolean) => ReactNode;
}

/** A call that makes a list of a previewed file, as far as it is needed here. */
interface CreateCall {
  mutateAsync(order: ListOrder): Promise<{ readonly name: string }>;
}

/** The import button and its two dialogs: choose files, confirm the lists. Takes files dropped on the page too. */
export function ImportList<Preview extends PricedPreview>(props: ImportListProps<Preview>) {
  const { words, previewFile, createList, gridPaging, handedOver, toolsFor } = props;
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const wallet = useQuery(walletQuery(useServices()));
  const [isCreating, setIsCreating] = useState(false);
  const { stage, chosen, wasOtherDropped, sending, files, ...bulkImport } = useBulkImport(
    previewFile,
    words.startsWithHeaders,
  );
  const goToTop = gridPaging.useWayToTop('bulk');
  const latest = useRef(bulkImport);
  latest.current = bulkImport;
  useEffect(() => {
    if (handedOver) void latest.current.preview(handedOver);
  }, [handedOver]);
  useEffect(() => {
    const left = takeLeftFiles();
    if (left) return latest.current.drop(left);
    const waiting = continuesImport(state) ? takeImport<Preview>(pathname) : null;
    if (waiting) latest.current.restore(waiting);
  }, [pathname, state]);
  const [waiting, setWaiting] = useState(findWaitingImport);
  const goOn = () => {
    const kept = takeImport<Preview>(pathname);
    if (kept) bulkImport.restore(kept);
    setWaiting(null);
  };
  // An offer or an upload that is open is not thrown away by a drop beside it.
  const canDrop = useRef(true);
  canDrop.current = stage === 'closed' || stage === 'choosing';
  const [dropOnPage] = useState(() => (dropped: readonly File[]) => {
    if (canDrop.current) latest.current.drop(dropped);
  });
  const isDragging = usePageDrop(dropOnPage) && canDrop.current;

  const create = async () => {
    setIsCreating(true);
    try {
      await goToTop();
      for (const { file, preview, withHeaders, name } of usableOf(files)) {
        const list = await createList.mutateAsync({ uploadId: preview.upload_id, withHeaders, name });
        bulkImport.changeFile(file, { isCreated: true });
        snackbar.success(words.started(list.name));
      }
      bulkImport.close();
    } catch {
      // What went wrong has been said as for every call. The offer stays open for another attempt.
    } finally {
      setIsCreating(false);
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
      {isDragging ? <PageDropCover /> : null}
      {waiting?.path === pathname && stage === 'closed' ? (
        <p className={classes.waiting} role="status">
          <span>
            Your import of <bdi>{waiting.name}</bdi> waits for you.
          </span>
          <Button variant="default" onClick={goOn}>
            Continue import
          </Button>
        </p>
      ) : null}
      <ImportDialog
        isOpen={stage === 'choosing' || stage === 'previewing'}
        words={words}
        files={chosen}
        wasOtherDropped={wasOtherDropped}
        sending={sending}
        onBrowse={bulkImport.choose}
        onDrop={bulkImport.drop}
        onAccept={(accepted) => void bulkImport.preview(accepted)}
        onCancel={bulkImport.close}
      />
      <ConfirmBulkDialog
        isOpen={stage === 'confirming'}
        words={words}
        files={files}
        balance={wallet.data?.balance}
        isCreating={isCreating}
        onWithHeadersChange={({ file }, withHeaders) => bulkImport.changeFile(file, { withHeaders })}
        onNameChange={({ file }, name) => bulkImport.changeFile(file, { name })}
        onChoose={(file, choice) => {
          // Another sheet is not in the upload, which holds one, and a refused file has none.
          const hasUpload = file.outcome.kind === 'valid' && choice.sheet === undefined;
          const uploadId = file.outcome.kind === 'valid' ? file.outcome.preview.upload_id : '';
          void bulkImport.reread(file, hasUpload ? { ...choice, uploadId } : choice);
        }}
        onRemove={bulkImport.remove}
        onConfirm={() => void create()}
        onBuyCredits={() => {
          keepImport(pathname, files);
          void navigate('/billing/packs');
        }}
        onCancel={bulkImport.close}
        {...(toolsFor && { toolsFor })}
      />
    </>
  );
}
