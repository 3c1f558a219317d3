import type { AppServices } from '../../../shared/services/services.ts';

/** A link to the rows of a previewed file that are not verified. */
export const askForExclusions = ({ api }: Pick<AppServices, 'api'>, uploadId: string, withHeaders: boolean) =>
  api.validations.exportExclusions({ params: { upload_id: uploadId }, query: { with_headers: withHeaders } });
