import type { ValidationList, Verdict } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

interface ExportOrder {
  readonly list: Pick<ValidationList, 'id' | 'name'>;
  readonly verdicts: readonly Verdict[];
  /** `all` is the customer's file row for row; otherwise one row per address. */
  readonly rows?: 'all' | 'distinct';
}

/** Asks for the verified file and lets the browser fetch it. */
export function useExportList() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ list, verdicts, rows }: ExportOrder) =>
      api.validations.exportList({
        params: { list_id: list.id },
        query: { status: verdicts, rows },
      }),
    meta: { hasOwnErrorText: true },
    onMutate: ({ list }) => snackbar.info(`Generating ${list.name} list export.`),
    onSuccess: ({ download_link }) => {
      followDownload(download_link);
      snackbar.success('Success! Export generated');
    },
    onError: ({ message }) =>
      snackbar.error(
        message === ''
          ? 'Something went wrong generating the download, please try again'
          : `There was an error generating the export! ${message}, please try again later.`,
      ),
  });
}

/** As a click on a link to a file would: the page stays, whatever the answer. */
function followDownload(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}
