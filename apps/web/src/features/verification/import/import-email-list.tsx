import { ImportList } from '../../../shared/bulk-import/import-list.tsx';
import { useCreateList } from '../api/create-list.ts';
import { usePreviewList } from '../api/preview-list.ts';
import { gridPaging } from '../grid-paging.ts';
import { verificationWords } from './verification-words.ts';

export const ImportEmailList = () => (
  <ImportList
    words={verificationWords}
    previewFile={usePreviewList().mutateAsync}
    createList={useCreateList()}
    gridPaging={gridPaging}
  />
);
