import { gridPagingOf } from '../../shared/navigation/grid-paging.ts';

export const gridPaging = gridPagingOf({
  basePath: '/email-verification',
});
