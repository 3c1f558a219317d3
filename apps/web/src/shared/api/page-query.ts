import type { Paging } from '../components/data-grid/paging.ts';

/** A grid's paging as the calls take it. */
export const pageQueryOf = ({ page, pageSize }: Paging) => ({ page_number: page, page_size: pageSize });
