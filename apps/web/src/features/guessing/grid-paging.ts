import { gridPagingOf } from '../../shared/navigation/grid-paging.ts';

export const { requestPagingReset, gridPath, useGridPaging } = gridPagingOf({
  basePath: '/email-guessing',
  keySuffix: '.guessing',
});
