import { snackbar } from '../components/snackbar.tsx';
import { followDownload } from './follow-download.ts';

/** What is said while a file is made and when it is there, and the download itself: the same for every list. */
export const announceExport = {
  onMutate: ({ list }: { readonly list: { readonly name: string } }) =>
    snackbar.info(`Generating ${list.name} list export.`),
  onSuccess: ({ download_link }: { readonly download_link: string }) => {
    followDownload(download_link);
    snackbar.success('Success! Export generated');
  },
  onError: ({ message }: Error) =>
    snackbar.error(
      message === ''
        ? 'Something went wrong generating the download, please try again'
        : `There was an error generating the export! ${message}, please try again later.`,
    ),
};
