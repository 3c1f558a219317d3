import { lateDialog } from './late-parts.tsx';

/** Asks before something happens. */
export const ConfirmDialog = lateDialog(async () => (await import('./confirm-question.tsx')).ConfirmQuestion);
