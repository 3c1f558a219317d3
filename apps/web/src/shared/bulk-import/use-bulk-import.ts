import { type CallOptions, isAbort, type UploadProgress } from '@assay/client';
import { useEffect, useRef, useState } from 'react';
import { reactionTo } from '../errors/rejected-call.ts';
import type { PreviewOutcome } from './confirm-bulk-dialog.tsx';
import { asCsvFile } from './csv-file.ts';

/** The state of an import. A closing dialog keeps its content until the next import begins. */
interface BulkImport<Preview> {
  readonly stage: 'closed' | 'choosing' | 'previewing' | 'confirming';
  readonly file?: File;
  /** How far the file is, once it travels. */
  readonly upload?: UploadProgress;
  readonly outcome?: PreviewOutcome<Preview>;
}

/** A file that is being uploaded for its preview. */
export interface PreviewOrder extends Pick<CallOptions, 'signal' | 'onUploadProgress'> {
  readonly file: File;
}

/** The way of a file up to the offer. Leaving the screen stops an upload and forgets all. */
export function useBulkImport<Preview>(previewFile: (order: PreviewOrder) => Promise<Preview>) {
  const [current, setCurrent] = useState<BulkImport<Preview>>({ stage: 'closed' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const preview = async (file: File) => {
    const controller = new AbortController();
    running.current = controller;
    const show = (next: BulkImport<Preview>) => {
      if (!controller.signal.aborted) setCurrent(next);
    };
    const conclude = (outcome: PreviewOutcome<Preview>) =>
      setCurrent((before) => ({ ...before, stage: 'confirming', outcome }));

    show({ stage: 'previewing', file, upload: { sentBytes: 0, totalBytes: file.size } });
    try {
      const answer = await previewFile({
        file: asCsvFile(file),
        signal: controller.signal,
        onUploadProgress: (upload) => show({ stage: 'previewing', file, upload }),
      });
      conclude({ kind: 'valid', preview: answer });
    } catch (error) {
      if (!isAbort(error)) conclude({ kind: 'failed', message: messageOf(error) });
    }
  };

  return {
    ...current,
    open: () => setCurrent({ stage: 'choosing' }),
    choose: (file: File) => setCurrent({ stage: 'choosing', file }),
    preview,
    close() {
      running.current?.abort();
      setCurrent((before) => ({ ...before, stage: 'closed' }));
    },
  };
}

/** In the words of the error catalogue. A failure of the server itself leads away to its own page. */
function messageOf(error: unknown): string {
  const reaction = reactionTo(error);
  return reaction.kind === 'snackbar' ? reaction.message : '';
}
