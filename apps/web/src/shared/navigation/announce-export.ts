import { snackbar } from '../components/snackbar.tsx';
import { isolated } from '../format/isolated.ts';
import { withoutEndMark } from '../format/without-end-mark.ts';
import { followDownload } from './follow-download.ts';

/** However many downloads are started, one message tells of them. */
const thread = 'export';

/** Downloads an export, with a message when it begins and when it is ready; the same for every list. */
export const announceExport = {
  onMutate: ({ list }: { readonly list: { readonly name: string } }) =>
    snackbar.info(`Generating ${isolated(list.name)} list export.`, thread),
  onSuccess: ({ download_link }: { readonly download_link?: string }) => {
    if (!download_link) return failed('');
    followDownload(download_link);
    snackbar.success('Success! Export generated', thread);
  },
  onError: ({ message }: Error) => failed(message),
};

const failed = (message: string): void =>
  snackbar.failure(
    message === ''
      ? 'Something went wrong generating the download, please try again'
      : `There was an error generating the export! ${withoutEndMark(message)}, please try again later.`,
    thread,
  );
