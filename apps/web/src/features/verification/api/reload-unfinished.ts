import type { SingleValidation } from '@assay/contract';

const reloadMs = 10_000;

/** How often to ask for checks of which some are unfinished. An event reports their end, but none reports what they wait for. */
export const reloadUnfinished = (
  singles: readonly Pick<SingleValidation, 'status'>[] | undefined,
): number | false => (singles?.some(({ status }) => status !== 'COMPLETE') ? reloadMs : false);
