import { ImportList } from '../../../shared/bulk-import/import-list.tsx';
import { useCreateList } from '../api/create-list.ts';
import { usePreviewList } from '../api/preview-list.ts';
import { gridPaging } from '../grid-paging.ts';
import { EmailEstimate } from './email-estimate.tsx';
import { Exclusions } from './exclusions.tsx';
import { verificationWords } from './verification-words.ts';

interface ImportEmailListProps {
  /** Pasted addresses, as a file. */
  handedOver?: readonly File[] | undefined;
}

export const ImportEmailList = ({ handedOver }: ImportEmailListProps) => (
  <ImportList
    words={verificationWords}
    previewFile={usePreviewList().mutateAsync}
    createList={useCreateList()}
    gridPaging={gridPaging}
    handedOver={handedOver}
    toolsFor={(preview, withHeaders) => (
      <>
        {preview.total_credits > 0 ? (
          <EmailEstimate
            key={`${preview.upload_id} ${preview.detected.email_column_number}`}
            uploadId={preview.upload_id}
          />
        ) : null}
        <Exclusions preview={preview} withHeaders={withHeaders} />
      </>
    )}
  />
);
