import { useNavigate } from 'react-router';
import { ImportList } from '../../../shared/bulk-import/import-list.tsx';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useCreateList } from '../api/create-list.ts';
import { usePreviewList } from '../api/preview-list.ts';
import { gridPath, requestPagingReset } from '../grid-paging.ts';
import { verificationWords } from './verification-words.ts';

export function ImportEmailList() {
  const navigate = useNavigate();
  const previewList = usePreviewList();
  const createList = useCreateList();
  return (
    <ImportList
      words={verificationWords}
      previewFile={previewList.mutateAsync}
      isCreating={createList.isPending}
      onConfirm={async (choice) => {
        requestPagingReset('bulk');
        // The page that listens for the list's progress stands before the list is made: a short one is complete in no time.
        await navigate(gridPath('bulk'), { flushSync: true });
        const list = await createList.mutateAsync(choice);
        snackbar.success(`Email verification started for list ${list.name}.`);
      }}
    />
  );
}
