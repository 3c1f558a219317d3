import { ImportList } from '../../../shared/bulk-import/import-list.tsx';
import { useCreateList } from '../api/create-list.ts';
import { usePreviewPeople } from '../api/preview-people.ts';
import { gridPaging } from '../grid-paging.ts';
import { ExcludedPeople } from './excluded-people.tsx';
import { PeopleEstimate } from './people-estimate.tsx';
import { peopleWords } from './people-words.ts';

export const ImportPeople = () => (
  <ImportList
    words={peopleWords}
    previewFile={usePreviewPeople().mutateAsync}
    createList={useCreateList()}
    gridPaging={gridPaging}
    toolsFor={(preview, withHeaders) => (
      <>
        <ExcludedPeople preview={preview} withHeaders={withHeaders} />
        {preview.total_credits > 0 ? (
          <PeopleEstimate
            key={`${preview.upload_id} ${preview.detected.columns.map(({ number }) => number)}`}
            uploadId={preview.upload_id}
          />
        ) : null}
      </>
    )}
  />
);
