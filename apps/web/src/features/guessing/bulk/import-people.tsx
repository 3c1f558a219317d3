import { useNavigate } from 'react-router';
import { ImportList } from '../../../shared/bulk-import/import-list.tsx';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useCreateList } from '../api/create-list.ts';
import { usePreviewPeople } from '../api/preview-people.ts';
import { gridPath, requestPagingReset } from '../grid-paging.ts';
import { peopleWords } from './people-words.ts';

export function ImportPeople() {
  const navigate = useNavigate();
  const previewPeople = usePreviewPeople();
  const createList = useCreateList();
  return (
    <ImportList
      words={peopleWords}
      previewFile={previewPeople.mutateAsync}
      isCreating={createList.isPending}
      onConfirm={async (choice) => {
        requestPagingReset('bulk');
        // The page that listens for the list's progress stands before the list is made.
        await navigate(gridPath('bulk'), { flushSync: true });
        const list = await createList.mutateAsync(choice);
        snackbar.success(`Email guessing started for list ${list.name}.`);
      }}
    />
  );
}
