import type { AppServices } from '../../../shared/services/services.ts';

/** A link to the rows of a previewed file that are not guessed. */
export const askForExclusions = ({ api }: Pick<AppServices, 'api'>, uploadId: string, withHeaders: boolean) =>
  api.guessing.exportExclusions({ params: { upload_id: uploadId }, query: { with_headers: withHeaders } });
